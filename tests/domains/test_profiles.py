"""What the profiles of domains say fits together, and each is of a domain that is spoken of."""

from __future__ import annotations

import pytest

from homeagent.claims.claim import ClaimedAction
from homeagent.domains import PROFILES, Profile, canonical_action
from homeagent.domains.states import raw_states
from homeagent.languages.concepts import Complaint
from indexer.entity import Entity
from indexer.lexicon import languages, lexicon


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_a_profile_fits_together(profile: Profile) -> None:
    settable = {p.name for s in profile.setters for p in s.params}
    assert not profile.value or profile.value in settable
    assert {c.parameter for c in profile.choices} <= settable
    assert set(profile.at_work) <= {*profile.states, "buffering"}
    assert profile.only_by_grammar <= profile.meant.keys()
    for said, meant in profile.meant.items():
        assert canonical_action(profile.domain, meant), (said, meant)
    for service in profile.actions.values():
        known = {*profile.known_states, "on", "off"}
        assert not profile.states or set(service.reaches) <= known | {"open"}, service


def test_what_on_means_is_told_by_the_profile() -> None:
    assert set(raw_states(Entity("vacuum.rosie", "Rosie"), ["on"])) == {"on", "cleaning"}
    assert raw_states(Entity("light.lamp", "Lamp"), ["on", "open"]) == ("on",)


def test_an_attribute_is_told_in_one_unit_whatever_has_it() -> None:
    read = {(m.reads, m.unit, m.whole) for p in PROFILES.values() for m in p.measures if m.reads and m.unit}
    assert len(read) == len({reads for reads, *_ in read})


def test_every_kind_that_has_a_word_is_of_a_known_domain() -> None:
    named = {
        k.domain for code in languages() for w in lexicon(code).phrases.values() for c in w.concepts for k in c.kinds
    }
    assert named <= PROFILES.keys()


def test_one_thing_is_done_about_a_complaint() -> None:
    told = [r.complaint for p in PROFILES.values() for r in p.remedies]
    assert len(told) == len(Complaint)
    assert set(told) == set(Complaint)


def test_what_a_call_may_be_told_as_is_a_deed() -> None:
    assert {deed for p in PROFILES.values() for deed in p.told_as} <= {deed.value for deed in ClaimedAction}
