"""What the profiles of domains say fits together, and a new one is found by lying there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import homeagent.domains
from homeagent.domains import PROFILES, Profile, canonical_action, load_profiles
from homeagent.domains.states import raw_states
from indexer.entity import Entity


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


def test_a_new_domain_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kettle.py").write_text(
        "from homeagent.domains.profile import Profile\n"
        "from homeagent.domains.service import on_off\n"
        'PROFILES = (Profile("kettle", actions=on_off(), rank=30, switched=True),)\n',
        "utf-8",
    )
    monkeypatch.setattr(homeagent.domains, "__path__", [*homeagent.domains.__path__, str(tmp_path)])
    kettle = next(p for p in load_profiles() if p.domain == "kettle")
    monkeypatch.delitem(sys.modules, "homeagent.domains.kettle")
    assert kettle.controllable
    assert kettle.known_states == ("on", "off")
