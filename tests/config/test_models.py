"""Language models as they are set: by name, in a chain, as before, with keys from the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from homeagent.assembly.models import (
    is_hosted,
    main_profiles,
    make_external_model,
    make_litellm,
    make_memory_model,
)
from homeagent.brains.llm.client import LlmModel
from homeagent.config import loading as config
from homeagent.errors import ConfigError
from homeagent.privacy.redact import MASK

CHAIN = """
[llm]
profile = "main"
fallback = ["near"]

[models.main]
model = "gpt-4o-mini"
api_key_env = "MY_OPENAI_KEY"
requests_per_minute = 60
tokens_per_day = 200000
price = { prompt = 0.15, completion = 0.6 }
options = { reasoning_effort = "low" }

[models.near]
model = "ollama_chat/qwen3"
base_url = "http://localhost:11434"
context_window = 16384

[memory]
profile = "near"

[external_llm]
profile = "main"
"""


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOMEAGENT_CONFIG", raising=False)
    monkeypatch.delenv("MY_OPENAI_KEY", raising=False)
    monkeypatch.delenv("OLLAMA_API_BASE", raising=False)


def written(folder: Path, text: str) -> Path:
    file = folder / "config.toml"
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    return file


def complaint(folder: Path, text: str) -> str:
    with pytest.raises(ConfigError) as raised:
        config.load(written(folder, text))
    return str(raised.value)


def test_a_chain_of_named_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_OPENAI_KEY", "sk-from-the-environment")
    settings = config.load(written(tmp_path, CHAIN))
    main, near = main_profiles(settings)
    assert (main.name, main.model.name, main.model.api_key) == ("main", "gpt-4o-mini", "sk-from-the-environment")
    assert (main.requests_per_minute, main.tokens_per_day) == (60, 200_000)
    assert main.model.prices is not None
    assert main.model.prices.prompt == pytest.approx(0.15e-6)
    assert main.model.options == {"reasoning_effort": "low"}
    assert (near.name, near.window, near.of_ollama, near.model.section) == ("near", 16384, True, "models.near")
    child = make_litellm(settings)
    memory, other = make_memory_model(settings, child), make_external_model(settings, child)
    assert memory is not None
    assert memory.profile == near
    assert other is not None
    assert other.profile == main


def test_a_key_that_is_not_in_the_environment_is_known_by_its_variable(tmp_path: Path) -> None:
    main, _ = main_profiles(config.load(written(tmp_path, CHAIN)))
    assert main.model.api_key is None
    assert main.model.missing_key == "MY_OPENAI_KEY"


def test_a_file_of_before_means_what_it_meant(tmp_path: Path) -> None:
    before = """
[llm]
model = "ollama/qwen3"
base_url = "http://localhost:11434"
api_key = "k"
timeout = "30s"
context_window = 4096
max_attempts = 2
requests_per_minute = 9
stream = false
text_tool_calls = true
temperature = 0.2
options = { num_ctx = 4096 }

[memory]
model = "gpt-4o-mini"

[external_llm]
model = "anthropic/claude"
max_tokens = 4000
"""
    settings = config.load(written(tmp_path, before))
    (only,) = main_profiles(settings)
    assert (only.name, only.model.section, only.model.served_as) == ("llm", "llm", "ollama_chat/qwen3")
    assert (only.model.timeout, only.model.temperature, only.window) == (30.0, 0.2, 4096)
    assert (only.attempts, only.requests_per_minute, only.stream, only.text_calls) == (2, 9, False, True)
    child = make_litellm(settings)
    memory, other = make_memory_model(settings, child), make_external_model(settings, child)
    assert memory is not None
    assert (memory.profile.model.name, memory.profile.model.options) == ("gpt-4o-mini", {"num_ctx": 4096})
    assert other is not None
    assert (other.profile.model.name, other.profile.model.max_tokens) == ("anthropic/claude", 4000)


def test_a_profile_can_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOMEAGENT_MODELS__CHEAP__MODEL", "gpt-4o-mini")
    monkeypatch.setenv("HOMEAGENT_MODELS__CHEAP__PRICE__PROMPT", "0.15")
    monkeypatch.setenv("HOMEAGENT_MODELS__CHEAP__PRICE__COMPLETION", "0.6")
    monkeypatch.setenv("HOMEAGENT_MODELS__CHEAP__OPTIONS", '{"top_p": 0.5}')
    monkeypatch.setenv("HOMEAGENT_LLM__PROFILE", "cheap")
    (only,) = main_profiles(config.load())
    assert (only.model.name, only.model.options) == ("gpt-4o-mini", {"top_p": 0.5})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[llm]\nprofile = 'big'\n[models.small]\nmodel = 'm'",
            "there is no [models.big]; under models there is: small",
        ),
        ("[llm]\nmodel = 'm'\nfallback = ['big']", "there is no [models.big]; under models there is: none"),
        ("[memory]\nprofile = 'big'", "memory: there is no [models.big]"),
        ("[llm]\nmodel = 'm'\nprofile = 'a'\n[models.a]\nmodel = 'm'", "set model or profile, not both"),
        ("[llm]\nfallback = ['a']\n[models.a]\nmodel = 'm'", "fallback needs a model or profile before it"),
        ("[models.a]\nbase_url = 'http://x'", "models.a.model"),
        ("[models.a]\nmodel = 'm'\napi_key = 'k'\napi_key_env = 'K'", "set api_key or api_key_env, not both"),
        ("[models.a]\nmodel = 'm'\ncontxt_window = 4096", "Did you mean models.NAME.context_window?"),
    ],
)
def test_what_is_wrong_with_models_is_told(tmp_path: Path, text: str, said: str) -> None:
    assert said in complaint(tmp_path, text)


def test_no_view_shows_a_profiles_secrets(tmp_path: Path) -> None:
    text = "[models.a]\nmodel = 'm'\napi_key = 'hunter2hunter2'\noptions = { extra_headers = { Ocp = 'zzz-1' }, p = 1 }"
    shown = config.masked(config.load(written(tmp_path, text)))
    assert shown["models"]["a"]["api_key"] == MASK
    assert "hunter2" not in repr(shown)
    assert "zzz-1" not in repr(shown)
    assert shown["models"]["a"]["options"]["p"] == 1


@pytest.mark.parametrize(
    ("name", "base_url", "hosted"),
    [
        ("gpt-4o-mini", None, True),
        ("ollama_chat/qwen3", None, False),
        ("openai/qwen", "http://192.168.1.20:8000/v1", False),
        ("openai/qwen", "http://localhost:8000/v1", False),
        ("openai/qwen", "http://gpu.local:8000/v1", False),
        ("openai/qwen", "http://gpu:8000/v1", False),
        ("openai/qwen", "https://api.example.com/v1", True),
        ("ollama_chat/qwen3", "https://ollama.example.com", True),
        ("ollama_chat/gpt-oss:120b-cloud", "http://localhost:11434", True),
        ("ollama/glm-4.6:cloud", None, True),
        ("openai/gpt-oss:120b-cloud", "http://gpu.local:11434/v1", True),
        ("ollama_chat/cloud-7b", "http://localhost:11434", False),
        ("openai/qwen", "http://134744072/v1", True),
        ("openai/qwen", "http://0x08080808/v1", True),
        ("openai/qwen", "http://8.8.2056/v1", True),
        ("openai/qwen", "http://[::ffff:8.8.8.8]/v1", True),
        ("openai/qwen", "http://[fd00::5]:8000/v1", False),
        ("openai/qwen", "http://3dprinter:8000/v1", False),
        ("openai/qwen", "http://api。example。com/v1", True),
    ],
)
def test_which_models_run_on_somebody_elses_machines(name: str, base_url: str | None, hosted: bool) -> None:
    assert is_hosted(LlmModel(name, base_url=base_url)) is hosted


@pytest.mark.parametrize(
    ("address", "hosted"),
    [
        ("", False),
        ("http://192.168.1.20:11434", False),
        ("gpu:11434", False),
        ("https://ollama.com", True),
        ("ollama.example.com:11434", True),
        ("http://[nowhere", True),
    ],
)
def test_where_ollama_is_may_stand_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, address: str, hosted: bool
) -> None:
    monkeypatch.setenv("OLLAMA_API_BASE", address)
    assert is_hosted(LlmModel("ollama_chat/qwen3")) is hosted
    assert not is_hosted(LlmModel("ollama_chat/qwen3", base_url="http://localhost:11434"))


def test_an_address_among_the_options_counts() -> None:
    elsewhere = {"api_base": "https://api.example.com/v1"}
    assert is_hosted(LlmModel("openai/qwen", base_url="http://localhost:8000/v1", options=elsewhere))
    assert not is_hosted(LlmModel("openai/qwen", options={"api_base": "http://localhost:8000/v1"}))
