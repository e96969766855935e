"""Whatever parameters come, a plan holds only what was understood, or there is a clear refusal."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from homeagent.domains import ACTIONS, DOMAINS, canonical_action
from homeagent.errors import HomeAgentError
from homeagent.ha.home import State
from homeagent.tools.plan import Asked, make_plan, supported_actions
from indexer.entity import Entity

EVERYTHING = {
    "supported_features": 0xFFFFFFF,
    "supported_color_modes": ["color_temp", "hs"],
    "min_color_temp_kelvin": 2000,
    "max_color_temp_kelvin": 6500,
    "brightness": 100,
    "hvac_modes": ["off", "heat"],
    "temperature": 20,
    "min_temp": 5,
    "max_temp": 30,
    "percentage": 10,
    "options": ["a", "b"],
    "min": 0,
    "max": 100,
    "step": 1,
    "current_position": 50,
    "volume_level": 0.5,
    "effect_list": ["x"],
    "source_list": ["tv"],
    "preset_modes": ["eco"],
    "fan_modes": ["low"],
}
NAMES = sorted({p.name for d in DOMAINS.values() for s in (*d.actions.values(), *d.setters) for p in s.params})
VALUE = (
    st.none()
    | st.booleans()
    | st.integers(-300, 70_000)
    | st.floats(allow_nan=True)
    | st.text(max_size=8)
    | st.sampled_from(["eco", "heat", "tv", "red", "2700K", "50%", "#ff0000", "1h", "2026-01-01", "08:00"])
    | st.lists(st.integers(-5, 300), max_size=4)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
)
TARGETS = {"entity_id", "area_id", "device_id", "floor_id", "label_id", "target"}


def made(domain: str, action: str, parameters: dict, state: str = "on"):
    now = datetime.now(UTC)
    entity = Entity(f"{domain}.x", "X")
    asked = Asked(action, parameters, ("en",), ZoneInfo("Europe/Berlin"))
    return make_plan(entity, State(entity.entity_id, state, EVERYTHING, now, now), asked)


@given(
    st.sampled_from(sorted(DOMAINS)),
    st.sampled_from(ACTIONS),
    st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=6), VALUE, max_size=3),
    st.sampled_from(["on", "off", "50", "heat"]),
)
def test_any_parameters_are_a_plan_of_the_domains_own_services_or_a_refusal(domain, action, parameters, state):
    try:
        plan = made(domain, action, parameters, state)
    except HomeAgentError:
        return
    own = {s.name for s in (*DOMAINS[domain].actions.values(), *DOMAINS[domain].setters)}
    assert plan.steps
    for step in plan.steps:
        assert step.domain == domain
        assert step.service in own
        assert not step.data.keys() & TARGETS


def test_every_action_of_every_domain_is_offered_to_an_entity_that_can_do_all():
    now = datetime.now(UTC)
    for domain, abilities in DOMAINS.items():
        state = State(f"{domain}.x", "on", EVERYTHING, now, now)
        offered = supported_actions(Entity(f"{domain}.x", "X"), state)
        assert set(abilities.actions) <= set(offered), domain


def test_home_assistants_own_service_names_are_understood():
    assert canonical_action("cover", "open_cover") == "open"
    assert canonical_action("climate", "set_temperature") == "set_value"
    assert canonical_action("media_player", "media_pause") == "pause"
    assert canonical_action("lock", "turn_off") is None
    assert canonical_action("sensor", "turn_on") is None
