"""Everything that can be told of a language pack without a home, at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from homeagent.errors import InvalidInput
from homeagent.evaluation.packs.coverage import KINDS, SectionSize, missing_concepts, missing_sentences, sizes
from homeagent.evaluation.packs.examples import Example, names_of, read_examples
from homeagent.evaluation.packs.unknown import Mined, unknown_words
from homeagent.languages.language_codes import best_match
from homeagent.languages.pack import languages, make_pack, path_of
from homeagent.languages.pack_schema import read_pack
from indexer.lexicon import lexicon


@dataclass(frozen=True, slots=True)
class PackReport:
    """What is to be told of one pack. ``missing``: by section, concepts that it does not name."""

    language: str
    file: Path
    missing: Mapping[str, tuple[str, ...]]
    sizes: tuple[SectionSize, ...]
    examples: tuple[Example, ...]
    mined: Mined

    @property
    def failing(self) -> tuple[Example, ...]:
        """The examples that are taken for something else."""
        return tuple(e for e in self.examples if not e.holds)

    @property
    def whole(self) -> bool:
        """Whether every concept is named and every example holds. Of kinds of things some words will do."""
        without_kinds = not lexicon(self.language).phrases
        return not (set(self.missing) - {KINDS} or without_kinds or self.failing)


def files_for(code: str | None) -> tuple[Path, ...]:
    """The file of the pack for a code, or of every pack. Raises InvalidInput where there is none for it."""
    if code is None:
        return tuple(path_of(known) for known in languages())
    found = best_match(code, languages())
    if found is None:
        raise InvalidInput(
            f"There is no language pack for {code!r}.",
            hint=f"There are {', '.join(languages())}. --file PATH checks one that is not installed yet.",
        )
    return (path_of(found),)


def check(file: Path) -> PackReport:
    """Check the pack in a file. Takes seconds. Raises `InvalidLanguagePack`."""
    read = read_pack(file)
    pack = make_pack(read)
    names = names_of(read, pack)
    return PackReport(
        read.language,
        file,
        {**missing_concepts(read), **missing_sentences(read.language)},
        tuple(sizes(read)),
        tuple(read_examples(read, pack)),
        unknown_words(read.language, names),
    )
