"""Each example of `docs/models.md` and of the README is a configuration file that means what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from homeagent.assembly.models import main_profiles, make_external_model, make_litellm, make_memory_model
from homeagent.config import loading as config
from homeagent.config.problems import setting_names
from homeagent.config.settings import Settings

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs/models.md").read_text("utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", DOCUMENT, re.S)
README = list(re.findall(r"```toml\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S))
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.setenv(name, f"sk-{name.lower()}")


def loaded(folder: Path, text: str) -> Settings:
    file = folder / "config.toml"
    file.write_text(text, encoding="utf-8")
    return config.load(file)


@pytest.mark.parametrize("text", [*EXAMPLES, *README])
def test_every_example_opens_and_makes_its_models(tmp_path: Path, text: str) -> None:
    settings = loaded(tmp_path, text)
    profiles = main_profiles(settings)
    assert profiles
    for profile in profiles:
        assert profile.model.missing_key is None
        assert profile.model.api_key or profile.model.base_url, "neither a key nor a server of one's own"
    child = make_litellm(settings)
    assert (make_memory_model(settings, child) is not None) == (settings.memory.profile is not None)
    assert (make_external_model(settings, child) is not None) == (settings.external_llm.profile is not None)


def test_every_provider_that_is_named_has_an_example(tmp_path: Path) -> None:
    first = [main_profiles(loaded(tmp_path, text))[0].model.served_as for text in EXAMPLES]
    for start in ("gpt-", "anthropic/", "gemini/", "ollama_chat/", "openai/"):
        assert any(model.startswith(start) for model in first), start


def test_the_chain_of_the_document_is_that_of_its_example(tmp_path: Path) -> None:
    text = next(text for text in EXAMPLES if "fallback" in text)
    settings = loaded(tmp_path, text)
    assert [profile.name for profile in main_profiles(settings)] == ["main", "second", "near"]
    assert settings.memory.profile == "cheap"
    assert settings.external_llm.profile == "strong"


def test_every_setting_that_is_named_is_one() -> None:
    fields = {name.rpartition(".")[2] for name in setting_names()}
    named = set(re.findall(r"`((?:llm|agent|memory|external_llm)\.[a-z_]+)`", DOCUMENT)) - {
        "llm.circuit",
        "llm.switched",
    }
    assert named
    assert named <= set(setting_names())
    assert {"context_window", "max_attempts", "api_key_env", "warm_up", "fallback"} <= fields
    bare = set(re.findall(r"`([a-z]+_[a-z_]+)`", DOCUMENT))
    assert bare - fields <= {"num_ctx", "retry_in", "query_external_llm", "ha_control", "ha_query"}
