"""Each rule, each of its kinds and services, and each exemption is needed: a table of calls and what they bring about,
written down by hand; and the rules with any one thing taken out, which the table must notice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from homeagent.ha.home import Home, HomeConfig, State
from homeagent.policy import effects
from homeagent.policy.effects import EffectRule, effects_of, rules
from homeagent.policy.verdicts import Call, Effect
from indexer.entity import Entity

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OPENS, UNPROTECTS, FIRE = Effect.OPENS, Effect.UNPROTECTS, Effect.FIRE_OR_FLOOD
IRREVERSIBLE, LETS_OUT = Effect.IRREVERSIBLE, Effect.LETS_OUT
SET = ["number", "input_number", "select", "input_select", "text", "input_text"]
WORKED = [
    *SET,
    "switch",
    "button",
    "input_button",
    "input_boolean",
    "light",
    "remote",
    "siren",
    "fan",
    "script",
    "scene",
    "automation",
    "valve",
]
SWITCHED = ["switch", "button", "input_button", "input_boolean", "script", "scene", "automation"]
FOREIGN, OWN = {"media_id": "https://evil.example/a"}, {"media_id": "http://192.168.1.4/a"}


@dataclass(frozen=True, slots=True)
class Case:
    """A call, and the one effect (or several) that it has; None: none."""

    domain: str
    service: str
    effect: Effect | frozenset[Effect] | None
    name: str = "Thing"
    data: Mapping[str, Any] = field(default_factory=dict)
    state: str = "on"
    position: int | None = None
    device_class: str | None = None

    @property
    def expected(self) -> set[Effect]:
        if self.effect is None:
            return set()
        return {self.effect} if isinstance(self.effect, Effect) else set(self.effect)

    @property
    def call(self) -> Call:
        entity = Entity(f"{self.domain}.thing", self.name, device_class=self.device_class)
        return Call(self.domain, self.service, "", entity, self.data)

    @property
    def home(self) -> Home:
        entity_id = f"{self.domain}.thing"
        attributes = {} if self.position is None else {"current_position": self.position}
        home = Home()
        home.replace(
            config=HomeConfig(),
            areas=[],
            floors=[],
            device_areas={},
            entities=[Entity(entity_id, self.name, device_class=self.device_class)],
            states=[State(entity_id, self.state, attributes, NOW, NOW)],
        )
        return home


def each(
    domains: Sequence[str],
    services: Sequence[str],
    effect: Effect | frozenset[Effect] | None,
    name: str = "Thing",
    **more: Any,
) -> list[Case]:
    return [Case(domain, service, effect, name, **more) for domain in domains for service in services]


WAY_IN = [
    *each(["lock"], ["unlock", "open"], OPENS),
    *each(["lock"], ["lock"], None),
    *each(["cover"], ["open_cover", "toggle", "set_cover_position", "turn_on"], OPENS, "Gate"),
    *each(["cover"], ["close_cover", "stop_cover", "open_cover_tilt", "set_cover_tilt_position"], None, "Gate"),
    *each(["cover"], ["open_cover", "toggle", "set_cover_position", "turn_on"], None, "Blind"),
    Case("cover", "set_cover_position", None, "Gate", {"position": 40}, position=40),
    Case("cover", "set_cover_position", OPENS, "Gate", {"position": 41}, position=40),
    # What works a gate, whatever it can do but being switched off; what holds it shut, either way.
    *each(WORKED, ["turn_up", "press", "set_value", "select_option"], OPENS, "Gate"),
    *each(
        ["switch", "light", "fan", "input_boolean", "scene", "script", "remote"], ["turn_on", "toggle"], OPENS, "Gate"
    ),
    *each(["siren", "automation"], ["toggle"], frozenset({OPENS, UNPROTECTS}), "Gate"),
    *each(["valve"], ["open_valve", "toggle"], frozenset({OPENS, FIRE}), "Gate"),
    *each([one for one in WORKED if one not in ("siren", "automation")], ["turn_off"], OPENS, "Deadbolt 3"),
    *each(["siren", "automation"], ["turn_off"], frozenset({OPENS, UNPROTECTS}), "Deadbolt 3"),
    *each(["switch", "light", "fan", "input_boolean"], ["turn_off"], None, "Gate"),
    *each(WORKED, ["set_value", "select_option", "press"], None, "Cosy"),
    # a domain that nobody has thought of is judged by what its things are called
    *each(["kettle"], ["turn_on", "boil"], OPENS, "Gate"),
    *each(["kettle"], ["turn_on", "boil"], FIRE, "Fan heater"),
    *each(["kettle"], ["turn_on", "boil"], None, "Cosy"),
    *each(["media_player", "todo", "calendar", "vacuum"], ["turn_on", "start", "add_item"], None, "Gate"),
    *each(["remote"], ["send_command", "turn_on"], OPENS, data={"command": ["gate open"]}),
    *each(["valve"], ["close_valve", "stop_valve"], None, "Gate"),
    *each(["remote"], ["send_command"], None, data={"command": ["volume up"]}),
    *each(["remote"], ["send_command"], FIRE, data={"command": ["oven on"]}),
    *each(["remote"], ["send_command"], FIRE, data={"command": ["space heater on"]}),
    *each(["remote"], ["send_command"], UNPROTECTS, data={"command": ["disarm alarm"]}),
    *each(["remote"], ["send_command"], IRREVERSIBLE, data={"command": ["factory reset"]}),
    *each(["media_player"], ["play_media"], None, data={"media_content_id": "gate open"}),
]
ARMING = ["alarm_arm_home", "alarm_arm_away", "alarm_arm_night", "alarm_arm_vacation", "alarm_arm_custom_bypass"]
LEVELS = {"alarm_arm_custom_bypass": 1, "alarm_arm_home": 2, "alarm_arm_night": 2, "alarm_arm_away": 3}
LEVELS["alarm_arm_vacation"] = 3
PROTECTION = [
    *each(["alarm_control_panel"], ["alarm_disarm"], UNPROTECTS, state="armed_away"),
    *each(["alarm_control_panel"], ARMING, None, state="disarmed"),
    *each(["alarm_control_panel"], ARMING, UNPROTECTS, state="triggered"),
    *(
        Case(
            "alarm_control_panel",
            wanted,
            UNPROTECTS if level < LEVELS[now] else None,
            state=now.removeprefix("alarm_").replace("arm_", "armed_"),
        )
        for wanted, level in LEVELS.items()
        for now in LEVELS
    ),
    *each(["siren"], ["turn_off", "toggle"], UNPROTECTS),
    *each(["siren"], ["turn_on"], None),
    *each(["camera"], ["turn_off", "disable_motion_detection"], UNPROTECTS),
    *each(["camera"], ["turn_on", "enable_motion_detection"], None),
    *each(["automation"], ["turn_off", "toggle"], UNPROTECTS),
    *each(["automation"], ["turn_on", "trigger"], None),
    *each(["light", "fan", "climate", "media_player"], ["turn_off", "toggle"], None),
    *each(SWITCHED, ["turn_off", "toggle"], UNPROTECTS, "Smoke alarm"),
    *each(["button", "input_button"], ["press"], UNPROTECTS, "Burglar alarm"),
    *each(WORKED, ["set_value"], UNPROTECTS, "Bypass"),
    *each(["switch"], ["turn_off"], None, "Bypass"),
    *each(["switch", "input_boolean", "scene", "script"], ["turn_on"], None, "Smoke alarm"),
    *each(["light", "fan", "media_player"], ["turn_off", "toggle"], UNPROTECTS, "Camera"),
    *each(["remote"], ["turn_off"], UNPROTECTS, "Camera"),
    *each(["switch", "input_boolean", "script"], ["turn_off", "toggle"], None, "Coffee"),
    *each(["button", "input_button"], ["press"], None, "Coffee"),
    *each(SET, ["set_value", "select_option", "select_next", "increment"], UNPROTECTS, "Motion detection"),
    *each(SET, ["set_value", "select_option", "select_next", "increment"], None, "Coffee strength"),
]
DANGER = [
    *each(["valve"], ["open_valve", "toggle", "set_valve_position", "turn_on"], FIRE),
    *each(["valve"], ["close_valve", "stop_valve"], None),
    Case("valve", "set_valve_position", None, data={"position": 10}, position=20),
    *each([*WORKED, "media_player"], ["press"], FIRE, "Oven"),
    *each(["valve"], ["close_valve"], None, "Oven"),
    *each(["climate", "water_heater", "fan", "humidifier"], ["turn_on", "set_temperature", "toggle"], FIRE, "Sauna"),
    *each(["climate", "water_heater", "fan", "humidifier"], ["turn_on", "set_temperature", "toggle"], None, "Bedroom"),
    *each(["switch", "input_boolean", "climate", "water_heater", "fan", "humidifier"], ["turn_off"], None, "Sauna"),
    *each(WORKED, ["press"], FIRE, "Space heater"),
    *each(["valve"], ["close_valve"], None, "Space heater"),
    *each(["climate", "water_heater", "humidifier"], ["turn_on", "set_temperature"], None, "Space heater"),
    *each(["switch", "input_boolean", "fan"], ["turn_off"], None, "Space heater"),
    *each(WORKED, ["press"], FIRE, "Water main"),
    *each([one for one in WORKED if one not in ("siren", "automation")], ["turn_off"], FIRE, "Hebeanlage"),
    *each(["siren", "automation"], ["turn_off"], frozenset({FIRE, UNPROTECTS}), "Hebeanlage"),
    *each(["switch"], ["toggle"], FIRE, "Hebeanlage"),
    *each(["switch"], ["turn_on"], None, "Hebeanlage"),
    *each([*SET, "cover"], ["set_value", "open_cover"], FIRE, "Water main", device_class="damper"),
    *each(["cover"], ["close_cover", "turn_off"], None, "Water main", device_class="damper"),
    *each(["switch", "input_boolean"], ["turn_off"], None, "Water main"),
    *each(["fan", "light"], ["turn_on"], FIRE, "Water main"),
    *each(["climate"], ["turn_on"], None, "Water main"),
]
NO_WAY_BACK = [
    *each(["update"], ["install"], IRREVERSIBLE),
    *each(["update"], ["skip", "clear_skipped"], None),
    *each(["alarm_control_panel"], ["alarm_trigger"], IRREVERSIBLE, state="disarmed"),
    *each(["alarm_control_panel"], ["alarm_trigger"], IRREVERSIBLE, state="armed_away"),
    *(
        case
        for kind in ("restart", "update")
        for case in each(["button", "input_button"], ["press"], IRREVERSIBLE, device_class=kind)
    ),
    *each(["button", "input_button"], ["press"], None, device_class="identify"),
    *each(["sensor", "switch"], ["turn_on"], None, device_class="restart"),
    *each(
        [one for one in WORKED if one not in ("valve",)],
        ["turn_on", "press", "set_value"],
        IRREVERSIBLE,
        "Factory reset",
    ),
    *each(["valve"], ["close_valve", "stop_valve"], IRREVERSIBLE, "Factory reset"),
    *each(["switch", "light", "fan", "remote"], ["turn_off"], None, "Factory reset"),
    *each(["todo", "calendar", "media_player"], ["add_item"], None, "Factory reset"),
    *each(["todo"], ["remove_completed_items"], IRREVERSIBLE),
    *each(["todo"], ["remove_item", "add_item"], None),
]
OUT = [
    *each(["notify"], ["send_message", "mobile_app_phone"], LETS_OUT),
    *each(
        ["media_player", "assist_satellite", "remote", "siren", "camera"],
        ["play_media", "announce"],
        LETS_OUT,
        data=FOREIGN,
    ),
    *each(
        ["media_player", "assist_satellite", "remote", "siren", "camera"], ["play_media", "announce"], None, data=OWN
    ),
    *each(["light", "todo"], ["turn_on", "add_item"], None, data=FOREIGN),
]
TABLE = [*WAY_IN, *PROTECTION, *DANGER, *NO_WAY_BACK, *OUT]


CALLS = [(case.call, case.home, case.expected) for case in TABLE]


def told(case: Case) -> set[Effect]:
    return set(effects_of(case.call, case.home))


@pytest.mark.parametrize("case", TABLE, ids=lambda case: f"{case.domain}.{case.service} {case.name}")
def test_a_call_brings_about_what_a_person_expects(case):
    assert told(case) == case.expected


def without_one_thing() -> Iterator[tuple[str, int, EffectRule | None]]:
    """Each rule gone (None), and each with one of its words less."""
    for place, rule in enumerate(rules()):
        yield "the rule", place, None
        for name in ("domains", "services", "not_services", "device_class"):
            words = getattr(rule, name)
            for word in sorted(words):
                twice = (rule.named, word) == (effects.Naming.PROTECTION, "automation")  # each automation protects
                if not twice and (name != "domains" or len(words) > 1):  # services of one kind have names of their own
                    yield f"{name}: {word}", place, replace(rule, **{name: words - {word}})
            if len(words) > 1 and name != "domains":
                yield f"all {name}", place, replace(rule, **{name: frozenset()})
        for name in ("named", "data", "unless"):
            if getattr(rule, name):
                yield name, place, replace(rule, **{name: None})


CHANGES = list(without_one_thing())


@pytest.mark.parametrize(
    ("place", "changed"),
    [(place, changed) for _, place, changed in CHANGES],
    ids=[f"{what} of {place} ({rules()[place].effect})" for what, place, _ in CHANGES],
)
def test_nothing_can_be_taken_out_of_the_rules_unnoticed(monkeypatch, place, changed):
    before = rules()
    after = (*before[:place], *([changed] if changed else []), *before[place + 1 :])
    monkeypatch.setattr(effects, "rules", lambda: after)
    rule = before[place]  # told at once by one that it was for
    likelier = sorted(CALLS, key=lambda one: (rule.effect not in one[2], one[0].domain not in rule.domains))
    assert any(set(effects_of(call, home)) != expected for call, home, expected in likelier)
