"""What waits for a yes, and what the yes does."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from homeagent.confirmations import Confirmations
from homeagent.errors import NotFound, Refused


@pytest.mark.parametrize(
    ("action", "entity_id", "parameters"),
    [
        ("unlock", "lock.front_door", {}),
        ("open", "lock.front_door", {}),
        ("unlock", "lock.back_door", {"code": "1234"}),
        ("open", "cover.garage_door", {}),
        ("toggle", "cover.garage_door", {}),
        ("open", "cover.driveway_gate", {}),
        ("turn_on", "cover.driveway_gate", {}),
        ("disarm", "alarm_control_panel.home", {"code": "4321"}),
        ("trigger", "alarm_control_panel.home", {}),
        ("turn_on", "scene.come_home", {}),
        ("turn_on", "script.courier", {}),
        ("turn_off", "automation.lights_on_at_sunset", {}),
        ("turn_off", "camera.front_door", {}),
        ("send_message", "notify.phone", {"message": "hi"}),
        ("turn_on", "script.announce", {"variables": {"message": "hi"}}),
        ("install", "update.dishwasher", {}),
        ("press", "button.restart_router", {}),
    ],
)
async def test_it_waits_for_a_yes(control, called, confirmations, action, entity_id, parameters):
    result = await control(action=action, entity_id=entity_id, parameters=parameters)
    assert (result.success, result.error_type) == (False, "confirmation_required")
    assert called() == []
    (pending,) = await confirmations.open("talk")
    assert result.result["confirmation"]["id"] == pending.id
    assert pending.targets == (entity_id,)
    assert pending.description


async def test_a_yes_does_it_once(control, approve, confirmations, demo, called):
    asked = await control(action="unlock", entity_id="lock.front_door")
    done = await approve(asked.result["confirmation"]["id"])
    assert done.success, done.error
    assert called() == [("lock.front_door", "unlock")]
    assert demo.state("lock.front_door")["state"] == "unlocked"
    with pytest.raises(NotFound, match="already"):
        await confirmations.take(asked.result["confirmation"]["id"], "anna")


async def test_a_no_does_nothing_and_uses_it_up(control, confirmations, called):
    asked = await control(action="unlock", entity_id="lock.front_door")
    await confirmations.reject(asked.result["confirmation"]["id"], "anna")
    with pytest.raises(NotFound):
        await confirmations.take(asked.result["confirmation"]["id"], "anna")
    assert called() == []
    assert await confirmations.open("talk") == []


async def test_another_person_cannot_say_yes(control, confirmations):
    asked = await control(action="unlock", entity_id="lock.front_door")
    with pytest.raises(Refused):
        await confirmations.take(asked.result["confirmation"]["id"], "mallory")
    assert len(await confirmations.open("talk")) == 1


async def test_it_expires(control, engine, confirmations):
    asked = await control(action="unlock", entity_id="lock.front_door")
    with engine.begin() as connection:
        past = (datetime.now(UTC) - timedelta(seconds=1)).strftime("%Y-%m-%d %H:%M:%S.%f")
        connection.execute(text("update confirmations set expires_at = :past"), {"past": past})
    assert await confirmations.open("talk") == []
    with pytest.raises(NotFound, match="expired"):
        await confirmations.take(asked.result["confirmation"]["id"], "anna")


async def test_it_survives_a_restart(control, approve, engine, called):
    asked = await control(action="unlock", entity_id="lock.front_door")
    done = await approve(asked.result["confirmation"]["id"], after=Confirmations(engine, 90.0))
    assert done.success, done.error
    assert called() == [("lock.front_door", "unlock")]


async def test_a_code_is_asked_for_then_a_yes_and_it_is_kept_nowhere(
    control, approve, engine, confirmations, demo, called
):
    wanting = await control(action="unlock", entity_id="lock.back_door")
    assert wanting.error_type == "code_required"
    asked = await control(action="unlock", entity_id="lock.back_door", parameters={"code": "1234"})
    with engine.connect() as connection:
        rows = connection.execute(text("select * from confirmations")).fetchall()
    assert rows
    assert "1234" not in str(rows)
    assert "1234" not in str(asked.as_dict())
    done = await approve(asked.result["confirmation"]["id"])
    assert done.success, done.error
    assert called() == [("lock.back_door", "unlock")]


async def test_after_a_restart_the_code_is_asked_for_again(control, approve, engine, called):
    asked = await control(action="unlock", entity_id="lock.back_door", parameters={"code": "1234"})
    done = await approve(asked.result["confirmation"]["id"], after=Confirmations(engine, 90.0))
    assert done.error_type == "code_required"
    assert called() == []


async def test_what_is_allowed_runs_and_the_rest_waits(control, confirmations, called):
    result = await control(action="open", domain="cover")
    assert result.error_type == "confirmation_required"
    assert {e for e, _ in called()} == {"cover.living_room_blinds", "cover.bedroom_curtain"}
    (pending,) = await confirmations.open("talk")
    assert set(pending.targets) == {"cover.garage_door", "cover.driveway_gate"}


async def test_asking_twice_leaves_one_to_answer(control, confirmations):
    await control(action="unlock", entity_id="lock.front_door")
    await control(action="unlock", entity_id="lock.front_door")
    assert len(await confirmations.open("talk")) == 1


async def test_a_confirmed_call_is_checked_again(control, approve, demo, home_assistant, called):
    asked = await control(action="unlock", entity_id="lock.front_door")
    demo.set_exposed("lock.front_door", False)
    await home_assistant.reload()
    done = await approve(asked.result["confirmation"]["id"])
    assert done.error_type == "not_exposed"
    assert called() == []


async def test_an_unknown_confirmation_is_said_to_be_unknown(confirmations):
    with pytest.raises(NotFound):
        await confirmations.take("nonsense", None)
