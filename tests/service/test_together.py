"""Many conversations at once in the real service: each gets its own answers, whoever answers first."""

from __future__ import annotations

import pytest

from tests.bench.serving import named
from tests.bench.together import service_with_a_thinking_model, together

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

_CONVERSATIONS, _ROUNDS = 20, 3


def test_no_turn_is_lost_or_gets_into_another_conversation() -> None:
    with service_with_a_thinking_model(200) as (service, home):
        lamps = named(home, "light")[: _CONVERSATIONS // 2]
        assert len(lamps) == _CONVERSATIONS // 2
        heard = together(service, lamps, _CONVERSATIONS, rounds=_ROUNDS)
        reached = {entity_id for _, entity_id in home.calls}
    assert heard.lost == []
    assert heard.crossed == []
    assert len(heard.local.ms) == len(lamps) * _ROUNDS * 4
    assert len(heard.model.ms) == len(lamps) * _ROUNDS
    assert len(reached) == len(lamps)
