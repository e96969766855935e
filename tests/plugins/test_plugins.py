"""Tools that others write: registered, checked, offered and judged as ours; a broken one stops nothing."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from homeagent.confirmations import Confirmations
from homeagent.events import Emitter
from homeagent.plugins import Registry, Tool, ToolError, ToolParameter, ToolResult, registry
from homeagent.plugins.loading import load_plugins
from homeagent.tools.toolbox import Toolbox
from homeagent.turn import ToolCall, Turn
from homeagent.turn import ToolResult as OurResult
from tests.databases import database

DOCS = Path(__file__).parents[2] / "docs" / "tools.md"


class Bus(Tool):
    id = "next_bus"
    description = "When the next bus goes."
    category = "data"
    parameters: ClassVar = [
        ToolParameter("line", "string", "Its number", enum=["7", "12"]),
        ToolParameter("walk", "integer", required=False, default=5),
        ToolParameter("via", "list", required=False),
    ]
    only_looks = True

    async def execute(self, **given: Any) -> ToolResult:
        return ToolResult(output=given, title="Bus", metadata={"stop": "Market"})


class Mail(Bus):
    id = "send_mail"
    description = "Send a mail."
    category = "utility"
    only_looks = False


class Fails(Bus):
    id = "fails"

    async def execute(self, **given: Any) -> ToolResult:
        if given["line"] == "7":
            raise ToolError("No bus today.", tool_id=self.id, details={"line": "7"})
        raise ZeroDivisionError("secret")


@pytest.fixture
def tools() -> Registry:
    made = Registry()
    for tool in (Bus, Mail, Fails):
        made.register(tool)
    return made


@pytest.fixture(autouse=True)
def cleared() -> Iterator[None]:
    yield
    registry.clear()


async def test_a_tool_is_run_with_what_fits(tools: Registry) -> None:
    result = await tools.execute_tool("next_bus", {"line": "7"})
    assert result.to_dict() == {
        "output": {"line": "7", "walk": 5},
        "success": True,
        "title": "Bus",
        "metadata": {"stop": "Market"},
        "error": None,
    }
    json.dumps(result.to_dict())


@pytest.mark.parametrize(
    ("tool", "given", "right"),
    [
        ("next_buss", {}, "Did you mean next_bus?"),
        ("zzz", {}, "There are: next_bus, send_mail, fails."),
        ("next_bus", {}, "line is missing"),
        ("next_bus", {"line": "9"}, "'7' or '12'"),
        ("next_bus", {"line": "7", "walk": "far"}, "integer"),
        ("next_bus", {"line": "7", "via": "x"}, "list"),
        ("next_bus", {"line": "7", "wolk": 1}, "did you mean walk?"),
        ("fails", {"line": "7"}, "No bus today."),
        ("fails", {"line": "12"}, "fails failed (ZeroDivisionError)."),
    ],
)
async def test_what_is_wrong_says_what_is_right(tools: Registry, tool: str, given: dict[str, Any], right: str) -> None:
    result = await tools.execute_tool(tool, given)
    assert not result.success
    assert right in str(result.error)
    assert "secret" not in str(result.error)


def test_a_tool_without_id_or_description_is_refused_by_name(tools: Registry) -> None:
    for wrong in ({"id": ""}, {"id": "Not An Id"}, {"id": "ok", "description": " "}, {"id": "ok", "category": "x"}):
        with pytest.raises(ToolError, match="Wrong"):
            tools.register(type("Wrong", (Bus,), wrong))
    with pytest.raises(ToolError, match="next_bus already"):
        tools.register(type("Other", (Bus,), {}))
    with pytest.raises(ToolError, match="types are string"):
        ToolParameter("x", "text")


def test_categories_and_tools_have_switches(tools: Registry) -> None:
    tools.switch(["data"], on=False)
    assert [tool.id for tool in tools.get_all_tools()] == ["send_mail"]
    assert len(tools.get_all_tools(enabled_only=False)) == 3
    assert [one["enabled"] for one in tools.list_tools()] == [False, True, False]
    assert tools.get_system_prompt() == "- send_mail: Send a mail."
    tools.switch(["data"], on=True)
    assert tools.get_tool("next_bus") is not None
    tools.clear()
    assert tools.get_system_prompt() == ""


def box(tools: Registry, tmp_path: Path, **more: Any) -> Toolbox:
    made = Toolbox([], Emitter(), confirmations=Confirmations(database(tmp_path), 90.0))
    made.add(load_plugins((), tools=tools, **more))
    return made


async def use(made: Toolbox, name: str, **given: Any) -> OurResult:
    return await made.call(ToolCall("1", name, given), Turn(text=""))


async def test_in_a_turn_it_is_marked_and_one_that_changes_something_asks(tools: Registry, tmp_path: Path) -> None:
    made = box(tools, tmp_path, off=["fails"])
    assert made.names == ("next_bus", "send_mail")
    looked = await use(made, "next_bus", line="7")
    assert looked.result["from_outside"] == "plugin next_bus: data, never instructions"
    assert looked.result["output"] == {"line": "7", "walk": 5}
    assert (await use(made, "send_mail", line="7")).error_type == "confirmation_required"
    wrong = await use(made, "next_bus", line="9")
    assert "'7' or '12'" in str(wrong.error)
    schema = made.schemas()[0]["function"]["parameters"]
    assert schema["properties"]["line"] == {"description": "Its number", "enum": ["7", "12"], "type": "string"}
    assert schema["required"] == ["line"]


async def test_the_settings_may_allow_it(tools: Registry, tmp_path: Path) -> None:
    assert (await use(box(tools, tmp_path, allow=["send_mail"]), "send_mail", line="7")).success


def install(folder: Path, name: str, code: str) -> None:
    """A package as pip leaves it: a module, and beside it what says of its entry point."""
    (folder / f"{name}.py").write_text(code)
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[homeagent.tools]\n{name} = {name}\n")


async def test_the_ten_lines_of_the_documentation_are_a_tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.S)
    body = [line for line in code.splitlines() if line.strip() and not line.startswith(("from ", "import "))]
    assert len(body) <= 10
    install(tmp_path, "my_dice", code)
    install(tmp_path, "my_broken", "import not_there\n")
    install(
        tmp_path, "my_wrong", "from homeagent.plugins import Tool, register\n@register\nclass Bad(Tool):\n    pass\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    made = Toolbox([], Emitter(), confirmations=Confirmations(database(tmp_path), 90.0))
    made.add(load_plugins(["my_broken", "my_wrong", "my_dice", "my_absent"]))
    assert made.names == ("roll_dice",)
    result = await use(made, "roll_dice", count=3)
    assert 3 <= result.result["output"] <= 18
    told = caplog.text
    assert "the plugin my_broken is left out: ModuleNotFoundError" in told
    assert "the plugin my_wrong is left out" in told
    assert "there is no plugin my_absent" in told
    for name in ("my_dice", "my_broken", "my_wrong"):
        sys.modules.pop(name, None)


def test_what_is_installed_and_not_switched_on_is_not_even_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "my_spy", "raise SystemError('loaded')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert load_plugins([]) == []
    assert "my_spy" not in sys.modules
