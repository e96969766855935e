"""The services about sentences that went wrong."""

from __future__ import annotations

from homeagent.demo.server import DemoServer
from tests.service.conftest import Services

LIGHT = "light.reading_lamp"


async def test_the_last_sentence_is_taken_back_listed_told_what_is_right_and_deleted(
    call: Services, demo: DemoServer
) -> None:
    await call("process", text="turn on the reading lamp")
    answer = await call("mark_wrong")
    assert demo.state(LIGHT)["state"] == "off"
    assert "I have kept" in answer["response"]
    (test,) = (await call("list_own_tests"))["tests"]
    assert (test["text"], test.get("home")) == ("turn on the reading lamp", None)
    assert (await call("get_own_test", id=test["id"]))["home"]["entities"]
    right = await call("say_right", id=test["id"], states={LIGHT: "on"}, says="on")
    assert right["right"] == {"states": {LIGHT: "on"}, "says": "on"}
    await call("delete_own_test", id=test["id"])
    assert (await call("list_own_tests"))["tests"] == []
