"""What sentences say outright: to remember, to call something, to forget; six languages, no model."""

from __future__ import annotations

import pytest

from memory.explicit import is_request, naming, said_outright
from memory.extract import Candidate, Subject
from memory.language import language as memory_language

LAMP = [Subject("entity", "light.sofa", "Sofa lamp")]


def told(candidate: Candidate) -> tuple[str, str, str | None, str | None, bool]:
    return (candidate.content, str(candidate.type), candidate.user_id, candidate.key, candidate.forget)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "en",
            "Remember that the bins are collected on Tuesday.",
            [("The bins are collected on Tuesday", "fact", None, None, False)],
        ),
        ("en", "please remember: Lisa is allergic to nuts", [("Lisa is allergic to nuts", "fact", None, None, False)]),
        (
            "en",
            "Can you remember that I like 19 degrees at night?",
            [("I like 19 degrees at night", "preference", "anna", None, False)],
        ),
        ("en", "I prefer tea", [("I prefer tea", "preference", "anna", None, False)]),
        (
            "en",
            "call this the reading lamp",
            [("reading lamp = Sofa lamp", "fact", None, "nickname reading lamp", False)],
        ),
        (
            "en",
            "The reading lamp is the one by the sofa",
            [("The reading lamp is the one by the sofa", "fact", None, None, False)],
        ),
        ("en", "forget that I like tea", [("I like tea", "fact", "anna", None, True)]),
        ("en", "forget it", []),
        ("en", "remember to call Anna", []),
        ("en", "turn on the light", []),
        ("en", "do you remember that I like tea?", []),
        ("en", "Don't forget that we leave on Friday", [("We leave on Friday", "fact", None, None, False)]),
        (
            "de",
            "Merk dir, dass Anna nachts 19 Grad mag",
            [("Anna nachts 19 Grad mag", "preference", None, None, False)],
        ),
        (
            "de",
            "Merk dir bitte, dass Anna nachts 19 Grad mag",
            [("Anna nachts 19 Grad mag", "preference", None, None, False)],
        ),
        ("de", "Ich mag Tee", [("Ich mag Tee", "preference", "anna", None, False)]),
        ("de", "Nenn diese Lampe Leselampe", [("Leselampe = Sofa lamp", "fact", None, "nickname leselampe", False)]),
        ("de", "Vergiss, dass ich Tee mag", [("Ich Tee mag", "fact", "anna", None, True)]),
        (
            "de",
            "Die Leselampe ist die neben dem Sofa",
            [("Die Leselampe ist die neben dem Sofa", "fact", None, None, False)],
        ),
        (
            "fr",
            "Souviens-toi que les poubelles passent le mardi",
            [("Les poubelles passent le mardi", "fact", None, None, False)],
        ),
        ("fr", "Je préfère le thé", [("Je préfère le thé", "preference", "anna", None, False)]),
        ("fr", "J’aime le thé", [("J'aime le thé", "preference", "anna", None, False)]),
        (
            "fr",
            "Appelle cette lampe la lampe de lecture",
            [("lampe de lecture = Sofa lamp", "fact", None, "nickname lampe de lecture", False)],
        ),
        ("fr", "Oublie que j'aime le thé", [("J'aime le thé", "fact", "anna", None, True)]),
        ("fr", "Retiens que le chien s'appelle Rex", [("Le chien s'appelle Rex", "fact", None, None, False)]),
        (
            "fr",
            "La lampe de lecture, c'est celle près du canapé",
            [("La lampe de lecture, c'est celle près du canapé", "fact", None, None, False)],
        ),
        (
            "es",
            "Recuerda que la basura se recoge los martes",
            [("La basura se recoge los martes", "fact", None, None, False)],
        ),
        ("es", "Me gusta el té", [("Me gusta el té", "preference", "anna", None, False)]),
        (
            "es",
            "Llama a esta lámpara la lámpara de lectura",
            [("lámpara de lectura = Sofa lamp", "fact", None, "nickname lampara de lectura", False)],
        ),
        ("es", "Olvida que me gusta el té", [("Me gusta el té", "fact", "anna", None, True)]),
        (
            "nl",
            "Onthoud dat het vuilnis op dinsdag wordt opgehaald",
            [("Het vuilnis op dinsdag wordt opgehaald", "fact", None, None, False)],
        ),
        ("nl", "Ik hou van thee", [("Ik hou van thee", "preference", "anna", None, False)]),
        ("nl", "Noem deze lamp de leeslamp", [("leeslamp = Sofa lamp", "fact", None, "nickname leeslamp", False)]),
        ("nl", "Vergeet dat ik van thee hou", [("Ik van thee hou", "fact", "anna", None, True)]),
        (
            "ko",
            "쓰레기는 화요일에 수거한다는 걸 기억해 줘",
            [("쓰레기는 화요일에 수거한다", "fact", None, None, False)],
        ),
        ("ko", "나는 차를 좋아해", [("나는 차를 좋아해", "preference", "anna", None, False)]),
        ("ko", "이 램프를 독서등이라고 불러 줘", [("독서등 = Sofa lamp", "fact", None, "nickname 독서등", False)]),
        ("ko", "내가 차를 좋아한다는 걸 잊어 줘", [("내가 차를 좋아한다", "fact", "anna", None, True)]),
        ("ko", "기억해 줘: 강아지 이름은 렉스야", [("강아지 이름은 렉스야", "fact", None, None, False)]),
    ],
)
def test_what_is_said_outright(language: str, text: str, expected: list[object]) -> None:
    assert [told(one) for one in said_outright(text, language, "anna", LAMP)] == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn on the light"),
        ("en", "what do you remember about me?"),
        ("en", "do you remember what I like?"),
        ("en", "call Anna"),
        ("de", "Mach das Licht an"),
        ("de", "Weißt du noch, was ich mag?"),
        ("fr", "Allume la lumière"),
        ("es", "Enciende la luz"),
        ("nl", "Doe het licht aan"),
        ("ko", "불 켜 줘"),
        ("xx", "Remember that tea is good"),
    ],
)
def test_commands_and_questions_say_nothing_outright(language: str, text: str) -> None:
    assert said_outright(text, language, "anna") == []


def test_each_sentence_is_read_by_itself() -> None:
    found = said_outright("Turn on the light. Remember that the bins go out on Monday. I like 19.5 degrees.", "en", "a")
    assert [one.content for one in found] == ["The bins go out on Monday", "I like 19.5 degrees"]
    assert not is_request("Turn on the light. Remember that the bins go out on Monday.", "en")


def test_without_knowing_what_this_is_nothing_is_called() -> None:
    assert said_outright("call this the reading lamp", "en", "anna") == []


def test_a_naming_tells_the_name_and_what_it_is() -> None:
    found = naming("the reading lamp is the one by the sofa", "en")
    assert found is not None
    assert (found.name, found.what, found.here) == ("reading lamp", "by the sofa", False)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "nl", "ko"])
def test_a_long_row_of_pleases_is_read_to_its_end(language: str) -> None:
    known = memory_language(language)
    assert known is not None
    for word in known.outright["polite"][1:3]:
        for text in (f"{word} " * 180, f"x {word} " * 150, f"{word}, " * 1000):
            assert not is_request(text, language)
            assert said_outright(text, language, "anna", LAMP) == []
