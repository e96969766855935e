"""What a language pack holds, and how one is read from its file.

Every phrase is a text, in the spelling that people use; it is compared without case, accents and punctuation. A phrase
may stand in several sections: which of its readings is meant is decided in the sentence.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from homeagent.errors import InvalidLanguagePack
from homeagent.languages.concepts import (
    Amount,
    ArmingMode,
    Attribute,
    Chat,
    Clock,
    Complaint,
    Courteous,
    DayWord,
    Dimension,
    FanMotion,
    ListAction,
    Listed,
    Mode,
    Particle,
    Playback,
    Purpose,
    Question,
    Reference,
    Role,
    ShoppingWord,
    Sky,
    Sunlight,
    Topic,
    Unit,
    Verb,
    Way,
)
from homeagent.languages.example_home import ExampleArea, ExampleThing
from homeagent.languages.folder import Part, file_of, languages_with
from homeagent.languages.language_codes import best_match
from homeagent.values.yaml_text import Loader

F = TypeVar("F", bound=BaseModel)


def _told_once(phrases: list[str]) -> list[str]:
    twice = sorted({p for p in phrases if phrases.count(p) > 1})
    if twice:
        raise ValueError(f"told twice: {', '.join(twice)}")
    return phrases


Phrase = Annotated[str, Field(min_length=1)]
Phrases = Annotated[list[Phrase], AfterValidator(_told_once)]


class Strict(BaseModel):
    """A part of a file: unknown keys are errors, and what was read cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Inflection(Strict):
    """A form of each word that says what to do: ``cut`` is taken off its end and ``add`` put there."""

    cut: str
    add: str


class PurposeWords(Strict):
    """``asked``: what is asked for; ``things``: what a thing that serves it is called."""

    asked: Phrases
    things: Phrases


class ShareWords(Strict):
    """``does``: what alone says that something is to have a share of what it has now ("halve"); ``leads``: what says it
    with an adjective behind ("half as", "half as bright").
    """

    does: Phrases = []
    leads: Phrases = []


class Examples(Strict):
    """Sentences, with what each means in the home of `example_home`, whose ``areas`` and ``things`` are named here.

    What a sentence means is told as `homeagent.evaluation.packs.checking` reads it: "turn_on lamp brightness_pct=30",
    "ask locked door", "nothing".
    """

    areas: dict[ExampleArea, Phrase] = {}
    things: dict[ExampleThing, Phrase] = {}
    sentences: dict[Phrase, Phrase] = {}


class TaskVerbs(Strict):
    """How the verb of a task is known, in what is put on a list: "Reifen wechseln", "regar las plantas"."""

    last: bool = False
    """Whether it stands last, and not first."""
    endings: Phrases = []
    """How its plain form ends; empty: anyhow."""
    forms: list[Annotated[str, Field(pattern=r"^\d:")]] = []
    """Other forms of it that no noun has: how many letters are cut off, and what is put there."""
    gerund: str = ""
    """What makes a noun of any verb, in a language whose verbs look like nouns."""
    also: Phrases = []
    """What a task ends with, or begins with where its verb stands first, beside these verbs."""


class PackFile(Strict):
    """One language. All sections but ``language`` may be missing."""

    language: Phrase
    inflections: list[Inflection] = []
    verb_first: bool = False
    """Whether in a phrase of several words that says what to do the verb stands first, and has its forms there."""
    elisions: dict[Phrase, Phrase] = {}
    """Words that are shorter before a vowel: what ends with one is known with the short one, too."""
    subject_tells: bool = False
    """Whether a clause that opens with who does something tells it, and never orders it."""
    adjectives_behind: bool = False
    """Whether a word that tells which thing is meant stands behind the thing's own."""
    contractions: Phrases = []
    """What may be written to who is spoken of, behind an apostrophe, and says how they are: "nan's asleep"."""
    gerunds: Phrases = []
    """How a form of a verb ends that tells behind a copula what is going on, and orders nothing: "is killing"."""
    pasts: Phrases = []
    """How a form of a verb ends that tells behind who did it what was done: "my wife turned it off"."""
    adverb_endings: Phrases = []
    """A word that nothing explains and that ends so says how, and weighs little."""
    endings: dict[Role | Reference, Phrases] = {}
    """What may hang on any word, with the role that it plays there: Korean particles. A filler plays none."""
    possessives: Phrases = []
    """What is written to a person's name where something is that person's: "annas room"."""
    verb_endings: dict[Role | Question, Phrases] = {}
    """What may hang on a predicate only: pronouns in Spanish, the endings of a Korean verb. Letters of a syllable that
    melt into the last one of the verb are written as conjoining jamo. Those that make a courtesy are words, too."""
    after_vowel: Phrases = []
    """Endings that hang on an open syllable only."""
    after_consonant: Phrases = []
    """Endings that hang on a closed syllable only."""
    written_together: bool = False
    """Whether words are often written as one: a thing and its verb, a place and a thing, a number and its unit."""
    clitics: Phrases = []
    """Words that may be written to the end of a verb, up to three of them: "apágamelas". They are read as words of
    their own, and stand so in phrases: "pon me"."""
    vocatives: Phrases = []
    """What hangs on the name of somebody who is called: "집사야"."""
    told_endings: Phrases = []
    """How a form of a verb ends that tells what is, was or will be, and orders nothing; with its accents: "apagué"."""
    third_person: Phrases = []
    """How the form of a verb ends that tells or asks of another, where that may be listed for a state: "saugt"."""
    sounds: dict[Phrase, str] = {}
    """Letters and what they sound like, in this order: patterns on a word in comparable spelling, in which a syllable
    of one sign is its letters. Words that come out alike are heard for each other: "v": b."""
    letters: dict[Phrase, Phrase] = {}
    """What letters are called: a short word of nothing but these is spelled out, "TV" is heard as "tea vee"."""
    transcribed: dict[Phrase, str] = {}
    """Patterns as under ``sounds`` that bring letters of the language and Latin ones to the same rough signs: a name in
    Latin letters may be written as it sounds, "벤" for "Ben"."""
    settled: Phrases = []
    """Words by which one tells that an errand is done with, or a thing is there: "paid", "washed"; where these stand at
    the end, how they begin. They tell nothing anywhere else."""
    separable: Phrases = []
    """Particles that may be written before a verb as one word with it: "ausschalten"."""
    infixes: Phrases = []
    """What may stand between such a particle and its verb: "anZUmachen"."""
    compounds: list[str] = []
    """What may link the two parts of a compound ("Küche-N-lampe"), the empty text included; none: there are none."""
    postpositions: bool = False
    """Whether the words that lead a value, a place or an exception stand behind it, and the verb at the end."""
    tens: Phrase | None = None
    """How tens and units are said together, as "{ten} {unit}"; units and tens are in ``numbers``."""
    powers: dict[Annotated[int, Field(ge=100, le=1000)], Phrases] = {}
    """How several hundreds and thousands are said, as "{n} hundred"; those that are said otherwise are in ``numbers``.
    """
    verbs: dict[Verb, Phrases] = {}
    particles: dict[Particle, Phrases] = {}
    directions: dict[Way, Phrases] = {}
    comparatives: dict[Dimension, dict[Way, Phrases]] = {}
    """Directions that say their dimension: "brighter"."""
    extremes: dict[Way, dict[Attribute | Literal["any"], Phrases]] = {}
    """The most or the least of an attribute, or of whatever is spoken of."""
    dimensions: dict[Dimension, Phrases] = {}
    levels: dict[Annotated[int, Field(ge=0, le=100)], Phrases] = {}
    """Shares in percent that are said in no number."""
    shares: dict[Annotated[int, Field(ge=1, le=1000)], ShareWords] = {}
    """Shares of what it is now."""
    positives: dict[Dimension, Phrases] = {}
    """What is said behind ``leads`` of a share: "bright"."""
    qualities: dict[Attribute, Phrases] = {}
    """Adjectives for what is measured. Asked whether a room is "warm", its temperature is told."""
    whites: dict[Annotated[int, Field(ge=1000, le=12000)], Phrases] = {}
    """Whites by kelvin."""
    colours: dict[Phrase, Phrases] = {}
    """By CSS name."""
    modes: dict[Mode, Phrases] = {}
    options: dict[str, Phrases] = {}
    """What values of things' own lists are called, by the values as they stand there, several apart by ``|``."""
    genres: dict[str, Phrases] = {}
    """What is said for a station whose name holds a word for its sort of music, by those words, several apart by
    ``|``."""
    choices: dict[Listed, Phrases] = {}
    """What is set to one of a thing's own choices."""
    draughts: dict[FanMotion, Phrases] = {}
    playback: dict[Playback, Phrases] = {}
    guards: dict[ArmingMode, Phrases] = {}
    amounts: dict[Amount, Phrases] = {}
    units: dict[Unit, Phrases] = {}
    numbers: dict[Annotated[float, Field(ge=0)], Phrases] = {}
    roles: dict[Role, Phrases] = {}
    references: dict[Reference, Phrases] = {}
    ordinals: dict[int, Phrases] = {}
    """By place, from 0; -1 is the last."""
    outdoor_rooms: Phrases = []
    """Words in the names of rooms that are not inside."""
    outside: Phrases = []
    """Single words for the open air that inside is held against."""
    of_wind: Phrases = []
    """Single words that say beside the wind that it blows, and how hard."""
    partitives: Phrases = []
    """Articles of an amount. Behind an item that one of them leads they lead another: "des pommes des poires"."""
    than: Phrases = []
    """What leads that which something is held against; or hangs on it."""
    courtesies: dict[Courteous, Phrases] = {}
    """The words of which courtesies are made; what is said in always the same words stands in ``roles``."""
    questions: dict[Question, Phrases] = {}
    attributes: dict[Attribute, Phrases] = {}
    states: dict[Phrase, dict[Phrase, Phrases]] = {}
    """By device class ("default": of anything), then by raw state."""
    lists: dict[ListAction, Phrases] = {}
    errands: dict[ShoppingWord, Phrases] = {}
    tasks: TaskVerbs | None = None
    topics: dict[Topic, Phrases] = {}
    purposes: dict[Purpose, PurposeWords] = {}
    skies: dict[Sky, Phrases] = {}
    days: dict[DayWord, Phrases] = {}
    clock: dict[Clock, Phrases] = {}
    chat: dict[Chat, Phrases] = {}
    complaints: dict[Complaint, Phrases] = {}
    sunlight: dict[Sunlight, Phrases] = {}
    """The sun in a room, and what says that it comes in, or is to, and that it is not wanted there."""
    rooms: list[Phrases] = []
    """Groups of words for one and the same sort of room."""
    alike: list[Phrases] = []
    """Groups of words of names that say the same: "overhead", "ceiling"."""
    storeys: dict[Way, Phrases] = {}
    """Words for the highest and the lowest floor of a home that names them otherwise."""
    examples: Examples = Examples()


class _Texts(Loader):  # type: ignore[misc]  # one of two classes
    """Reads every scalar as a text, since YAML takes a bare "on", "no" or "7" for something else; refuses a key that
    is there twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, object]:
        seen: dict[object, int] = {}
        for key, _ in node.value:
            if key.value in seen:
                told = f"“{key.value}” is there twice, first in line {seen[key.value]}"
                raise yaml.constructor.ConstructorError(None, None, told, key.start_mark)
            seen[key.value] = key.start_mark.line + 1
        made: dict[Hashable, object] = super().construct_mapping(node, deep=deep)
        return made


_Texts.yaml_implicit_resolvers = {}


def read_pack(path: Path) -> PackFile:
    """The pack of a file. Raises `InvalidLanguagePack`, which tells file, line and place."""
    return _read(path, PackFile)


def read_part_as(language: str, part: Part, schema: type[F]) -> tuple[str, F] | None:
    """The code of the language that fits best, and its checked file for a purpose; None where there is none. Blocks.

    Raises `InvalidLanguagePack`, which tells file, line and place.
    """
    code = best_match(language, languages_with(part))
    return (code, _read(file_of(code, part), schema)) if code is not None else None


def _read(path: Path, schema: type[F]) -> F:
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidLanguagePack(f"{path}: it is not written in UTF-8 (byte {error.start}). Save it so.") from error
    try:
        content = yaml.load(text, Loader=_Texts)
        if not isinstance(content, dict):
            raise InvalidLanguagePack(f"{path}, line 1: a pack is sections with words, no list or text.")
        return schema.model_validate(content)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        raise InvalidLanguagePack(f"{path}, line {line}: {getattr(error, 'problem', error)}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "[key]")
        line = _line_of(yaml.compose(text, Loader=_Texts), first["loc"])
        raise InvalidLanguagePack(f"{path}, line {line}, at {place or 'the top'}: {first['msg']}.") from error


def _line_of(node: yaml.Node | None, place: Sequence[int | str]) -> int:
    """The line on which what ``place`` leads to begins, or the last known one on the way there."""
    line = node.start_mark.line + 1 if node is not None else 1
    for part in place:
        if isinstance(node, yaml.MappingNode):
            pair = next(((k, v) for k, v in node.value if k.value == str(part)), None)
            if pair is None:
                return line
            line, node = pair[0].start_mark.line + 1, pair[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            return line
    return line
