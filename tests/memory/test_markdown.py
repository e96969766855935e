"""A file of memories as Markdown: what is read of a line, whatever stands in it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.markdown import Item, from_markdown, to_markdown
from memory.model import Memory, MemoryType, Source, Subject

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def memory(content: str, **fields: object) -> Memory:
    return Memory(
        "m",
        content,
        MemoryType.FACT,
        0.5,
        created_at=NOW,
        updated_at=NOW,
        valid_from=NOW,
        **({"user_id": None} | fields),
    )  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "one",
    [
        memory("The boiler should be at 60 degrees"),
        memory("It says <!-- no --> and [x](y) and *z* and \\_w_ `v` \\"),
        memory("- a dash", value="a --> b <!-- c", key="odd", category="fact"),
        memory("# no heading", user_id="an*n_a", subjects=(Subject("thing", "x>y", "<b>"),)),
        memory("보일러는 60도", source=Source("tool", "c", "t", "anna"), valid_to=NOW),
    ],
)
def test_what_goes_out_comes_in_as_it_was(one: Memory) -> None:
    text = to_markdown([one], NOW)
    [item] = from_markdown(text)
    assert item.fields is not None
    assert Memory.from_dict({**item.fields, "content": item.content}) == one
    assert len([line for line in text.splitlines() if line]) == 3


def test_what_people_write_is_a_new_memory_of_the_section() -> None:
    text = "# Memories\n\n- one\n  * two\n\n## Only for an\\*na\n+ three\n\n## Household #\n<!-- a note -->\n"
    text += "- four\nfive"
    assert list(from_markdown(text)) == [
        Item(3, "one"),
        Item(4, "two"),
        Item(7, "three", "an*na"),
        Item(11, "four"),
        Item(12, "five", wrong="it is no list item: memories begin with a dash."),
    ]
