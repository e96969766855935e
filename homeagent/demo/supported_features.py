"""Home Assistant's supported-feature bits by name, and what a device of a domain can do when an inventory is silent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from homeagent.domains import profile_of


def parse_features(domain: str, given: Any, attributes: Iterable[str] = ()) -> int | None:
    """The feature bits of an entity of ``domain``; None for a domain that has none.

    ``given`` is a number, a name, a list of names (``PLAY``, ``MediaPlayerEntityFeature.PLAY`` …), or None: then what
    is usual for the domain and what its ``attributes`` tell. Raises ValueError for an unknown name.
    """
    profile = profile_of(domain)
    if profile.features is None:
        return None
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    if given is None:
        told = profile.simulated.told_by
        bits = profile.simulated.usual
        for attribute in attributes:
            bits |= told.get(attribute, 0)
        return int(bits)
    names = given.split("|") if isinstance(given, str) else [str(name) for name in given]
    return feature(domain, *(name.strip().rpartition(".")[2].upper() for name in names))


def feature(domain: str, *names: str) -> int:
    """The bits of these features of a domain, together. Raises ValueError for a name that it has not."""
    features = profile_of(domain).features
    known = features.__members__ if features is not None else {}
    bits = 0
    for name in names:
        if name not in known:
            raise ValueError(f"{domain} has no feature {name}; it has {', '.join(known)}")
        bits |= int(known[name])
    return bits
