"""What is told, corrected, taken back and asked back in plain sentences, by what a reader by meaning takes them for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sqlalchemy import Engine

from memory.extract import Candidate, TurnFacts
from memory.purposes import Guess, Purpose, Purposes
from memory.store import Memories
from tests.memory.fakes import TOLD, meant_as
from tests.memory.plain_sentences import Household

CORRECTED = Purpose(tell=0.2, correct=0.7)
TAKEN_BACK = Purpose(retract=0.9)
PASSING = Purpose(tell=0.1, passing=0.8)
ORDERED = Purpose(order=0.95)


def meant_each(**purposes: Purpose) -> Guess:
    """What reads a sentence by the first word that it holds."""

    async def guess(sentences: Sequence[str]) -> Purposes:
        return {one: purpose for one in sentences for word, purpose in purposes.items() if word in one.casefold()}

    return guess


@pytest.mark.parametrize(
    ("language", "said", "kept"),
    [
        ("en", "By the way, the bins go out on Sunday.", "The bins go out on Sunday"),
        ("en", "We eat at half six and want no announcements then, all right?", None),
        ("de", "Unsere Nachbarin heißt Frau Brandt.", "Unsere Nachbarin heißt Frau Brandt"),
        ("ko", "비상용 손전등은 신발장 맨 아래 칸에 있어.", "비상용 손전등은 신발장 맨 아래 칸에 있어"),
    ],
)
async def test_what_is_told_is_kept_whole_and_said_to_be(
    memories: Memories, engine: Engine, language: str, said: str, kept: str | None
) -> None:
    home = Household(memories, engine, language, guess=meant_as(TOLD))
    await home.say(said)
    [memory] = await home.kept()
    assert memory.content == kept or kept is None
    assert memory.content in home.answers[-1]
    assert memory.user_id is None


@pytest.mark.parametrize(
    ("purpose", "said"),
    [
        (PASSING, "The bins smell terrible in the summer."),
        (ORDERED, "Take the bins out to the street."),
        (TOLD, "Maybe the bins go out on Sunday."),
        (TOLD, "Do the bins go out on Sunday?"),
        (TOLD, "The door code is 4711."),
        (Purpose(order=0.9, later=0.8), "Switch the light on every evening at 10."),
        (Purpose(order=0.9, listed=0.9), "Don't forget that I have to ring the vet."),
    ],
)
async def test_what_tells_nothing_lasting_leaves_nothing(
    memories: Memories, engine: Engine, purpose: Purpose, said: str
) -> None:
    home = Household(memories, engine, "en", guess=meant_as(purpose))
    await home.say(said)
    assert await home.kept() == []


async def test_what_is_wished_for_good_is_kept(memories: Memories, engine: Engine) -> None:
    home = Household(memories, engine, "en", guess=meant_as(Purpose(tell=0.6, order=0.3)))
    await home.say("The night light must always be green.")
    assert [one.content for one in await home.kept()] == ["The night light must always be green"]


async def test_a_tag_question_asks_to_keep_what_it_follows(memories: Memories, engine: Engine) -> None:
    home = Household(memories, engine, "en", guess=meant_each(**{"mia has": TOLD, "got that": Purpose(recall=0.4)}))
    await home.say("Mia has swimming on Tuesdays, got that?")
    assert [one.content for one in await home.kept()] == ["Mia has swimming on Tuesdays"]


async def test_of_a_request_the_part_that_tells_is_kept(memories: Memories, engine: Engine) -> None:
    guess = meant_each(**{"can't stand": TOLD, "once": Purpose(passing=0.9)})
    home = Household(memories, engine, "en", guess=guess)
    await home.say("I can't stand spinach, remember that once and for all times, please.")
    assert [one.content for one in await home.kept()] == ["I can't stand spinach"]


async def test_what_is_told_beside_an_order_is_kept_without_it(memories: Memories, engine: Engine) -> None:
    guess = meant_each(cellar=TOLD, close=Purpose(tell=0.3, order=0.6))
    home = Household(memories, engine, "en", guess=guess)
    await home.say("Close the garage, and the good hose is in the cellar.")
    assert [one.content for one in await home.kept()] == ["The good hose is in the cellar"]


@pytest.mark.parametrize(
    ("told", "said", "now"),
    [
        (
            "Trampoline is on Wednesdays at the sports hall",
            "Trampoline has moved to Thursdays.",
            "Trampoline is on Thursdays at the sports hall",
        ),
        (
            "My teacher is Miss Odell",
            "Miss Odell is off, so my teacher is Mr Farrow now.",
            "My teacher is Mr Farrow now",
        ),
        ("The drill is in the shed", "The drill is no longer there, it is in the attic.", None),
        ("The drill is in the shed", "I left the drill in the attic.", "I left the drill in the attic"),
        ("The library is open from 4 to 6 on Saturdays", "The library is open from 10 now.", None),
    ],
)
async def test_a_correction_takes_the_place_of_what_is_about_the_same(
    memories: Memories, engine: Engine, told: str, said: str, now: str | None
) -> None:
    await memories.add("The car has its inspection in November")
    before = await memories.add(told)
    home = Household(memories, engine, "en", guess=meant_as(CORRECTED))
    await home.say(said)
    current = {one.content for one in await home.kept()}
    assert told not in current
    assert len(current) == 2
    assert now is None or now in current
    assert (await memories.get(before.id)).superseded_by is not None


async def test_what_was_told_in_confidence_stays_so_when_corrected(memories: Memories, engine: Engine) -> None:
    await memories.add("The present is in the wardrobe", user_id="anna", sensitivity="private")
    home = Household(memories, engine, "en", guess=meant_as(CORRECTED))
    await home.say("I have moved the present, it is in the boot now.")
    [kept] = await memories.list(user_id="anna")
    assert (kept.user_id, str(kept.sensitivity)) == ("anna", "private")
    assert "boot" in kept.content
    assert await memories.list(user_id="ben") == []


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("Lamp 3 needs 60 watts", "Lamp 4 needs 40 watts."),
        ("Grandma's birthday is on 3 May", "Grandpa's birthday is on 5 June."),
        ("My mum lives in Leeds", "My mum doesn't eat pork."),
        ("The bathroom floor was laid in 2019", "Kit gets the bathroom from half past seven now."),
        ("The cat's vet is Doctor Whitlock", "The cat only gets the grey bags from now on."),
    ],
)
async def test_another_thing_or_another_side_of_it_lives_beside_it(
    memories: Memories, engine: Engine, told: str, said: str
) -> None:
    await memories.add(told)
    home = Household(memories, engine, "en", guess=meant_as(CORRECTED))
    await home.say(said)
    assert len(await home.kept()) == 2


async def test_a_bare_value_corrects_what_was_told_back_right_before(memories: Memories, engine: Engine) -> None:
    await memories.add("The paper bin is collected on Wednesday")
    home = Household(memories, engine, "en", guess=meant_each(they=CORRECTED))
    await home.say("What did I say about the paper bin?")
    assert "Wednesday" in home.answers[-1]
    await home.say("They come on Friday now.")
    assert [one.content for one in await home.kept()] == ["The paper bin is collected on Friday"]


@pytest.mark.parametrize(
    ("language", "told", "asked", "said"),
    [
        ("en", "The paper bin is collected on Wednesday", "What did I say about the paper bin?", "Forget that."),
        ("de", "Die Tonne kommt am Mittwoch", "Was habe ich über die Tonne gesagt?", "Vergiss das."),
    ],
)
async def test_what_was_told_back_is_forgotten_with_forget_that(
    memories: Memories, engine: Engine, language: str, told: str, asked: str, said: str
) -> None:
    await memories.add(told, language=language)
    home = Household(memories, engine, language)
    await home.say(asked)
    assert told in home.answers[-1]
    await home.say(said)
    assert await home.kept() == []


@pytest.mark.parametrize(
    "said",
    [
        "Never mind what I said about Lisbon, she found the tickets.",
        "Nothing came of Lisbon in the end.",
    ],
)
async def test_what_is_taken_back_is_found_and_needs_a_yes(memories: Memories, engine: Engine, said: str) -> None:
    await memories.add("The piano tuner is called Haddow")
    await memories.add("Ben saves up for a weekend in Lisbon")
    home = Household(memories, engine, "en", guess=meant_as(TAKEN_BACK))
    await home.say(said)
    assert [one.content for one in await home.kept()] == ["The piano tuner is called Haddow"]


async def test_a_day_that_comes_back_each_year_does_not_end(memories: Memories) -> None:
    said = "Our anniversary is on the 9th of June"
    [outcome] = await memories.take([Candidate(said)], TurnFacts(said, at=memories.now()))
    assert outcome.memory is not None
    assert outcome.memory.valid_to is None
