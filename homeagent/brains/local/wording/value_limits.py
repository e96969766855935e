"""What is said of a value that a device does not take: what it takes."""

from __future__ import annotations

from collections.abc import Mapping

from homeagent.brains.language.responses import Phrases
from homeagent.brains.local.wording.spoken_values import attribute_words
from homeagent.domains import DOMAINS, Param
from homeagent.ha.home import Home
from homeagent.tools.parameter_values import limits


def value_words(
    entity_id: str, name: str, parameters: Mapping[str, object], home: Home, phrases: Phrases
) -> str | None:
    """The range that the device takes, for the first number outside of it, or that a step goes no further; None where
    neither is what is wrong.
    """
    state = home.state(entity_id)
    if state is None:
        return None
    for key, value in parameters.items():
        param = _param(entity_id, key)
        if param is None or not isinstance(value, int | float):
            continue
        if param.step:
            return phrases.say("at_end", names=name)
        low, high = limits(param, state)
        if low is not None and high is not None and not low <= value <= high:
            ends = (attribute_words(param.name, end, phrases, home) for end in (low, high))
            return phrases.say("out_of_range", names=name, **dict(zip(("low", "high"), ends, strict=True)))
    return None


def _param(entity_id: str, key: str) -> Param | None:
    abilities = DOMAINS.get(entity_id.partition(".")[0])
    if abilities is None:
        return None
    key = abilities.value if key == "value" and abilities.value else key
    services = (*abilities.setters, *abilities.actions.values())
    return next((p for s in services for p in s.params if p.name == key), None)
