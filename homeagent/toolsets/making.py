"""Which form is which: its tools, and what a model is told with them."""

from __future__ import annotations

from homeagent.config.settings import Form
from homeagent.context import Budget, ContextBuilder
from homeagent.events import Emitter
from homeagent.ha.home import Home
from homeagent.prompting.prompt import SYSTEM
from homeagent.prompting.token_counting import CountTokens
from homeagent.toolsets.assist_intents import assist_toolset
from homeagent.toolsets.assist_prompt import AssistContext
from homeagent.toolsets.hass_tools import hass_toolset
from homeagent.toolsets.service_tools import service_toolset
from homeagent.toolsets.toolset import Toolset


def make_toolset(form: Form, home: Home) -> Toolset | None:
    """The tools of a form over a home; None for our own."""
    match form:
        case Form.OWN:
            return None
        case Form.HASS:
            return hass_toolset(home)
        case Form.SERVICES:
            return service_toolset(home)
        case Form.ASSIST:
            return assist_toolset(home)


def make_context(
    toolset: Toolset | None,
    form: Form,
    home: Home,
    count: CountTokens,
    emitter: Emitter,
    budget: Budget | None = None,
    system: str = SYSTEM,
) -> ContextBuilder:
    """What requests are made of in a form. ``system``: our own text, which the form may word otherwise."""
    if form is Form.ASSIST:
        return AssistContext(home, count, emitter, budget)
    return ContextBuilder(home, count, emitter, budget, system=toolset.system(system) if toolset else system)
