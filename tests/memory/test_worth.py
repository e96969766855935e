"""What is not worth keeping, by comparison with the live home and the turn: six languages."""

from __future__ import annotations

import pytest

from memory.extract import Call, Candidate, LiveThing, TurnFacts
from memory.name_index import KnownThings
from memory.worth import refusal

HOME = KnownThings(
    [
        LiveThing("light.hall", ("Hall light", "hall light"), "on", {}, "Hall"),
        LiveThing(
            "climate.bedroom",
            ("Bedroom thermostat",),
            "heat",
            {"temperature": 19, "current_temperature": 18.4},
            "Bedroom",
        ),
        LiveThing("light.flur", ("Flurlicht",), "on", {}, "Flur"),
        LiveThing("light.salon", ("Lampe du salon",), "on", {}, "Salon"),
        LiveThing("light.sala", ("Luz de la sala",), "on", {}, "Sala"),
        LiveThing("light.gang", ("Ganglamp",), "on", {}, "Gang"),
        LiveThing("light.ko", ("거실 조명",), "on", {}, "거실"),
        LiveThing("sensor.co2", ("Bedroom CO2",), "812", {}, "Bedroom"),
        LiveThing("media_player.tv", ("TV",), "playing", {"media_title": "Space Oddity"}, "Living room"),
    ]
)

OFF = (Call("turn_off", ("light.hall",)),)
CASES = [
    ("en", "The hall light is on", "Is the hall light on?", {}, {"transient", "question"}),
    ("en", "The hall light is on", "the hall light is on", {}, {"transient"}),
    ("en", "Anna likes 19 degrees at night", "Anna likes 19 degrees at night", {}, {None}),
    (
        "en",
        "The bedroom is at 18.4 degrees",
        "how warm is the bedroom?",
        {"results": ('{"temperature": 18.4}',)},
        {"from_result", "not_said", "transient", "question"},
    ),
    ("en", "100 ppm is normal here", "100 ppm is normal here", {}, {None}),
    ("en", "812 ppm of CO2 in the bedroom", "there are 812 ppm of CO2 in the bedroom", {}, {"transient"}),
    ("en", "The user turned off the hall light", "turn off the hall light", {"calls": OFF}, {"commanded"}),
    ("en", "The user wants the hall light off", "turn off the hall light", {"calls": OFF}, {"commanded"}),
    ("en", "The user asked to turn off the hall light", "turn off the hall light", {"calls": OFF}, {"commanded"}),
    (
        "en",
        "Anna likes the bedroom at 19 degrees",
        "set the bedroom to 19 degrees",
        {
            "calls": (Call("set_value", ("climate.bedroom",), {"temperature": 19}),),
            "user_id": "anna",
            "users": {"anna": "Anna"},
        },
        {"commanded"},
    ),
    (
        "en",
        "The porch light should always stay on at night",
        "The porch light should always stay on at night",
        {},
        {None},
    ),
    ("en", "John Doe likes pizza", "turn on the light", {}, {"not_said"}),
    (
        "en",
        "The bins are collected on Tuesday",
        "when are the bins collected?",
        {"recalled": ("The bins are collected on Tuesday",)},
        {"from_recall", "not_said", "question"},
    ),
    ("en", "It is raining", "it is raining", {}, {"transient"}),
    ("en", "The user said hello", "hello", {}, {"worthless", "commanded"}),
    ("en", "Anna does not like tea", "I like tea", {}, {"not_said"}),
    ("en", "Anna likes 19 degrees", "not 19 but 20 degrees please", {}, {"not_said"}),
    ("en", "The reading lamp is the one by the sofa", "The reading lamp is the one by the sofa", {}, {None}),
    ("en", "Lisa is allergic to nuts", "Lisa is allergic to nuts, so no cookies", {}, {None}),
    ("en", "The TV is playing Space Oddity", "what's playing? Space Oddity on the TV?", {}, {"transient", "question"}),
    ("en", "The alarm code is 4321", "the alarm code is 4321", {}, {"secret"}),
    ("en", "Anna mag nachts 19 Grad", "Anna likes 19 degrees at night", {}, {"language"}),
    ("en", "Tom knows the alarm code", "Tom knows the alarm code", {}, {None}),
    ("en", "Anna is in the kitchen right now", "Anna is in the kitchen right now", {}, {"transient"}),
    ("en", "The dentist appointment is on 3 May", "remember the dentist appointment on 3 May", {}, {None}),
    (
        "en",
        "Anna prefers 19 degrees at night",
        "I always freeze at night, keep it at 19 please",
        {"user_id": "anna", "users": {"anna": "Anna"}},
        {None},
    ),
    ("de", "Das Flurlicht ist an", "das Flurlicht ist an", {}, {"transient"}),
    ("de", "Anna mag es nachts bei 19 Grad", "Anna mag es nachts bei 19 Grad", {}, {None}),
    (
        "de",
        "Der Benutzer möchte das Flurlicht ausgeschaltet haben",
        "mach das Flurlicht aus",
        {"calls": (Call("turn_off", ("light.flur",)),)},
        {"commanded"},
    ),
    ("de", "Die Müllabfuhr kommt dienstags", "Die Müllabfuhr kommt dienstags", {}, {None}),
    ("de", "Die Leselampe steht neben dem Sofa", "Die Leselampe steht neben dem Sofa", {}, {None}),
    ("de", "Es regnet draußen", "es regnet draußen", {}, {"transient"}),
    ("fr", "La lampe du salon est allumée", "la lampe du salon est allumée", {}, {"transient"}),
    ("fr", "Anna préfère 19 degrés la nuit", "Anna préfère 19 degrés la nuit", {}, {None}),
    (
        "fr",
        "L'utilisateur a demandé d'éteindre la lampe du salon",
        "éteins la lampe du salon",
        {"calls": (Call("turn_off", ("light.salon",)),)},
        {"commanded"},
    ),
    ("fr", "Les poubelles passent le mardi", "Les poubelles passent le mardi", {}, {None}),
    ("es", "La luz de la sala está encendida", "la luz de la sala está encendida", {}, {"transient"}),
    ("es", "A Anna le gusta el café", "A Anna le gusta el café", {}, {None}),
    (
        "es",
        "El usuario quiere apagar la luz de la sala",
        "apaga la luz de la sala",
        {"calls": (Call("turn_off", ("light.sala",)),)},
        {"commanded"},
    ),
    ("nl", "De ganglamp staat aan", "de ganglamp staat aan", {}, {"transient"}),
    ("nl", "Anna houdt van koffie", "Anna houdt van koffie", {}, {None}),
    (
        "nl",
        "De gebruiker wil de ganglamp uit",
        "doe de ganglamp uit",
        {"calls": (Call("turn_off", ("light.gang",)),)},
        {"commanded"},
    ),
    ("ko", "거실 조명이 켜져 있어요", "거실 조명이 켜져 있어요", {}, {"transient"}),
    ("ko", "안나는 밤에 19도를 좋아해요", "안나는 밤에 19도를 좋아해요", {}, {None}),
    (
        "ko",
        "사용자가 거실 조명을 꺼 달라고 요청했어요",
        "거실 조명 꺼 줘",
        {"calls": (Call("turn_off", ("light.ko",)),)},
        {"commanded"},
    ),
    ("ko", "쓰레기는 화요일에 수거해요", "쓰레기는 화요일에 수거해요", {}, {None}),
    ("en", "The guest Wi-Fi is called Casa-Guest", "The guest Wi-Fi is called Casa-Guest", {}, {None}),
    (
        "en",
        "The window in the bathroom must stay open after showering",
        "The window in the bathroom must stay open after showering",
        {},
        {None},
    ),
    ("en", "Ben is on holiday until 5 June", "Ben is on holiday until 5 June", {}, {None}),
    (
        "en",
        "The living room lamp flickers below 20 percent",
        "the living room lamp flickers below 20 percent",
        {},
        {None},
    ),
    ("en", "The front door sticks in winter", "the front door sticks in winter", {}, {None}),
]


@pytest.mark.parametrize(("language", "content", "said", "facts", "expected"), CASES)
def test_worth(language: str, content: str, said: str, facts: dict[str, object], expected: set[str | None]) -> None:
    turn = TurnFacts(said, language=language, live=HOME, **facts)  # type: ignore[arg-type]
    assert refusal(Candidate(content, language=language), turn) in expected


def test_nobody_can_speak_for_another_in_private() -> None:
    turn = TurnFacts("Ben hides the present in the cellar", user_id="anna")
    assert refusal(Candidate("Ben hides the present in the cellar", user_id="ben"), turn) == "other_user"
    assert refusal(Candidate("Ben hides the present in the cellar", user_id="anna"), turn) is None
    assert refusal(Candidate("Ben hides the present in the cellar", user_id="anna"), TurnFacts(turn.said)) is not None


@pytest.mark.parametrize(
    ("language", "said", "content", "expected"),
    [
        ("en", "My train always leaves at 7:12", "Ben's train always leaves at 7:12", "not_said"),
        ("en", "My train always leaves at 7:12", "Anna's train always leaves at 7:12", None),
        ("en", "Ben's train always leaves at 7:12", "Ben's train always leaves at 7:12", None),
        ("en", "The rose by the pond needs water every day", "The rose by the pond needs water every day", None),
        ("en", "I always water the flowers on Mondays", "Rose always waters the flowers on Mondays", "not_said"),
        ("de", "Mein Zug fährt immer um 7:12", "Bens Zug fährt immer um 7:12", "not_said"),
        ("de", "Bens Zug fährt immer um 7:12", "Ben nimmt immer den Zug um 7:12", None),
        ("nl", "Ik zoek altijd een andere baan", "Ben zoekt altijd een andere baan", "not_said"),
        ("ko", "내 기차는 항상 7시 12분에 출발해", "민지의 기차는 항상 7시 12분에 출발한다", "not_said"),
        ("ko", "민지의 기차는 항상 7시 12분에 출발해", "민지의 기차는 항상 7시 12분에 출발한다", None),
    ],
)
def test_nobody_is_named_who_did_not_speak_and_was_not_named(
    language: str, said: str, content: str, expected: str | None
) -> None:
    users = {"anna": "Anna Berg", "ben": "Ben Berg", "rose": "Rose", "minji": "민지"}
    facts = TurnFacts(said, user_id="anna", language=language, users=users)
    assert refusal(Candidate(content, language=language), facts) == expected


@pytest.mark.parametrize(
    ("said", "content", "expected"),
    [
        ("My sister Petra stays with us until Sunday", "Petra likes hiking", "not_said"),
        ("My sister Petra stays with us every Sunday and goes hiking", "Petra likes hiking", None),
        ("I can't stand mushrooms", "Anna dislikes mushrooms", None),
    ],
)
def test_a_liking_that_nobody_told_is_made_up(said: str, content: str, expected: str | None) -> None:
    facts = TurnFacts(said, user_id="anna", users={"anna": "Anna"})
    assert refusal(Candidate(content, language="en"), facts) == expected
