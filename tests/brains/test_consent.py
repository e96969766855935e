"""Short answers: a yes opens doors, so nothing but a bare yes is one."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeagent.brains.consent import About, Reply, is_no, is_yes, judge, starts_with
from homeagent.languages.folder import Part, file_of, read_words

LANGUAGES = ("en", "de", "fr", "es", "nl", "ko")
DOORS = {
    "en": About("That unlocks Front door. Shall I?", frozenset({"unlock", "open"}), ("Front door",)),
    "de": About("Das entriegelt Haustür. Soll ich?", frozenset({"unlock", "open"}), ("Haustür",)),
    "fr": About("Cela déverrouille Porte d'entrée. Je le fais ?", frozenset({"unlock", "open"}), ("Porte d'entrée",)),
    "es": About("Eso desbloquea Puerta principal. ¿Lo hago?", frozenset({"unlock", "open"}), ("Puerta principal",)),
    "nl": About("Dat ontgrendelt Voordeur. Zal ik dat doen?", frozenset({"unlock", "open"}), ("Voordeur",)),
    "ko": About("현관문 잠금 해제. 진행할까요?", frozenset({"unlock", "open"}), ("현관문",)),
}
"""A question about the front door in each language."""


def replies() -> Iterator[tuple[str, str, str]]:
    """Language, reply and what it is (yes, no, neither), as people who had not seen the code wrote them down."""
    for file in sorted((Path(__file__).parent / "data").glob("replies_*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            one = json.loads(line)
            yield one["lang"], one["text"], one["is"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_replies_are_taken_for_what_they_are(language: str) -> None:
    wrong = []
    for code, text, meant in replies():
        if code == language:
            reply = judge(text, (code,), DOORS[code])
            taken = reply.value if reply in (Reply.YES, Reply.NO) else "neither"
            wrong += [(text, meant, taken)] if taken != meant else []
    assert wrong == []


@pytest.mark.parametrize(
    ("language", "text", "reply"),
    [
        ("en", "yes?", Reply.UNCLEAR),
        ("en", "yeah right", Reply.UNCLEAR),
        ("en", "yes, but only the garage", Reply.UNCLEAR),
        ("en", "yes and turn on the light", Reply.UNCLEAR),
        ("en", "if nobody is outside, yes", Reply.UNCLEAR),
        ("en", "the front door?", Reply.UNCLEAR),
        ("en", "yes...", Reply.UNCLEAR),
        ("en", "that's okay, thanks", Reply.UNCLEAR),  # as often a no as a yes
        ("de", "passt schon, danke", Reply.UNCLEAR),
        ("es", "ya está bien", Reply.UNCLEAR),
        ("fr", "c'est bon", Reply.UNCLEAR),
        ("fr", "c'est bon merci", Reply.NO),
        ("fr", "c'est bon, vas-y", Reply.YES),
        ("en", "please", Reply.UNCLEAR),
        ("en", "yes, no", Reply.UNCLEAR),
        ("de", "yes, nein", Reply.UNCLEAR),
        ("ko", "네?", Reply.UNCLEAR),
        ("ko", "어?", Reply.UNCLEAR),
        ("en", "yes, open the front door", Reply.YES),
        ("en", "yes, open the back door", Reply.UNCLEAR),
        ("en", "yes, close the front door", Reply.UNCLEAR),
        ("en", "unlock the front door", Reply.OTHER),  # the order once more: it may have been sent twice
        ("en", "is the front door locked?", Reply.OTHER),
        ("en", "no, I meant the back door", Reply.OTHER),
        ("de", "mach die Haustür bitte nicht auf", Reply.NO),
        ("fr", "n'ouvre pas la porte", Reply.NO),
        ("ko", "네, 현관문을 열어 주세요", Reply.YES),
        ("es", "noooo", Reply.NO),
        ("en", "yes, it's my sister", Reply.YES),  # who it is may be told with a yes, and never instead of one
        ("de", "ja mach ruhig, das ist der Postbote", Reply.YES),
        ("fr", "oui vas-y, c'est ma sœur", Reply.YES),
        ("es", "sí, que es el cartero", Reply.YES),
        ("nl", "ja doe maar, het is de postbode", Reply.YES),
        ("ko", "응 열어줘, 택배 기사님이야", Reply.YES),
        ("en", "it's my sister, open the door", Reply.OTHER),
        ("en", "yes, it's not my sister", Reply.UNCLEAR),
        ("en", "yes, it's the other one", Reply.UNCLEAR),
        ("en", "yes, it's the back door", Reply.UNCLEAR),
        ("de", "ja, das ist die Gartentür", Reply.UNCLEAR),
        ("es", "sí, es la equivocada", Reply.UNCLEAR),
        ("ko", "응 농담이야", Reply.UNCLEAR),
    ],
)
def test_what_a_reply_does_to_the_question(language: str, text: str, reply: Reply) -> None:
    assert judge(text, (language,), DOORS[language]) is reply


def test_who_it_is_is_nothing_else_of_the_home() -> None:
    asked = About("That unlocks Front door. Shall I?", frozenset({"open"}), ("Front door",), frozenset({"burrow"}))
    assert judge("yes, it's the burrow", ("en",), asked) is Reply.UNCLEAR
    assert judge("yes, it's the badger", ("en",), asked) is Reply.YES


def test_a_deed_that_no_language_has_a_word_for_is_agreed_to_by_a_bare_yes_alone() -> None:
    odd = About("That runs the odd thing. Shall I?", frozenset({"frobnicate"}), ("Odd thing",))
    assert judge("yes, please", ("en",), odd) is Reply.YES
    assert judge("yes, frobnicate the odd thing", ("en",), odd) is Reply.UNCLEAR
    assert judge("yes, open the odd thing", ("en",), odd) is Reply.UNCLEAR


def test_a_deed_may_be_said_as_another_that_is_the_same() -> None:
    for asked, said in (("unlock", "open"), ("press", "start"), ("trigger", "start"), ("toggle", "turn on")):
        thing = About("Shall I?", frozenset({asked}), ("Front door",))
        assert judge(f"yes, {said} the front door", ("en",), thing) is Reply.YES, asked
        assert judge("yes, close the front door", ("en",), thing) is Reply.UNCLEAR


def test_a_no_with_the_deed_itself_is_asked_about_again() -> None:
    assert judge("no, unlock the front door", ("en",), DOORS["en"]) is Reply.UNCLEAR


@pytest.mark.parametrize(
    ("text", "language", "reply"),
    [
        ("Yes, the door is locked.", "en", Reply.YES),
        ("No, the door is open.", "en", Reply.NO),
        ("Nein, die Tür ist offen.", "de", Reply.NO),
        ("Ja, sie ist zu.", "de-AT", Reply.YES),
        ("네, 잠겨 있어요.", "ko", Reply.YES),
        ("Yes, it is.", "xx", Reply.YES),
        ("The yes is no answer.", "en", Reply.OTHER),
        ("Door: no", "en", Reply.OTHER),
        ("Zebra", "en", Reply.OTHER),
        ("", "en", Reply.OTHER),
    ],
)
def test_how_an_answer_begins(text: str, language: str, reply: Reply) -> None:
    assert starts_with(text, language) is reply


def test_where_several_things_were_asked_about_none_may_be_picked() -> None:
    both = About("That unlocks Front door and Back door. Shall I?", frozenset({"open"}))
    assert judge("yes, unlock them", ("en",), both) is Reply.YES
    assert judge("yes, unlock the front door", ("en",), both) is Reply.UNCLEAR


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_phrase_is_of_two_minds(language: str) -> None:
    table = read_words(file_of(language, Part.CONSENT).read_text("utf-8"))
    phrases = [p.casefold() for kind in ("yes", "no", "deny", "polite", "reassuring", "unclear") for p in table[kind]]
    assert [phrase for phrase in set(phrases) if phrases.count(phrase) > 1] == []


@pytest.mark.parametrize("text", ["yes " * 2000, "yes, " * 2000, "a " * 4000 + "yes"])
def test_an_endless_answer_is_none_and_is_read_at_once(text: str) -> None:
    started = time.perf_counter()
    assert judge(text, ("en",), DOORS["en"]) is not Reply.YES
    assert time.perf_counter() - started < 1


@given(st.sampled_from(LANGUAGES), st.sampled_from([text for _, text, meant in replies() if meant == "yes"]))
def test_no_yes_survives_a_question_mark(language: str, text: str) -> None:
    assert judge(f"{text}?", (language,), DOORS[language]) is not Reply.YES


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("yes", "en"),
        ("Yes, please!", "en"),
        ("go ahead", "en"),
        ("Ja bitte", "de"),
        ("ja, mach das", "de-AT"),
        ("Oui, s'il te plaît", "fr"),
        ("Sí", "es"),
        ("por supuesto", "es"),
        ("ja graag", "nl"),
        ("네, 부탁해요", "ko"),
        ("yes", "it"),
        ("Yes please, go ahead.", "en"),
        ("yes yes", "en"),
        ("ja bitte, mach", "de"),
        ("oui bien sûr, vas-y", "fr"),
        ("sí claro, adelante", "es"),
        ("ja hoor, doe maar", "nl"),
        ("네 그렇게 해 주세요", "ko"),
    ],
)
def test_a_bare_yes(text: str, language: str) -> None:
    assert is_yes(text, language)
    assert not is_no(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("yes and also open the garage", "en"),
        ("yes please and open the garage", "en"),
        ("not yes", "en"),
        ("yes no", "en"),
        ("ok, stop", "en"),
        ("ja, warte", "de"),
        ("yesterday", "en"),
        ("what?", "en"),
        ("", "en"),
        ("ja und das Tor auch", "de"),
        ("oui mais pas le garage", "fr"),
        ("네 그리고 차고도", "ko"),
    ],
)
def test_more_than_a_yes_is_none(text: str, language: str) -> None:
    assert not is_yes(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [("don't stop", "en"), ("do not cancel", "en"), ("nicht abbrechen", "de"), ("nicht warte", "de")],
)
def test_the_opposite_of_a_no_is_none(text: str, language: str) -> None:
    assert not is_no(text, language)
    assert not is_yes(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("no", "en"),
        ("No thanks", "en"),
        ("don't", "en"),
        ("no, wait", "en"),
        ("nein, lass mal", "de"),
        ("nee, wacht even", "nl"),
        ("아니요 괜찮아요", "ko"),
        ("Nein danke", "de"),
        ("non merci", "fr"),
        ("아니요", "ko"),
    ],
)
def test_a_bare_no(text: str, language: str) -> None:
    assert is_no(text, language)
    assert not is_yes(text, language)


@given(st.text(), st.sampled_from(LANGUAGES))
def test_no_text_is_both_and_none_breaks_it(text: str, language: str) -> None:
    assert not (is_yes(text, language) and is_no(text, language))


@given(st.sampled_from(["yes", "ok", "sure", "please do"]), st.sampled_from(["the garage", "unlock it", "but", "x"]))
def test_a_yes_with_anything_known_or_unknown_after_it_is_none(yes: str, more: str) -> None:
    assert not is_yes(f"{yes} {more}", "en")
