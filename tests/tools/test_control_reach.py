"""What leaves `ha_control` for the home: which things are called, how, and with which code. Nothing is really sent."""

from __future__ import annotations

import contextlib
from typing import Any, cast

import pytest

from homeagent.confirmations import Confirmations
from homeagent.errors import ActionDenied, CodeRequired, InvalidParameters, UnsupportedAction
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.home import State
from homeagent.policy.policy import Policy
from homeagent.tools import ha_control
from homeagent.tools.carry_out import Done, Outcome
from homeagent.tools.ha_control import HaControl, HaControlParams
from homeagent.turn import SaidCode, Turn
from indexer.entity import Area, Entity
from tests.policy.house import NOW
from tests.targets.test_exposed import Asked

HALL = Area("hall", "Hall")
THINGS = {
    "light.hall": "on", "switch.kettle": "on", "media_player.radio": "playing", "lock.door": "locked",
    "cover.blind": "closed", "automation.night": "on", "sensor.air": "7", "lock.vault": "locked",
    "light.gone": "unavailable",
}  # fmt: skip
Sent = list[tuple[str, str, str, dict[str, Any]]]


def house() -> Asked:
    classes = {"cover.blind": "blind"}
    house = Asked(*(Entity(i, i[i.find(".") + 1 :].title(), area=HALL, device_class=classes.get(i)) for i in THINGS))
    attributes = {"lock.vault": {"code_format": "number"}, "light.hall": {"supported_color_modes": ["brightness"]}}
    house.home.put_states(
        State(i, state, {"supported_features": 0xFFFFF, **attributes.get(i, {})}, NOW, NOW)
        for i, state in THINGS.items()
    )
    return house


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    found: Sent = []

    async def carry_out(_: Any, jobs: Any, **more: Any) -> list[Any]:
        for job in jobs:
            found.extend((job.entity.entity_id, s.domain, s.service, dict(s.data)) for s in job.plan.steps)
        return [Done(job.entity, Outcome.DONE, job.before, job.before, True) for job in jobs]

    monkeypatch.setattr(ha_control, "carry_out", carry_out)
    return found


class Waits:
    """Stands for the confirmations: keeps what would wait for a yes."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    async def create(self, turn: Turn, tool: str, call: Any, ids: list[str], *more: Any, **facts: Any) -> Any:
        self.asked.append(ids)
        raise InterruptedError


async def run(codes: tuple[str, ...] = (), **parameters: Any) -> list[list[str]]:
    waits = Waits()
    turn = Turn(text="", conversation_id="c", said_codes=tuple(SaidCode(code, code) for code in codes))
    control = HaControl(cast(HomeAssistant, house()), Policy(), cast(Confirmations, waits))
    with contextlib.suppress(InterruptedError):
        await control.run(HaControlParams(**parameters), turn)
    return waits.asked


@pytest.mark.parametrize("action", ["turn_on", "turn_off", "toggle"])
async def test_everything_in_a_room_is_what_people_switch(sent: Sent, action: str) -> None:
    assert await run(action=action, area="hall") == []
    assert {entity_id for entity_id, *_ in sent} == {"light.hall", "switch.kettle", "media_player.radio"}


async def test_what_names_its_kind_reaches_that_kind_in_a_room(sent: Sent) -> None:
    await run(action="open", area="hall")
    assert {entity_id for entity_id, *_ in sent} == {"cover.blind"}
    sent.clear()
    await run(action="turn_off", domain=["light", "automation"])
    assert {entity_id for entity_id, *_ in sent} == {"light.hall"}


async def test_a_service_is_for_its_own_domain_alone(sent: Sent) -> None:
    await run(action="light.turn_off", entity_id="light.hall")
    await run(action=" Light.Turn-Off ", entity_id="light.hall")
    await run(action="turn off", entity_id="light.hall")
    assert sent == [("light.hall", "light", "turn_off", {})] * 3
    for entity_id in ("switch.kettle", ["light.hall", "switch.kettle"]):
        with pytest.raises(UnsupportedAction, match=r"light\.turn_off is not for switch\.kettle"):
            await run(action="light.turn_off", entity_id=entity_id)
    with pytest.raises(ActionDenied):
        await run(action="HomeAssistant.Restart", entity_id="light.hall")
    with pytest.raises(UnsupportedAction, match="There is no action 'explode'"):
        await run(action="explode", entity_id="light.hall")
    with pytest.raises(UnsupportedAction, match="cannot turn_on"):
        await run(action="turn_on", entity_id="sensor.air")
    assert len(sent) == 3


@pytest.mark.parametrize(
    "parameters",
    [
        {"entity_id": "lock.door"},
        {" Area_ID ": "hall"},
        {"variables": {"target": {"x": 1}}},
        {"list": [{"deep": [{"group_members": ["lock.door"]}]}]},
    ],
)
async def test_no_parameter_names_another_target(sent: Sent, parameters: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameters, match="may not hold"):
        await run(action="turn_off", entity_id="light.hall", parameters=parameters)
    assert sent == []


async def test_what_cannot_be_reached_is_left_and_the_rest_is_done(sent: Sent) -> None:
    await run(action="turn_off", entity_id=["light.gone", "light.hall"])
    assert [entity_id for entity_id, *_ in sent] == ["light.hall"]


async def test_a_lock_waits_for_a_yes_and_what_is_harmless_beside_it_does_not(sent: Sent) -> None:
    assert await run(action="unlock", entity_id="lock.door") == [["lock.door"]]
    assert await run(action="open", entity_id=["lock.door", "cover.blind"]) == [["lock.door"]]
    assert [entity_id for entity_id, *_ in sent] == ["cover.blind"]


async def test_a_code_is_the_one_that_was_said_and_no_other(sent: Sent) -> None:
    lock = {"action": "lock", "entity_id": "lock.vault"}
    for codes in ((), ("1234", "5678")):
        with pytest.raises(CodeRequired):
            await run(codes, **lock)
    await run(("1234",), **lock)
    await run(("1234", "1234"), **lock)
    await run(("1234",), parameters={"code": "9"}, **lock)
    assert [data for *_, data in sent] == [{"code": "1234"}, {"code": "1234"}, {"code": "9"}]
    sent.clear()
    await run(("1234",), action="turn_off", entity_id="light.hall")
    assert sent == [("light.hall", "light", "turn_off", {})]
