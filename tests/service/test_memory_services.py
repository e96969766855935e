"""The services about memories: private ones are their user's alone, and export comes back as it was."""

from __future__ import annotations

from typing import Any

import pytest

from memory.model import Memory
from tests.service.conftest import Services


async def test_a_memory_can_be_shown_edited_exported_and_explained(call: Services) -> None:
    first = await call("add_memory", content="Anna likes 19 degrees at night")
    second = await call("add_memory", content="Anna likes 20 degrees at night")
    mine = await call("add_memory", content="I like tea", user_id="anna")
    shown = await call("get_memory", memory_id=second["memory_id"])
    assert [old["id"] for old in shown["history"]] == [first["memory_id"]]
    assert [line["what"] for line in shown["log"]] == ["stored"]
    exported = (await call("export_memories", user_id="anna"))["memories"]
    assert len(exported) == 3
    assert await call("import_memories", memories=exported) == {"imported": 0, "changed": 0, "known": 3, "refused": []}
    edited = await call("edit_memory", memory_id=mine["memory_id"], content="I like green tea", user_id="anna")
    assert edited["memory"]["content"] == "I like green tea"
    assert len((await call("export_memories", user_id="ben"))["memories"]) == 2
    assert (await call("clear_memories", confirm=True, user_id="anna")) == {"deleted": 1}
    assert len((await call("list_memories"))["memories"]) == 1


def _household(size: int) -> list[dict[str, Any]]:
    """Exported memories, each replaced by the next but the last."""
    times = dict.fromkeys(("created_at", "updated_at", "valid_from", "valid_to"), "2026-01-01T00:00:00+00:00")
    said = [
        {**times, "memory_id": f"m{n}", "content": f"The well was {n} cm deep", "superseded_by": f"m{n + 1}"}
        for n in range(size)
    ]
    said[-1] |= {"valid_to": "", "superseded_by": None}
    return [Memory.from_dict(one).as_dict() for one in said]


@pytest.mark.slow
async def test_a_whole_household_is_taken_over_at_once(call: Services) -> None:
    household = _household(1_000)
    assert await call("import_memories", memories=household) == {
        "imported": 1_000,
        "changed": 0,
        "known": 0,
        "refused": [],
    }
    exported = (await call("export_memories", everybody=True))["memories"]
    assert sorted(exported, key=lambda one: str(one["memory_id"])) == sorted(
        household, key=lambda one: str(one["memory_id"])
    )
    await call("clear_memories", confirm=True)
    assert await call("import_memories", memories=exported) == {
        "imported": 1_000,
        "changed": 0,
        "known": 0,
        "refused": [],
    }


async def test_what_is_refused_of_an_import_does_not_stop_the_rest(call: Services) -> None:
    good, code, other = _household(3)
    code["content"] = "The PIN of the alarm is 4711"
    answer = await call("import_memories", memories=[good, code, {"content": "no times"}, other])
    assert (answer["imported"], answer["known"]) == (2, 0)
    assert [one["number"] for one in answer["refused"]] == [2, 3]
    assert "never kept" in answer["refused"][0]["why"]
    assert "4711" not in str(answer) + str(await call("export_memories", everybody=True))


@pytest.mark.dear
async def test_more_than_any_household_has_is_refused_with_the_limit(call: Services) -> None:
    status, error = await call.error("import_memories", memories=[{"content": "x" * 70_000_000}])
    assert (status, error["code"]) == (413, "too_large")
    assert "65536 KB" in error["detail"]


async def test_a_private_memory_cannot_be_forgotten_by_others(call: Services) -> None:
    mine = await call("add_memory", content="I like tea", user_id="anna")
    for other in ({}, {"user_id": "ben"}):
        assert (await call.error("delete_memory", memory_id=mine["memory_id"], **other))[0] == 404
    assert await call("delete_memory", memory_id=mine["memory_id"], user_id="anna") == {"deleted": mine["memory_id"]}


async def _told(call: Services, user: str, text: str) -> str:
    return str((await call("process", text=text, user_id=user, language="en"))["response"])


async def _asked(call: Services, user: str | None, text: str) -> list[str]:
    found = await call("search_memories", query=text, user_id=user)
    return [memory["content"] for memory in found["memories"]]


async def test_three_things_on_monday_one_corrected_on_tuesday_asked_on_wednesday_by_another(call: Services) -> None:
    boiler, bedroom, present = (
        "The boiler should be at 55 degrees",
        "I like the bedroom at 19 degrees at night",
        "The present for Ben is in the tool shed",
    )
    for asking, content in (("that", boiler), ("that", bedroom), ("just for me that", present)):
        told = f"Remember {asking} {content[0].lower() if content[0] == 'T' else content[0]}{content[1:]}."
        assert content in await _told(call, "anna", told)

    corrected = "The boiler should be at 60 degrees"
    answer = await _told(call, "ben", "Remember that the boiler should be at 60 degrees.")
    assert corrected in answer
    assert boiler in answer, "it says what it was until now"

    for user in ("ben", "anna", None):  # the household's: whoever asks, in whichever language
        assert await _asked(call, user, "Wie heiß soll der Boiler sein?") == [corrected]
    assert await _asked(call, "anna", "Where is the present?") == [present]
    assert await _asked(call, "anna", "How warm do I like the bedroom at night?") == [bedroom]
    for text in ("Where is the present?", "Wo ist das Geschenk für Ben?"):
        assert await _asked(call, "ben", text) == []
    assert await _asked(call, "ben", "How warm do I like the bedroom at night?") == []

    seen = {user: (await call("list_memories", user_id=user))["memories"] for user in ("anna", "ben")}
    assert {one["content"] for one in seen["anna"]} == {corrected, bedroom, present}
    assert [one["content"] for one in seen["ben"]] == [corrected]

    why = await call("get_memory", memory_id=seen["ben"][0]["id"], user_id="ben")
    assert why["memory"]["source"]["user_id"] == "ben"
    assert why["memory"]["inferred"] is False
    assert [old["content"] for old in why["history"]] == [boiler]
    assert why["history"][0]["source"]["user_id"] == "anna"
    assert [line["what"] for line in why["log"]] == ["stored"]
    [hidden] = [one["id"] for one in seen["anna"] if one["content"] == present]
    assert (await call.error("get_memory", memory_id=hidden, user_id="ben"))[0] == 404
    assert (await call("get_memory", memory_id=hidden, user_id="anna"))["memory"]["user_id"] == "anna"


async def test_what_is_the_households_is_seen_under_every_name_of_a_person(call: Services) -> None:
    """A voice and a dashboard may give one person two user ids: what is the household's is seen under both, once."""
    for user in ("voice-anna", "dashboard-anna"):
        await _told(call, user, "Remember that the spare key hangs in the pantry.")
    for user in ("voice-anna", "dashboard-anna", None):
        assert await _asked(call, user, "Where is the spare key?") == ["The spare key hangs in the pantry"]


async def test_the_language_of_a_search_tells_which_words_matter(call: Services) -> None:
    """ "Hat" is a thing in English, and says nothing in German."""
    await call("add_memory", content="The straw hat is in the wardrobe", language="en")
    found = {
        code: (await call("search_memories", query="hat Anna", language=code))["memories"] for code in ("en", "de")
    }
    assert [memory["content"] for memory in found["en"]] == ["The straw hat is in the wardrobe"]
    assert found["de"] == []
    [kept] = (await call("list_memories"))["memories"]
    assert kept["language"] == "en"


async def test_a_search_may_be_for_what_was_told_in_a_time_or_about_a_thing(call: Services) -> None:
    said = [
        {**one, "created_at": at, "updated_at": at, "valid_to": None, "superseded_by": None}
        for one, at in zip(_household(2), ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"), strict=True)
    ]
    said[0]["subjects"] = [{"kind": "area", "id": "garden", "text": "the garden"}]
    await call("import_memories", memories=said)

    async def found(**fields: object) -> list[str]:
        answer = await call("search_memories", query="how deep was the well", **fields)
        assert all(one["score"] > 0 for one in answer["memories"])
        return sorted(one["id"] for one in answer["memories"])

    assert await found() == ["m0", "m1"]
    assert await found(since="2026-01-15T00:00:00Z") == ["m1"]
    assert await found(until="2026-01-15T00:00:00Z") == ["m0"]
    assert await found(about=["garden"]) == ["m0"]
    assert await found(about=["cellar"]) == []


async def test_a_memory_tells_its_life(call: Services) -> None:
    first = await call(
        "process", text="Remember that the boiler should be at 55 degrees", user_id="anna", language="en"
    )
    [old] = (await call("list_memories", user_id="anna"))["memories"]
    await call("process", text="Remember that the boiler should be at 60 degrees", user_id="ben", language="en")
    asked = await call("process", text="What did I say about the boiler?", user_id="anna", language="en")
    [new] = (await call("list_memories", user_id="ben"))["memories"]
    life = await call("get_memory", memory_id=new["id"], user_id="ben")
    assert life["told"]["user_id"] == "ben"
    assert life["told"]["said"] == "Remember that the boiler should be at 60 degrees"
    assert [one["content"] for one in life["history"]] == [old["content"]]
    assert [use["turn_id"] for use in life["uses"]] == [asked["turn_id"]]
    replaced = await call("get_memory", memory_id=old["id"], user_id="anna")
    assert replaced["replaced_by"]["content"] == new["content"]
    assert (replaced["told"]["turn_id"], replaced["told"]["said"]) == (
        first["turn_id"],
        "Remember that the boiler should be at 55 degrees",
    )


async def test_what_somebody_said_is_shown_to_nobody_else(call: Services) -> None:
    await call("process", text="Remember that the boiler should be at 55 degrees", user_id="anna", language="en")
    await call("process", text="What did I say about the boiler?", user_id="anna", language="en")
    [kept] = (await call("list_memories", user_id="ben"))["memories"]
    life = await call("get_memory", memory_id=kept["id"], user_id="ben")
    assert life["told"]["said"] is None
    assert [use["said"] for use in life["uses"]] == [None]
    assert (await call("get_memory", memory_id=kept["id"], user_id="anna"))["uses"][0]["said"] is not None


async def test_memories_go_out_and_come_in_as_markdown(call: Services) -> None:
    odd = "The *bins* go out on <b>Monday</b> --> [not] `Tuesday` > _week_\\n"
    await call("add_memory", content=odd)
    await call("add_memory", content="Anna likes 19 degrees at night")
    await call("add_memory", content="Anna likes 20 degrees at night")
    await call("add_memory", content="I like tea", user_id="anna")
    before = (await call("export_memories", everybody=True))["memories"]
    text = (await call("export_memories", everybody=True, format="markdown"))["markdown"]
    assert "## Household" in text
    assert "## Only for anna" in text
    assert "## No longer so" in text
    nothing = {"imported": 0, "changed": 0, "known": 4, "refused": []}
    assert await call("import_memories", markdown=text) == nothing
    await call("clear_memories", confirm=True)
    assert (await call("import_memories", markdown=text))["imported"] == 4
    by_id = {one["memory_id"]: one for one in (await call("export_memories", everybody=True))["memories"]}
    assert by_id == {one["memory_id"]: one for one in before}


async def test_what_people_write_into_the_markdown_is_taken_over(call: Services) -> None:
    await call("add_memory", content="Anna likes 20 degrees at night")
    text = str((await call("export_memories", format="markdown"))["markdown"])
    text = text.replace("20 degrees", "21 degrees")
    text += """
* The bins go out on Monday
- The PIN of the alarm is 4711
some words

## Only for ben

- The present is in the shed
- broken <!-- {"memory_id": -->
- no times <!-- {"memory_id": "x"} -->
"""
    answer = await call("import_memories", markdown=text)
    lines = text.splitlines()
    assert (answer["imported"], answer["changed"], answer["known"]) == (2, 1, 0)
    assert [lines[one["number"] - 1].split()[1] for one in answer["refused"]] == ["The", "words", "broken", "no"]
    contents = {one["content"] for one in (await call("list_memories"))["memories"]}
    assert contents == {"Anna likes 21 degrees at night", "The bins go out on Monday"}
    bens = {one["content"] for one in (await call("list_memories", user_id="ben"))["memories"]}
    assert bens - contents == {"The present is in the shed"}
