"""Language codes as people and systems write them ("pt-br", "zh_Hans", "no"), matched with the codes that there is
something under.

The rules are those that Home Assistant picks a language by: of the same language, the same script goes first, then the
same region, then what has no region, then the region that the language is mostly meant by.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_SAME = {"no": "nb", "iw": "he", "in": "id", "ji": "yi"}
"""Older or wider codes, and those that are used in their place."""
_SCRIPT_OF_REGION = {
    "zh": {"CN": "Hans", "SG": "Hans", "MY": "Hans", "TW": "Hant", "HK": "Hant", "MO": "Hant"},
    "sr": {},
}
"""Languages that are written in two scripts, and where which one is written."""
_USUAL_SCRIPT = {"zh": "Hans", "sr": "Cyrl"}
_USUAL_REGIONS = {"en": ("US", "GB"), "zh": ("CN", "HK", "TW")}


@dataclass(frozen=True, slots=True)
class Code:
    """A language by its two or three letters; script and region are empty where they are not said."""

    language: str
    script: str = ""
    region: str = ""

    def __str__(self) -> str:
        return "-".join(filter(None, (self.language, self.script, self.region)))

    @property
    def written_in(self) -> str:
        """The script, where the language has several."""
        regions = _SCRIPT_OF_REGION.get(self.language, {})
        return self.script or regions.get(self.region) or _USUAL_SCRIPT.get(self.language, "")


def parse(code: str) -> Code:
    """The parts of a code in their usual spelling: "ZH_hans" is zh-Hans, "no" is nb. What is no part is left out."""
    first, *rest = code.strip().replace("_", "-").split("-")
    language = first.lower()
    script = next((p.title() for p in rest if len(p) == 4 and p.isalpha()), "")
    region = next((p.upper() for p in rest if (len(p) == 2 and p.isalpha()) or (len(p) == 3 and p.isdigit())), "")
    return Code(_SAME.get(language, language), script, region)


def base_language(code: str) -> str:
    """The language alone: ``de`` for ``de-CH``, ``nb`` for ``no``."""
    return parse(code).language


def best_match(code: str, known: Iterable[str]) -> str | None:
    """The one of ``known``, as it stands there, that fits a code best; None where none is of that language."""
    return _best_match(code, tuple(known))


@lru_cache(maxsize=512)
def _best_match(code: str, known: tuple[str, ...]) -> str | None:
    if code in known:
        return code
    wanted = parse(code)
    fitting = [(parse(k), k) for k in known]
    ranked = sorted((_distance(wanted, other), k) for other, k in fitting if other.language == wanted.language)
    return ranked[0][1] if ranked else None


def _distance(wanted: Code, other: Code) -> tuple[bool, bool, bool, int]:
    """How far a code of the same language is from the wanted one, least first."""
    usual = _USUAL_REGIONS.get(wanted.language, ())
    return (
        other.written_in != wanted.written_in,
        other.region != wanted.region,
        bool(other.region),
        usual.index(other.region) if other.region in usual else len(usual),
    )
