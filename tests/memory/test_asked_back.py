"""Questions about what was told, by the roles of their words: what is asked, about what, told by whom."""

from __future__ import annotations

import pytest

from memory.asked_back import AskedBack, Asks, asked_back

SAID, KNOWN = Asks.SAID, Asks.KNOWN


def is_person(name: str) -> bool:
    return name.casefold() in ("anna", "안나")


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "What did I say about the boiler?", AskedBack(SAID, "the boiler")),
        ("en", "Jarvis, can you tell me what I told you about the boiler", AskedBack(SAID, "the boiler")),
        ("en", "Have I mentioned anything about the attic?", AskedBack(SAID, "the attic")),
        ("en", "what did Anna tell you about the boiler", AskedBack(SAID, "the boiler", teller="Anna")),
        ("en", "What do you know about me?", AskedBack(KNOWN, of_self=True)),
        ("en", "what do you remember about Anna", AskedBack(KNOWN, "Anna")),
        ("en", "what do you remember", AskedBack(KNOWN)),
        ("de", "Was habe ich dir über den Boiler gesagt?", AskedBack(SAID, "den Boiler")),
        ("de", "Was hab ich zum Boiler erzählt?", AskedBack(SAID, "Boiler")),
        ("de", "Was weißt du über mich?", AskedBack(KNOWN, of_self=True)),
        ("de", "Hast du dir etwas über Anna gemerkt?", AskedBack(KNOWN, "Anna")),
        ("fr", "Qu'est-ce que je t'ai dit à propos de la chaudière ?", AskedBack(SAID, "la chaudière")),
        ("fr", "Que sais-tu de moi ?", AskedBack(KNOWN, of_self=True)),
        ("fr", "Qu'a dit Anna sur la chaudière ?", AskedBack(SAID, "la chaudière", teller="Anna")),
        ("es", "¿Qué dije sobre la caldera?", AskedBack(SAID, "la caldera")),
        ("es", "¿Qué sabes de mí?", AskedBack(KNOWN, of_self=True)),
        ("es", "¿Qué sabes sobre Anna?", AskedBack(KNOWN, "Anna")),
        ("nl", "Wat heb ik over de ketel gezegd?", AskedBack(SAID, "de ketel")),
        ("nl", "Wat weet je over mij?", AskedBack(KNOWN, of_self=True)),
        ("nl", "Wat zei Anna over de ketel?", AskedBack(SAID, "de ketel", teller="Anna")),
        ("ko", "보일러에 대해 내가 뭐라고 했지?", AskedBack(SAID, "보일러")),
        ("ko", "나에 대해 뭐 알아?", AskedBack(KNOWN, of_self=True)),
        ("ko", "안나가 보일러에 대해 뭐라고 했어?", AskedBack(SAID, "보일러", teller="안나")),
    ],
)
def test_what_is_asked(language: str, text: str, expected: AskedBack) -> None:
    assert asked_back(text, language, is_person) == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I told you about the boiler"),
        ("en", "Tell me about the boiler"),
        ("en", "What is the boiler doing?"),
        ("en", "Do you know what time it is?"),
        ("en", "What did you say?"),
        ("en", "What did I just say?"),
        ("en", "Forget what I said about the boiler"),
        ("en", "Turn on the light that I told you about"),
        ("en", "What did the plumber say about the boiler?"),
        ("de", "Weißt du, wie spät es ist?"),
        ("de", "Ich habe dir etwas über den Boiler gesagt"),
        ("de", "Vergiss, was ich über den Boiler gesagt habe"),
        ("fr", "Tu sais quelle heure il est ?"),
        ("es", "¿Sabes qué hora es?"),
        ("nl", "Weet je hoe laat het is?"),
        ("ko", "지금 몇 시인지 알아?"),
        ("it", "Cosa ho detto della caldaia?"),
        ("ko", "룸바 청소 다 했어?"),
    ],
)
def test_what_asks_something_else(language: str, text: str) -> None:
    assert asked_back(text, language, is_person) is None


def test_a_time_is_no_part_of_the_topic() -> None:
    text = "What did I tell you yesterday about the boiler?"
    at = text.index("yesterday")
    assert asked_back(text, "en", is_person, [(at, at + 9)]) == AskedBack(SAID, "the boiler")
    text = "What did I tell you yesterday?"
    assert asked_back(text, "en", is_person, [(at, at + 9)]) == AskedBack(SAID)
    assert asked_back("What did I tell you?", "en", is_person) is None, "it is about a moment ago"
