"""What people are called: first and last names of many countries, as the package faker lists them, folded.

Read at the first search, in a thread: it takes most of a second.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from indexer.normalise import unaccented

_COUNTRIES = (
    *("en_US", "en_GB", "en_IE", "en_NZ", "en_IN", "en_KE", "en_NG", "de_DE", "de_AT", "de_CH", "de_LU"),
    *("fr_FR", "fr_CH", "fr_BE", "fr_CA", "fr_DZ", "es_ES", "es_MX", "es_AR", "es_CO", "nl_NL", "nl_BE"),
    *("it_IT", "pt_PT", "pt_BR", "pl_PL", "tr_TR", "sv_SE", "da_DK", "no_NO", "fi_FI", "et_EE", "lt_LT", "lv_LV"),
    *("cs_CZ", "sk_SK", "hr_HR", "sl_SI", "ro_RO", "hu_HU", "id_ID", "vi_VN", "az_AZ", "tw_GH", "zu_ZA", "ko_KR"),
)
_NEAR = ("en_US", "en_GB", "de_DE", "fr_FR", "es_ES", "nl_NL")
_KOREAN = "ko_KR"
_SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Names:
    """``first`` and ``last`` in lower case without accents; ``near``: first names of the languages that are read, which
    are known in small letters, too; ``given`` and ``family`` in Hangul."""

    near: frozenset[str]
    first: frozenset[str]
    last: frozenset[str]
    given: frozenset[str]
    family: frozenset[str]


@cache
def known_names() -> Names:
    """All of them. Blocks."""
    first = {name for country in _COUNTRIES if country != _KOREAN for name in _of(country, "first")}
    last = {name for country in _COUNTRIES if country != _KOREAN for name in _of(country, "last")}
    near = {name for country in _NEAR for name in _of(country, "first")}
    korean = (frozenset(_of(_KOREAN, kind)) for kind in ("first", "last"))
    return Names(frozenset(near), frozenset(first), frozenset(last), *korean)


def _of(country: str, kind: str) -> Iterator[str]:
    provider = importlib.import_module(f"faker.providers.person.{country}").Provider
    for part in (f"{kind}_names", f"{kind}_names_male", f"{kind}_names_female", f"{kind}_names_nonbinary"):
        for name in getattr(provider, part, ()):
            folded = unaccented(str(name))
            if len(folded) >= (_SHORTEST if country != _KOREAN else 1) and " " not in folded:
                yield folded
