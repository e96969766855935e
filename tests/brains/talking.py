"""What the tests of the brain that needs no model share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager

from homeagent.demo.server import DemoServer
from homeagent.ha.connection import HomeAssistant
from homeagent.languages.answers import load_answers
from homeagent.turns.reply import Reply

Ask = Callable[..., Awaitable[Reply]]
Other = Callable[[str], AbstractAsyncContextManager[tuple[Ask, DemoServer]]]

LIVING_ROOM_LIGHTS = {"light.reading_lamp", "light.living_room_ceiling", "light.tv_backlight", "switch.standing_lamp"}


def phrase(language: str, key: str) -> str:
    """What is said for ``key`` in a language, with its places to fill."""
    answers = load_answers(language)
    assert answers is not None
    return answers.phrases[key]


def reached(demo: DemoServer) -> set[str]:
    """The entities that were told something; looks do not count."""
    return {call.entity_id for call in demo.calls if not call.service.startswith("get_")}


async def pressed(
    demo: DemoServer, ha: HomeAssistant, entity_id: str, state: str, attributes: Mapping[str, object] | None = None
) -> None:
    """A change on the device's side that has reached the agent's view of the home."""
    demo.set_state(entity_id, state, attributes)

    def shown() -> bool:
        seen = ha.home.state(entity_id)
        return (
            seen is not None and seen.state == state and dict(attributes or {}).items() <= dict(seen.attributes).items()
        )

    assert await ha.home.wait_until(shown, [entity_id], 5)
