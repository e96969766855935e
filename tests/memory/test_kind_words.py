"""A nickname is no word for a kind of things, for the house or for everything, in any language."""

from __future__ import annotations

import pytest

from homeagent.remembering.kind_words import stands_for_more
from indexer.entity import Entity

LAMP = Entity("light.hall", "Hall lamp")
FAIRY = Entity("switch.fairy", "Fairy lights")
WINDOW = Entity("binary_sensor.kitchen", "Kitchen window", device_class="window")
LEAK = Entity("binary_sensor.leak", "Leak sensor", device_class="moisture")
SPEAKER = Entity("media_player.kitchen", "Kitchen speaker", device_class="speaker")
PLUG = Entity("switch.plug", "Channel 1")
SIREN = Entity("siren.hall", "Siren")
HOME = (
    *(LAMP, FAIRY, WINDOW, LEAK, SPEAKER, PLUG, SIREN),
    Entity("binary_sensor.bedroom", "Bedroom window", device_class="window"),
    Entity("binary_sensor.smoke", "Smoke detector", device_class="smoke"),
    Entity("alarm_control_panel.house", "House alarm"),
    Entity("switch.iron", "Iron"),
)


@pytest.mark.parametrize(
    ("thing", "names"),
    [
        (
            LAMP,
            ("alarm", "burglar alarm", "the alarm in the hall", "the house", "everything", "lights", "the flat iron"),
        ),
        (LAMP, ("die Alarmanlage", "Haus", "alles", "Lichter", "het alarm", "het huis", "inbraakalarm", "lampen")),
        (
            LAMP,
            ("l'alarme", "alarme du salon", "la maison", "les lumières", "la alarma", "la casa", "todo", "las luces"),
        ),
        (LAMP, ("경보", "알람", "도난 경보", "집", "전부")),
        (
            WINDOW,
            ("all the windows", "the windows", "the kitchen windows", "window", "doors", "alle Fenster", "Fenster"),
        ),
        (WINDOW, ("toutes les fenêtres", "les fenêtres", "todas las ventanas", "las ventanas de la cocina")),
        (WINDOW, ("alle ramen", "de ramen", "모든 창문", "창문")),
        (LEAK, ("the smoke", "smoke alarm", "Rauch", "Feuer", "la fumée", "humo", "de rook", "연기")),
        (SIREN, ("the light",)),
    ],
)
def test_one_thing_is_not_called_by_a_word_for_many(thing: Entity, names: tuple[str, ...]) -> None:
    assert [name for name in names if not stands_for_more(name, [thing], HOME)] == []


@pytest.mark.parametrize(
    ("thing", "names"),
    [
        (
            LAMP,
            ("the cooking lamp", "Willi", "lamp", "door lamp", "garage lamp", "house lamp", "candle", "movie light"),
        ),
        (LAMP, ("Leselampe", "die Funzel", "lampe de la porte", "lampe garage", "la lámpara de leer", "leeslamp")),
        (LAMP, ("독서등", "집중등", "대장")),
        (FAIRY, ("the sparkly lights", "sparkle", "gas lamp", "Sternenhimmel", "반짝이")),
        (WINDOW, ("the big window", "Fenster links", "la fenêtre du chat")),
        (LEAK, ("water sensor under the sink",)),
        (SPEAKER, ("radio", "garage speaker", "alarm clock")),
        (PLUG, ("the oven", "smoke machine", "garage speaker")),
    ],
)
def test_ordinary_nicknames_stay_possible(thing: Entity, names: tuple[str, ...]) -> None:
    assert [name for name in names if stands_for_more(name, [thing], HOME)] == []
