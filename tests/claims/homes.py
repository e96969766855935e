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

_MORE = {
    "en": ("Washing machine", "Roof solar power", "House battery", "Indoor humidity", "Hugo",
           "Car battery", "Outdoor temperature", "Anna", "Back door",
           "Robot vacuum", "Hall motion", "Thermostat", "TV", "Energy today"),
    "de": ("Waschmaschine", "Solarleistung Dach", "Hausspeicher", "Luftfeuchtigkeit innen", "Hugo",
           "Autobatterie", "Außentemperatur", "Anna", "Hintertür",
           "Saugroboter", "Bewegung Flur", "Thermostat", "Fernseher", "Energie heute"),
    "fr": ("Lave-linge", "Puissance solaire toit", "Batterie maison", "Humidité intérieure", "Hugo",
           "Batterie voiture", "Température extérieure", "Anna", "Porte de derrière",
           "Robot aspirateur", "Mouvement entrée", "Thermostat", "Télé", "Énergie aujourd'hui"),
    "es": ("Lavadora", "Potencia solar tejado", "Batería de casa", "Humedad interior", "Hugo",
           "Batería del coche", "Temperatura exterior", "Anna", "Puerta trasera",
           "Robot aspirador", "Movimiento entrada", "Termostato", "Tele", "Energía hoy"),
    "nl": ("Wasmachine", "Zonnestroom dak", "Thuisaccu", "Luchtvochtigheid binnen", "Hugo",
           "Autoaccu", "Buitentemperatuur", "Anna", "Achterdeur",
           "Stofzuigrobot", "Beweging gang", "Thermostaat", "Tv", "Energie vandaag"),
    "ko": ("세탁기", "지붕 태양광 발전", "집 배터리", "실내 습도", "휴고",
           "자동차 배터리", "실외 온도", "안나", "뒷문",
           "로봇청소기", "현관 움직임", "온도 조절기", "TV", "오늘 에너지"),
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


def household_in(language: str) -> list[dict[str, Any]]:
    """The same home with more in it.

    The washing machine runs, the roof gives 2400 W, the house has 43 percent and the car 71, it is 12.4 degrees outside
    and 20.5 inside with 21 wished for, the air holds 51 percent, 6.84 kWh were used today. Hugo is at home and Anna is
    not; the back door is locked, the vacuum docked, the TV off, and nothing moves in the hall.
    """
    lines = home_in(language)
    kitchen, bedroom, hall = (lines[place]["area"] for place in range(3))
    washer, roof, house, air, hugo, car, outdoors, anna, back, vacuum, motion, heating, tv, energy = _MORE[language]
    return [
        *lines,
        _line("sensor.washer", washer, kitchen, "running", kind="enum"),
        _line("sensor.solar", roof, None, "2400", kind="power", unit_of_measurement="W"),
        _line("sensor.house_battery", house, None, "43", kind="battery", unit_of_measurement="%"),
        _line("sensor.humidity", air, None, "51", kind="humidity", unit_of_measurement="%"),
        _line("person.hugo", hugo, None, "home"),
        _line("sensor.car_battery", car, None, "71", kind="battery", unit_of_measurement="%"),
        _line("sensor.outdoor", outdoors, None, "12.4", kind="temperature", unit_of_measurement="°C"),
        _line("person.anna", anna, None, "not_home"),
        _line("lock.back_door", back, kitchen, "locked"),
        _line("vacuum.robot", vacuum, kitchen, "docked", battery_level=100),
        _line("binary_sensor.hall_motion", motion, hall, "off", kind="motion"),
        _line("climate.heating", heating, hall, "heat", current_temperature=20.5, temperature=21.0),
        _line("media_player.tv", tv, bedroom, "off"),
        _line("sensor.energy", energy, None, "6.84", kind="energy", unit_of_measurement="kWh"),
    ]


def _line(
    entity_id: str, name: str, area: str | None, state: str, kind: str | None = None, **more: Any
) -> dict[str, Any]:
    return {
        "entity_id": entity_id, "name": name, "area": area, "state": state, "device_class": kind, "attributes": more
    }  # fmt: skip
