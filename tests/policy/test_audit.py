"""The audit log, and verdicts explained: through the tool as a turn uses it."""

from __future__ import annotations

import pytest

from homeagent.confirmations import Confirmations
from homeagent.policy.audit import AuditLog
from homeagent.policy.policy import Policy
from homeagent.policy.verdicts import Decision
from homeagent.tools.ha_control import HaControl
from homeagent.turn import SaidCode, Turn


@pytest.fixture
def tool(home_assistant, engine):
    def make(**policy):
        confirmations = Confirmations(engine, 90.0)
        return HaControl(home_assistant, Policy(**policy), confirmations, settle=1.0, audit=AuditLog(engine))

    return make


async def run(tool, turn, **fields):
    return await tool.run(tool.Params.model_validate(fields), turn)


async def test_it_tells_who_did_what_with_the_states_before_and_after(tool, engine):
    turn = Turn(text="hall light off", user_id="anna", device_id="satellite")
    await run(tool(), turn, action="turn_off", entity_id="light.hall")
    (entry,) = await AuditLog(engine).entries(10)
    assert (entry["user_id"], entry["device_id"], entry["text"]) == ("anna", "satellite", "hall light off")
    assert (entry["action"], entry["approved"], entry["confirmation_id"]) == ("turn_off", False, None)
    (target,) = entry["targets"]
    assert (target["entity_id"], target["decision"], target["outcome"]) == ("light.hall", "allow", "done")
    assert (target["before"], target["after"]) == ("on", "off")


async def test_it_tells_what_was_asked_about_and_what_a_yes_did(tool, engine):
    control = tool()
    first = Turn(text="unlock the front door")
    asked = await run(control, first, action="unlock", entity_id="lock.front_door")
    (verdict,) = first.verdicts
    yes = Turn(text="yes", confirmed=True, approved=frozenset({(await waiting(engine, first)).digest}))
    await run(control, yes, action="unlock", entity_id="lock.front_door")
    done, question = await AuditLog(engine).entries(10)
    assert question["confirmation_id"] == asked.result["confirmation"]["id"]
    assert question["targets"][0]["effects"][0]["effect"] == "opens"
    assert (done["approved"], done["targets"][0]["after"]) == (True, "unlocked")
    assert verdict.decision is Decision.CONFIRM


async def waiting(engine, turn):
    (pending,) = await Confirmations(engine, 90.0).open(turn.conversation_id)
    return pending


async def test_a_yes_to_another_deed_is_asked_about_anew(tool, engine, demo):
    control = tool()
    first = Turn(text="")
    await run(control, first, action="unlock", entity_id="lock.front_door")
    digest = (await waiting(engine, first)).digest
    yes = Turn(text="yes", confirmed=True, approved=frozenset({digest}))
    again = await run(control, yes, action="open", entity_id="cover.garage_door")
    assert again.error.code == "confirmation_required"
    assert demo.calls == []


async def test_codes_are_in_no_entry(tool, engine):
    turn = Turn(text="unlock the back door with 1234", said_codes=(SaidCode("1234", "1234"),))
    await run(tool(), turn, action="unlock", entity_id="lock.back_door", parameters={"code": "1234"})
    assert "1234" not in str(await AuditLog(engine).entries(10))


async def test_entries_on_one_thing_only(tool, engine):
    control = tool()
    await run(control, Turn(text=""), action="turn_off", entity_id="light.hall")
    await run(control, Turn(text=""), action="turn_on", entity_id="light.bedroom")
    entries = await AuditLog(engine).entries(10, "light.hall")
    assert [e["targets"][0]["entity_id"] for e in entries] == ["light.hall"]
    assert len(await AuditLog(engine).entries(1)) == 1


async def test_a_dry_run_does_nothing_and_tells_what_would_be(tool, engine, demo):
    turn = Turn(text="", dry_run=True)
    result = await run(tool(), turn, action="unlock", entity_id="lock.front_door")
    assert result["verdicts"][0]["decision"] == "confirm"
    assert demo.calls == []
    assert await AuditLog(engine).entries(10) == []
    assert await Confirmations(engine, 90.0).open(turn.conversation_id) == []


async def test_read_only_changes_nothing(tool, demo):
    from homeagent.errors import ActionDenied

    with pytest.raises(ActionDenied, match="only look"):
        await run(tool(read_only=True), Turn(text=""), action="turn_off", entity_id="light.hall")
    assert demo.calls == []
