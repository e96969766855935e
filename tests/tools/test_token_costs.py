"""A tool that is switched on costs at most 120 tokens in each prompt."""

from __future__ import annotations

import json

import pytest

from homeagent.prompting.token_counting import load_counter
from homeagent.tools.parameter_schema import function_schema
from homeagent.tools.toolbox import Tool
from homeagent.tools.web_fetch import WebFetch
from homeagent.tools.web_search import WebSearch

SWITCHED_ON: list[type[Tool]] = [WebFetch, WebSearch]


@pytest.mark.parametrize("tool", SWITCHED_ON, ids=lambda tool: tool.name)
def test_it_costs_little(tool: type[Tool]) -> None:
    count = load_counter()
    schema = json.dumps(function_schema(tool.name, tool.description, tool.Params))
    assert count is not None
    assert count(schema) <= 120, schema
