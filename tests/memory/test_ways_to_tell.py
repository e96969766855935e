"""The ways in which people tell something: in which order, with which asides, and where they take something back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Engine

from homeagent.brains.llm.client import Completion
from homeagent.conversations import Answer, Conversations
from homeagent.events import Emitter
from homeagent.ha.home import Home, HomeConfig, State
from homeagent.remembering.turn_review import Remembering
from homeagent.turn import Turn
from homeagent.turns.gathering import nothing_gathered
from indexer.entity import Entity
from memory.doubtful import superfluous
from memory.explicit import asked_of_memory, heard_in, said_outright
from memory.extract import Call, Candidate, Subject, TurnFacts
from memory.naming_sentences import naming
from memory.outbox import Outbox
from memory.reconcile import relation
from memory.store import Memories
from memory.tokens import sentences
from memory.word_search import WordIndex
from memory.worth import refusal
from tests.memory.fakes import TOLD

USERS = {"lea": "Lea", "tom": "Tom"}
DIMMED = (Call("turn_on", ("light.study",), {"brightness_pct": 20}),)


@pytest.mark.parametrize(
    ("code", "text", "kept"),
    [
        ("en", "The milkman rings twice, please remember that.", "The milkman rings twice"),
        ("de", "Der Milchmann klingelt zweimal, merk dir das bitte.", "Der Milchmann klingelt zweimal"),
        ("fr", "Le laitier sonne deux fois, retiens-le.", "Le laitier sonne deux fois"),
        ("es", "El lechero llama dos veces, no lo olvides.", "El lechero llama dos veces"),
        ("nl", "De melkboer belt twee keer, onthoud dat.", "De melkboer belt twee keer"),
        ("ko", "우유 배달은 두 번 온다는 거 잊지 마", "우유 배달은 두 번 온다"),
        ("nl", "Vergeet niet dat de melkboer twee keer belt", "De melkboer twee keer belt"),
        ("de", "Vergiss nicht, dass der Milchmann zweimal klingelt", "Der Milchmann zweimal klingelt"),
        ("de", "Merk dir: Am 5. Mai kommt der Gärtner.", "Am 5. Mai kommt der Gärtner"),
    ],
)
def test_what_is_to_be_remembered_is_kept_whole(code: str, text: str, kept: str) -> None:
    assert [candidate.content for candidate in said_outright(text, code, "tom")] == [kept]


@pytest.mark.parametrize(
    "text", ["I can't remember that", "Nobody told me to remember this", "Do you remember that?", "Remember that?"]
)
def test_who_does_not_remember_asks_for_nothing(text: str) -> None:
    assert said_outright(text, "en", "tom") == []


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "Keep in mind, just for me, that the ring is in the piano"),
        ("de", "Merk dir nur für mich: Der Ring ist im Klavier"),
        ("fr", "Note, rien que pour moi, que la bague est dans le piano"),
        ("es", "Apunta, solo para mí, que el anillo está en el piano"),
        ("nl", "Noteer alleen voor mij dat de ring in de piano ligt"),
        ("ko", "나만 알게 기억해 줘, 반지는 피아노에 있어"),
    ],
)
def test_for_whom_it_is_may_stand_anywhere_in_the_request(code: str, text: str) -> None:
    [kept] = said_outright(text, code, "tom")
    assert (kept.user_id, kept.sensitivity) == ("tom", "private")
    assert not any(word in kept.content for word in ("just", "nur", "rien", "solo", "alleen", "나만"))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "Correction: the milkman rings three times"),
        ("de", "Korrektur: Der Milchmann klingelt dreimal"),
        ("fr", "Correction : le laitier sonne trois fois"),
        ("es", "Corrección: el lechero llama tres veces"),
        ("nl", "Correctie: de melkboer belt drie keer"),
        ("ko", "정정할게, 우유 배달은 세 번 온다"),
    ],
)
def test_a_correction_is_one_only_of_what_is_remembered(code: str, text: str) -> None:
    [asked] = asked_of_memory(text, code, "tom")
    assert asked is not None
    assert asked.corrects
    assert not asked.sure, "a command may be corrected too"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "In the evening I like it dark in the study"),
        ("de", "Abends hätte ich es im Büro gern 19 Grad warm"),
        ("fr", "Finalement je préfère le bureau à 19 degrés"),
        ("es", "Ahora prefiero el despacho a 19 grados"),
        ("nl", "'s Avonds heb ik het in de studeerkamer graag 19 graden"),
        ("ko", "나는 저녁에 서재가 19도인 게 좋아"),
    ],
)
def test_a_liking_is_told_in_any_order_and_is_the_speakers_own(code: str, text: str) -> None:
    [heard] = heard_in(text, code, "tom", purposes={text: TOLD})
    [asked] = heard.asked
    assert asked.keep is not None
    assert (asked.keep.type, asked.keep.user_id) == ("preference", "tom")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "I'd like the light on"),
        ("de", "Ich hätte gern das Licht an"),
        ("nl", "Ik wil graag het licht aan"),
        ("en", "Which lamp do I like in the evening?"),
    ],
)
def test_an_order_is_no_liking(code: str, text: str) -> None:
    assert said_outright(text, code, "tom") == []


@pytest.mark.parametrize(
    ("code", "text", "name"),
    [
        ("en", "I call the desk lamp my firefly", "firefly"),
        ("en", "When I say firefly, I mean the desk lamp", "firefly"),
        ("en", "I call the lamp by the sofa my reading lamp", "reading lamp"),
        ("de", "Wenn ich Glühwurm sage, dann meine ich die Schreibtischlampe", "Glühwurm"),
        ("de", "Die Schreibtischlampe heißt bei uns Glühwurm", "Glühwurm"),
        ("fr", "Quand je dis la luciole, je parle de la lampe du bureau", "luciole"),
        ("es", "A la lámpara del despacho la llamamos Luciérnaga", "Luciérnaga"),
        ("nl", "Wij noemen de bureaulamp Vuurvlieg", "Vuurvlieg"),
        ("ko", "내가 반딧불이라고 하면 책상등을 말하는 거야", "반딧불"),
    ],
)
def test_a_nickname_is_told_freely(code: str, text: str, name: str) -> None:
    told = naming(text, code, lambda phrase: phrase in ("the desk lamp", "de bureaulamp", "책상등"))
    assert told is not None
    assert told.name == name


@pytest.mark.parametrize(
    ("code", "new", "old", "expected"),
    [
        ("en", "My favourite team is United now", "My favourite team is Team Seven", "new_value"),
        ("en", "I prefer the study at 19 degrees", "I like the study at 21 degrees", "new_value"),
        ("de", "Ich hätte es im Büro lieber 19 Grad warm", "Ich hätte es im Büro gern 21 Grad warm", "new_value"),
        ("de", "Die Katze bekommt eine ganze Tablette", "Die Katze bekommt eine halbe Tablette", "new_value"),
        ("nl", "De tuinman komt op 6 mei", "De tuinman op 5 mei komt", "new_value"),
        ("nl", "Anna is groter dan Ben", "Ben is groter dan Anna", "different"),
        ("ko", "정원사는 5월 6일에 오셔", "정원사는 5월 5일에 오신다", "new_value"),
        ("ko", "우유는 세 병 온다", "우유는 두 병 온다", "new_value"),
    ],
)
def test_a_later_word_takes_the_place_of_the_earlier(code: str, new: str, old: str, expected: str) -> None:
    assert relation(Candidate(new, language=code), Candidate(old, language=code)) == expected


def test_an_ordinal_ends_no_sentence() -> None:
    assert sentences("Am 5. Mai kommt er. Stell auf 20. Danke.", "de") == [
        "Am 5. Mai kommt er.",
        "Stell auf 20.",
        "Danke.",
    ]
    assert sentences("Set it to 20. Thanks.", "en") == ["Set it to 20.", "Thanks."]


@pytest.mark.parametrize(
    ("content", "said", "importance", "why"),
    [
        ("Tom is tired", "Dim the study, I am tired", 0.4, "commanded"),
        ("Tom is allergic to cats", "Dim the study, I am allergic to cats", 0.9, None),
        ("Tom plays the trumpet", "Dim the study. I play the trumpet.", 0.4, None),
    ],
)
def test_the_reason_of_a_command_is_not_kept(content: str, said: str, importance: float, why: str | None) -> None:
    facts = TurnFacts(said, user_id="tom", users=USERS, calls=DIMMED)
    assert refusal(Candidate(content, importance=importance), facts) == why


@pytest.mark.parametrize(
    ("content", "said", "why"),
    [
        ("Tom is a milkman", "The milkman always comes at six", "not_said"),
        ("Tom is a milkman", "I am a milkman", None),
        ("Tom prefers the milkman at six", "The milkman should always come at six", None),
    ],
)
def test_who_did_not_speak_of_themselves_told_nothing_of_themselves(content: str, said: str, why: str | None) -> None:
    assert refusal(Candidate(content), TurnFacts(said, user_id="tom", users=USERS)) == why


def test_that_somebody_said_something_tells_no_more_than_what_they_said() -> None:
    both = [Candidate("Tom said the family is away"), Candidate("The family is away until 5 May")]
    assert superfluous(both)[0] == {1: "fragment"}


@pytest.mark.parametrize(("code", "found"), [("de", True), ("en", False)])
def test_a_compound_is_found_by_its_part_where_words_are_written_together(code: str, found: bool) -> None:
    index = WordIndex()
    index.put("one", "Der Heizungsmonteur ist Herr Albrecht")
    assert bool(index.match("Monteur", language=code)) is found


@pytest.mark.parametrize(
    ("content", "importance", "why"),
    [
        ("The fence was painted", 0.5, "worthless"),
        ("The fence was painted on 5 May", 0.5, None),
        ("The fence was painted", 0.8, None),
    ],
)
def test_what_happened_once_is_kept_where_it_matters_or_says_when(
    content: str, importance: float, why: str | None
) -> None:
    facts = TurnFacts("We had the fence painted on 5 May.", user_id="tom", users=USERS)
    assert refusal(Candidate(content, type="event", importance=importance), facts) == why


async def test_the_model_is_shown_what_is_known_of_who_speaks(memories: Memories, engine: Engine) -> None:
    asked: list[str] = []

    async def answer(messages: Sequence[Mapping[str, Any]]) -> Completion:
        asked.append(str(messages[-1]["content"]))
        return Completion('{"memories": []}')

    home = Home()
    home.replace(config=HomeConfig(), areas=[], floors=[], device_areas={}, entities=[Entity("person.tom", "Tom")])
    home.put_states([State("person.tom", "home", {"user_id": "tom"}, datetime.now(UTC), datetime.now(UTC))])
    room = Remembering(memories, Outbox(engine, memories.now), home, Emitter(), complete=answer, model="scripted")
    await memories.add("Tom works from home on Mondays", subjects=[Subject("user", "tom", "Tom")])
    turn = Turn("Nowadays it is only ever Tuesdays", user_id="tom", context=nothing_gathered(""))
    told = Answer("Noted.", "llm")
    await Conversations(engine).save(turn, told, room.noting(turn, told))
    await room.drain()
    assert "Tom works from home on Mondays" in asked[0]
