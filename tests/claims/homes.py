"""One small home in six languages.

The front door is unlocked, the bedroom's window and the blinds are open, the kitchen light is on at 20 percent, and the
bedroom has 20.96 degrees.
"""

from __future__ import annotations

from typing import Any

_WORDS = {
    "en": ("Kitchen", "Bedroom", "Hall", "Kitchen light", "Bedroom lamp", "Front door", "Bedroom window", "Blinds",
           "Bedroom temperature", "Shopping list"),
    "de": ("Küche", "Schlafzimmer", "Flur", "Küchenlicht", "Schlafzimmerlampe", "Haustür", "Schlafzimmerfenster",
           "Rollladen", "Schlafzimmer Temperatur", "Einkaufsliste"),
    "fr": ("Cuisine", "Chambre", "Entrée", "Lumière de la cuisine", "Lampe de la chambre", "Porte d'entrée",
           "Fenêtre de la chambre", "Volets", "Température de la chambre", "Liste de courses"),
    "es": ("Cocina", "Dormitorio", "Entrada", "Luz de la cocina", "Lámpara del dormitorio", "Puerta principal",
           "Ventana del dormitorio", "Persiana", "Temperatura del dormitorio", "Lista de la compra"),
    "nl": ("Keuken", "Slaapkamer", "Gang", "Keukenlamp", "Slaapkamerlamp", "Voordeur", "Slaapkamerraam", "Rolluik",
           "Slaapkamer temperatuur", "Boodschappenlijst"),
    "ko": ("주방", "침실", "현관", "주방 조명", "침실 조명", "현관문", "침실 창문", "블라인드", "침실 온도",
           "장보기 목록"),
}  # fmt: skip


def home_in(language: str) -> list[dict[str, Any]]:
    """The lines of the home, as `playing.home_of` takes them."""
    kitchen, bedroom, hall, light, lamp, door, window, blinds, warmth, shopping = _WORDS[language]
    return [
        _line("light.kitchen", light, kitchen, "on", brightness=51),
        _line("light.bedroom", lamp, bedroom, "off"),
        _line("lock.front_door", door, hall, "unlocked"),
        _line("binary_sensor.window", window, bedroom, "on", kind="window"),
        _line("cover.blinds", blinds, bedroom, "open", kind="shutter", current_position=100),
        _line("sensor.bedroom", warmth, bedroom, "20.96", kind="temperature", unit_of_measurement="°C"),
        _line("todo.shopping", shopping, None, "2"),
    ]


def _line(
    entity_id: str, name: str, area: str | None, state: str, kind: str | None = None, **more: Any
) -> dict[str, Any]:
    return {
        "entity_id": entity_id, "name": name, "area": area, "state": state, "device_class": kind, "attributes": more
    }  # fmt: skip
