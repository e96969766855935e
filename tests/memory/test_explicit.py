"""What sentences say outright: to remember, to call something, to forget; six languages, no model."""

from __future__ import annotations

import pytest

from memory.explicit import Asked, asked_of_memory, said_outright
from memory.extract import Subject
from memory.memory_words import language as memory_language
from memory.naming_sentences import naming

LAMP = [Subject("entity", "light.sofa", "Sofa lamp")]


THINGS = ("kitchen counter light", "the kitchen counter light", "das Küchenlicht", "la lampe du salon", "Temperatur")
THINGS += ("la luz de la cocina", "het keukenlicht", "주방 조명", "die Temperatur")


def told(asked: Asked | None) -> list[object]:
    if asked is None:
        return []
    one = asked.keep
    if one is None:
        return [asked.forget]
    return [(one.content, str(one.type), one.user_id, one.key)]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "en",
            "Remember that the bins are collected on Tuesday.",
            [("The bins are collected on Tuesday", "fact", None, None)],
        ),
        ("en", "please remember: Lisa is allergic to nuts", [("Lisa is allergic to nuts", "fact", None, None)]),
        (
            "en",
            "Can you remember that I like 19 degrees at night?",
            [("I like 19 degrees at night", "preference", "anna", None)],
        ),
        (
            "en",
            "call this the reading lamp",
            [("reading lamp = Sofa lamp", "fact", None, "nickname reading lamp")],
        ),
        (
            "en",
            "The reading lamp is the one by the sofa",
            [("The reading lamp is the one by the sofa", "fact", None, None)],
        ),
        ("en", "forget that I like tea", ["I like tea"]),
        ("en", "remember to call Anna", []),
        ("en", "turn on the light", []),
        ("en", "do you remember that I like tea?", []),
        ("en", "Don't forget that we leave on Friday", [("We leave on Friday", "fact", None, None)]),
        (
            "de",
            "Merk dir, dass Anna nachts 19 Grad mag",
            [("Anna nachts 19 Grad mag", "preference", None, None)],
        ),
        (
            "de",
            "Merk dir bitte, dass Anna nachts 19 Grad mag",
            [("Anna nachts 19 Grad mag", "preference", None, None)],
        ),
        ("de", "Nenn diese Lampe Leselampe", [("Leselampe = Sofa lamp", "fact", None, "nickname leselampe")]),
        ("de", "Vergiss, dass ich Tee mag", ["Ich Tee mag"]),
        (
            "de",
            "Die Leselampe ist die neben dem Sofa",
            [("Die Leselampe ist die neben dem Sofa", "fact", None, None)],
        ),
        (
            "fr",
            "Souviens-toi que les poubelles passent le mardi",
            [("Les poubelles passent le mardi", "fact", None, None)],
        ),
        (
            "fr",
            "Appelle cette lampe la lampe de lecture",
            [("lampe de lecture = Sofa lamp", "fact", None, "nickname lampe de lecture")],
        ),
        ("fr", "Oublie que j'aime le thé", ["J'aime le thé"]),
        ("fr", "Retiens que le chien s'appelle Rex", [("Le chien s'appelle Rex", "fact", None, None)]),
        (
            "fr",
            "La lampe de lecture, c'est celle près du canapé",
            [("La lampe de lecture, c'est celle près du canapé", "fact", None, None)],
        ),
        (
            "es",
            "Recuerda que la basura se recoge los martes",
            [("La basura se recoge los martes", "fact", None, None)],
        ),
        (
            "es",
            "Llama a esta lámpara la lámpara de lectura",
            [("lámpara de lectura = Sofa lamp", "fact", None, "nickname lampara de lectura")],
        ),
        ("es", "Olvida que me gusta el té", ["Me gusta el té"]),
        (
            "nl",
            "Onthoud dat het vuilnis op dinsdag wordt opgehaald",
            [("Het vuilnis op dinsdag wordt opgehaald", "fact", None, None)],
        ),
        ("nl", "Noem deze lamp de leeslamp", [("leeslamp = Sofa lamp", "fact", None, "nickname leeslamp")]),
        ("nl", "Vergeet dat ik van thee hou", ["Ik van thee hou"]),
        (
            "ko",
            "쓰레기는 화요일에 수거한다는 걸 기억해 줘",
            [("쓰레기는 화요일에 수거한다", "fact", None, None)],
        ),
        ("ko", "이 램프를 독서등이라고 불러 줘", [("독서등 = Sofa lamp", "fact", None, "nickname 독서등")]),
        ("ko", "내가 차를 좋아한다는 걸 잊어 줘", ["내가 차를 좋아한다"]),
        ("ko", "기억해 줘: 강아지 이름은 렉스야", [("강아지 이름은 렉스야", "fact", None, None)]),
    ],
)
def test_what_is_said_outright(language: str, text: str, expected: list[object]) -> None:
    [asked] = asked_of_memory(text, language, "anna", LAMP)
    assert told(asked) == expected
    assert asked is None or asked.sure == (asked.keep is None or asked.keep.importance > 0.6)  # all but preferences


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
    assert asked_of_memory(text, language, "anna") == [None]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "call the fire department"),
        ("en", "call my mother please"),
        ("en", "call the kitchen"),
        ("en", "name the capital of the Netherlands"),
        ("en", "can you call the police?"),
        ("de", "Nenn mir die Temperatur"),
        ("de", "Nenne die Temperatur im Bad"),
        ("de", "Nenn das Wetter"),
        ("de", "Nenn mir alle offenen Fenster"),
        ("de", "Nenn mir bitte die Hauptstadt der Niederlande"),
        ("fr", "Appelle le médecin"),
        ("fr", "appelle ma mère s'il te plaît"),
        ("fr", "Appelle les pompiers"),
        ("es", "llama a mi madre"),
        ("es", "llama a los bomberos por favor"),
        ("es", "llama a este número"),
        ("nl", "noem de temperatuur in de keuken"),
        ("nl", "noem de hoofdstad van Nederland"),
        ("nl", "noem het weer"),
        ("ko", "소방서에 전화해 줘"),
        ("ko", "엄마를 불러 줘"),
        ("ko", "택시를 빨리 오라고 불러 줘"),
    ],
)
def test_who_is_to_be_called_and_what_is_to_be_named_is_nothing_for_memory(language: str, text: str) -> None:
    assert asked_of_memory(text, language, "anna", LAMP, THINGS.__contains__) == [None]


@pytest.mark.parametrize(
    ("language", "text", "name", "what"),
    [
        ("en", "call the kitchen counter light the cooking lamp", "cooking lamp", "the kitchen counter light"),
        ("en", "please call the kitchen counter light sunny", "sunny", "the kitchen counter light"),
        ("en", "can you name the kitchen counter light the moon?", "moon", "the kitchen counter light"),
        ("de", "Nenn das Küchenlicht Kochlicht", "Kochlicht", "das Küchenlicht"),
        ("fr", "Appelle la lampe du salon la lune", "lune", "la lampe du salon"),
        ("es", "Llama a la luz de la cocina la luna", "luna", "la luz de la cocina"),
        ("nl", "Noem het keukenlicht de maan", "maan", "het keukenlicht"),
        ("ko", "주방 조명을 달님이라고 불러 줘", "달님", "주방 조명"),
    ],
)
def test_a_thing_of_the_home_can_be_called_something(language: str, text: str, name: str, what: str) -> None:
    found = naming(text, language, THINGS.__contains__)
    assert found is not None
    assert (found.name, found.what, found.here) == (name, what, False)
    [asked] = asked_of_memory(text, language, "anna", (), THINGS.__contains__)
    assert asked is not None
    assert asked.sure
    assert asked_of_memory(text, language, "anna") == [None]  # in a home that has no such thing


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "remember the milk"),
        ("en", "forget the timer"),
        ("en", "from now on turn the lights off at 10"),
        ("de", "Merk dir die Milch"),
        ("de", "Vergiss den Timer"),
        ("fr", "Oublie le minuteur"),
        ("es", "Recuerda la leche"),
        ("es", "Olvida el temporizador"),
        ("nl", "Onthoud de melk"),
        ("nl", "Vergeet de timer"),
        ("ko", "우유 기억해 줘"),
        ("ko", "타이머 잊어 줘"),
    ],
)
def test_what_may_mean_something_else_is_not_surely_for_memory(language: str, text: str) -> None:
    [asked] = asked_of_memory(text, language, "anna", LAMP)
    assert asked is not None
    assert not asked.sure


def test_a_thing_to_be_remembered_is_no_statement() -> None:
    assert said_outright("remember the milk", "en") == []
    assert [one.content for one in said_outright("remember Lisa is allergic to nuts", "en")] == [
        "Lisa is allergic to nuts"
    ]


def test_each_sentence_is_read_by_itself() -> None:
    found = said_outright("Turn on the light. Remember that the bins go out on Monday.", "en", "a")
    assert [one.content for one in found] == ["The bins go out on Monday"]
    assert asked_of_memory("Turn on the light. Remember that the bins go out on Monday.", "en")[0] is None


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "forget it"),
        ("de", "Vergiss das wieder"),
        ("fr", "Oublie ça"),
        ("es", "Olvida eso"),
        ("nl", "Vergeet dat maar"),
        ("ko", "그거 잊어"),
    ],
)
def test_to_forget_what_is_pointed_at_means_what_was_told_last(language: str, text: str) -> None:
    [asked] = asked_of_memory(text, language, "anna")
    assert asked is not None
    assert (asked.last, asked.forget, asked.keep, asked.sure) == (True, None, None, False)


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
            assert asked_of_memory(text, language, "anna", LAMP, lambda _: True) == [None]


def test_a_name_has_its_own_article_and_what_is_pointed_at_is_no_part_of_it() -> None:
    lamp = [Subject("entity", "light.floor", "Stehlampe")]
    [dutch] = said_outright("Noem die de maanlamp.", "nl", "lena", lamp)
    [korean] = said_outright("이걸 달님이라고 불러 줘.", "ko", "minji", lamp)
    assert (dutch.key, korean.key) == ("nickname maanlamp", "nickname 달님")


def test_a_condition_may_come_after_the_request_where_the_verb_stands_last() -> None:
    [told] = said_outright("나는 차가 뜨거운 것을 좋아한다고 기억해 줘, 하지만 저녁에만.", "ko", "minji")
    assert told.content == "나는 차가 뜨거운 것을 좋아한다, 하지만 저녁에만"
    [told] = said_outright("나는 뜨거운 차를 좋아한다고 기억해 줘.", "ko", "minji")
    assert told.content == "나는 뜨거운 차를 좋아한다"
    [told] = said_outright("나는 뜨거운 차를 좋아한다고 기억해 줘, 음악 틀어 줘.", "ko", "minji")
    assert told.content == "나는 뜨거운 차를 좋아한다", "the order beside it is for others"
    [forget] = asked_of_memory("나는 뜨거운 차를 좋아한다는 거 잊어 줘", "ko", "minji")
    assert forget is not None
    assert forget.forget == "나는 뜨거운 차를 좋아한다"


@pytest.mark.parametrize(
    ("code", "text", "kept"),
    [
        ("en", "Remember just for me that the present is in the shed.", "The present is in the shed"),
        ("de", "Merk dir nur für mich, dass das Geschenk im Schuppen liegt.", "Das Geschenk im Schuppen liegt"),
        ("fr", "Retiens juste pour moi que le cadeau est dans la cabane.", "Le cadeau est dans la cabane"),
        ("es", "Recuerda solo para mí que el regalo está en el cobertizo.", "El regalo está en el cobertizo"),
        ("nl", "Onthoud alleen voor mij dat het cadeau in de schuur ligt.", "Het cadeau in de schuur ligt"),
    ],
)
def test_whom_it_is_for_is_no_part_of_what_is_kept(code: str, text: str, kept: str) -> None:
    [candidate] = said_outright(text, code, "anna")
    assert candidate.content == kept
    assert (candidate.user_id, str(candidate.sensitivity)) == ("anna", "private")
