"""What people get from the settings: what is in force, what is wrong and where, and a file that stays private."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from homeagent.cli.app import app
from homeagent.config import loading as config
from homeagent.config.problems import setting_names, variable_of
from homeagent.config.settings import Settings
from homeagent.errors import ConfigError
from homeagent.privacy.redact import MASK
from homeagent.values.timespan import parse_seconds


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in os.environ:
        if name.startswith("HOMEAGENT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config-home"))


def written(folder: Path, text: str) -> Path:
    file = folder / "config.toml"
    file.write_text(text, encoding="utf-8")
    return file


def complaint(file: Path | None = None) -> str:
    with pytest.raises(ConfigError) as raised:
        config.load(file)
    return str(raised.value)


def test_without_a_file_the_defaults_are_in_force_and_local() -> None:
    settings = config.load()
    assert settings.service.host == "127.0.0.1"
    assert settings.home_assistant.url is None
    assert not settings.events.home_assistant_bus
    assert config.warnings(settings) == []


def test_the_file_of_the_environment_is_read_and_must_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = written(tmp_path, "[agent]\nentity_tokens = 700\n")
    monkeypatch.setenv("HOMEAGENT_CONFIG", str(file))
    assert config.load().agent.entity_tokens == 700
    file.unlink()
    assert str(file) in complaint()
    assert config.load(missing_ok=True) == Settings()


def test_the_environment_wins_over_the_file_and_empty_variables_do_not_count(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = written(tmp_path, '[home_assistant]\nurl = "http://file:8123"\ntimeout = "5s"\n[llm]\nmodel = "kept"\n')
    monkeypatch.setenv("HOMEAGENT_HOME_ASSISTANT__URL", "http://variable:8123/")
    monkeypatch.setenv("HOMEAGENT_LLM__MODEL", "")
    settings = config.load(file)
    assert settings.home_assistant.url == "http://variable:8123"
    assert settings.home_assistant.timeout == 5.0
    assert settings.llm.model == "kept"


def test_lists_and_tables_can_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOMEAGENT_HOME_ASSISTANT__FALLBACK_DOMAINS", "light, switch")
    monkeypatch.setenv("HOMEAGENT_LLM__OPTIONS", '{"top_p": 0.5}')
    monkeypatch.setenv("HOMEAGENT_POLICY__RULES", '[{"action": "unlock", "decision": "deny"}]')
    settings = config.load()
    assert settings.home_assistant.fallback_domains == ("light", "switch")
    assert settings.llm.options == {"top_p": 0.5}
    assert settings.policy.rules[0].decision == "deny"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[home_assistant]\nurll = 'http://x'", ("home_assistant.urll is not a setting", "home_assistant.url?")),
        ("url = 'http://x'", ("url is not a setting", "home_assistant.url")),
        ("[homeassistant]\nurl = 'http://x'", ("homeassistant is not a setting", "home_assistant")),
        ("[llm]\ntemperature = 9", ("llm.temperature", "less than or equal to 2", "not '9'")),
        ("[home_assistant]\nurl = 'homeassistant.local:8123'", ("such as http://homeassistant.local:8123",)),
        ("[home_assistant]\nurl = 'http://x:99999'", ("home_assistant.url",)),
        ("[home_assistant]\nca_file = 'absent.pem'", ("home_assistant.ca_file", "no such file")),
        ("[agent]\nturn_timeout = 'soon'", ("agent.turn_timeout", "30s")),
        ("[[policy.rules]]\naction = 'unlock'\ndecision = 'maybe'", ("policy.rules.0.decision", "allow")),
        ("llm = 3", ("llm",)),
    ],
)
def test_a_wrong_setting_is_named_with_its_file_and_what_to_do(
    tmp_path: Path, text: str, expected: tuple[str, ...]
) -> None:
    file = written(tmp_path, text)
    said = complaint(file)
    assert str(file) in said
    for part in expected:
        assert part in said


def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = written(tmp_path, "[service]\nport = 1\n")
    monkeypatch.setenv("HOMEAGENT_SERVICE__PORT", "seventy")
    said = complaint(file)
    assert "service.port" in said
    assert "HOMEAGENT_SERVICE__PORT" in said
    monkeypatch.delenv("HOMEAGENT_SERVICE__PORT")
    monkeypatch.setenv("HOMEAGENT_HOME_ASSISTANT__TOKN", "x")
    assert "Did you mean HOMEAGENT_HOME_ASSISTANT__TOKEN?" in complaint(file)


def test_variables_that_container_platforms_add_are_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOMEAGENT_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("HOMEAGENT_PORT_8123_TCP_ADDR", "10.0.0.1")
    assert config.load().service.host == "127.0.0.1"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[home_assistant\n", "line 1, column 16"),
        ("[llm]\nmodel = gpt", "line 2, column 9"),
        ("[llm]\nmodel = 'a'\nmodel = 'b'\n", "line 3"),
        ("[llm]\nmodel = '''a", "line 2, column 13"),
    ],
)
def test_toml_that_is_not_valid_is_told_with_its_place(tmp_path: Path, text: str, place: str) -> None:
    file = written(tmp_path, text)
    said = complaint(file)
    assert str(file) in said
    assert place in said


def test_a_file_that_is_not_text_or_not_a_file(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(b"[llm]\nmodel = '\xff'\n")
    assert "line 2" in complaint(file)
    assert "cannot be read" in complaint(tmp_path)


def test_a_byte_order_mark_and_windows_lines_are_fine(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(b"\xef\xbb\xbf[llm]\r\nmodel = 'x'\r\n")
    assert config.load(file).llm.model == "x"


def test_no_message_and_no_view_shows_a_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    secret = "very-secret value"  # the blank makes it wrong
    file = written(tmp_path, f"[home_assistant]\ntoken = '{secret}'\n[llm]\napi_key = 3\nmax_tokens = 1")
    with pytest.raises(ConfigError) as raised:
        config.load(file)
    assert "very-secret" not in str(raised.value)
    assert raised.value.__context__ is None
    file = written(tmp_path, "[home_assistant]\ntoken = ' abcdef\n'\n".replace("\n'", "'"))
    monkeypatch.setenv("HOMEAGENT_DATABASE__URL", "postgresql://me:hunter2@db/x")
    monkeypatch.setenv("HOMEAGENT_LLM__OPTIONS", '{"extra_headers": {"Authorization": "Bearer hunter2hunter2"}}')
    settings = config.load(file)
    assert settings.home_assistant.token is not None
    assert settings.home_assistant.token.get_secret_value() == "abcdef"
    shown = repr(config.masked(settings)) + repr(settings.home_assistant)
    assert "abcdef" not in shown
    assert "hunter2" not in shown
    assert config.masked(settings)["home_assistant"]["token"] == MASK
    assert config.masked(settings)["llm"]["api_key"] is None


@pytest.mark.parametrize("section", ["llm", "external_llm"])
def test_what_is_passed_on_to_a_provider_is_never_shown(tmp_path: Path, section: str) -> None:
    options = "{aws_secret_access_key = 'abcdef', extra_headers = {Ocp-Apim = 'hunter2'}, list = ['zzz'], top_p = 0.5}"
    shown = config.masked(config.load(written(tmp_path, f"[{section}]\noptions = {options}\n")))
    assert not any(secret in repr(shown) for secret in ("abcdef", "hunter2", "zzz"))
    assert shown[section]["options"]["top_p"] == 0.5


def test_relative_paths_in_the_file_start_at_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ca.pem").write_text("x")
    file = written(tmp_path, "data_dir = 'data'\n[home_assistant]\nca_file = 'ca.pem'\n[events]\njsonl = 'e.jsonl'\n")
    monkeypatch.chdir("/")
    settings = config.load(file)
    assert settings.data_dir == tmp_path / "data"
    assert settings.home_assistant.trust == str(tmp_path / "ca.pem")
    assert settings.events.jsonl == tmp_path / "e.jsonl"


def test_a_folder_of_nobody_is_told_with_where_it_was_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, "data_dir = '~nobodyhere/x'\n[home_assistant]\nca_file = '~nobodyhere/ca.pem'\n")
    told = complaint(file)
    for part in ("data_dir: ", "home_assistant.ca_file: ", "~nobodyhere/x", str(file)):
        assert part in told
    monkeypatch.setenv("HOMEAGENT_DATA_DIR", "~nobodyhere/y")
    assert "environment variable HOMEAGENT_DATA_DIR" in complaint(written(tmp_path, ""))
    monkeypatch.setenv("HOMEAGENT_CONFIG", "~nobodyhere/config.toml")
    assert "~nobodyhere/config.toml" in complaint()


def test_what_is_wrong_with_a_whole_table_is_said_where_it_was_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, "")
    monkeypatch.setenv("HOMEAGENT_LLM__PROFILE", "cheap")
    assert "(in environment variable HOMEAGENT_LLM__PROFILE)." in complaint(file)
    file = written(tmp_path, "[llm]\ntimeout = 5")
    assert f"(in environment variable HOMEAGENT_LLM__PROFILE and {file})." in complaint(file)
    monkeypatch.delenv("HOMEAGENT_LLM__PROFILE")
    monkeypatch.setenv("HOMEAGENT_MODELS__CHEAP__TIMEOUT", "5")
    assert (
        "models.cheap.model: field required (in environment variable HOMEAGENT_MODELS__CHEAP__TIMEOUT)."
        in complaint(file)
    )


def test_what_others_can_reach_or_read_is_warned_of(tmp_path: Path) -> None:
    file = written(tmp_path, "[service]\nhost = '0.0.0.0'\n[home_assistant]\nverify = false\n")
    with file.open("a") as more:
        more.write("[telegram]\ntoken = 'a'\napi_url = 'http://bots.local'\n")
    file.chmod(0o644)
    found = " ".join(config.warnings(config.load(file), file))
    assert "service.host" in found
    assert "home_assistant.verify" in found
    assert "telegram.api_url" in found
    assert "chmod 600" in found
    assert all(Settings.model_validate({"service": {"host": h}}).service.loopback for h in ("localhost", "::1"))


def test_writing_keeps_comments_and_order_and_is_private(tmp_path: Path) -> None:
    file = written(tmp_path, "# mine\n[llm]\nmodel = 'a' # why\n\n# below\n[agent]\nbrain = 'local'\n")
    file.chmod(0o644)
    config.write(file, {"llm.model": "b", "home_assistant.url": "http://ha:8123", "home_assistant.token": "abc"})
    assert file.read_text() == (
        "# mine\n[llm]\nmodel = \"b\" # why\n\n# below\n[agent]\nbrain = 'local'\n"
        '\n[home_assistant]\nurl = "http://ha:8123"\ntoken = "abc"\n'
    )
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    config.write(file, {"llm.model": None})
    assert config.load(file).llm.model is None
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["config.toml"]


def test_the_file_is_private_from_its_first_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    really = os.open

    def watched(path: str, flags: int, mode: int = 0o777, **more: int) -> int:
        descriptor = really(path, flags, mode, **more)
        if flags & os.O_CREAT:
            seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        return descriptor

    monkeypatch.setattr(os, "open", watched)
    before = os.umask(0)
    try:
        config.write(tmp_path / "new" / "config.toml", {"home_assistant.token": "abc"})
    finally:
        os.umask(before)
    assert seen == [0o600]


def test_a_wrong_value_is_not_written(tmp_path: Path) -> None:
    file = written(tmp_path, "[llm]\nmodel = 'a'\n")
    with pytest.raises(ConfigError, match=r"home_assistant\.url"):
        config.write(file, {"home_assistant.url": "nowhere"})
    with pytest.raises(ConfigError, match=r"llm\.modle"):
        config.write(file, {"llm.modle": "x"})
    assert file.read_text() == "[llm]\nmodel = 'a'\n"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real = written(tmp_path, "")
    link = tmp_path / "link.toml"
    link.symlink_to(real)
    config.write(link, {"llm.model": "x"})
    assert link.is_symlink()
    assert config.load(real).llm.model == "x"


def test_every_setting_says_what_it_is_and_has_a_variable() -> None:
    from pydantic import BaseModel

    for section in Settings.model_fields.values():
        model = section.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            assert model.__doc__
            assert all(field.description for field in model.model_fields.values()), model
        else:
            assert section.description
    assert variable_of("home_assistant.url") == "HOMEAGENT_HOME_ASSISTANT__URL"
    assert "llm.api_key" in setting_names()


@given(
    st.lists(
        st.tuples(st.integers(0, 999), st.sampled_from([("s", 1), ("m", 60), ("min", 60), ("h", 3600), ("d", 86400)])),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from(["", " "]),
)
def test_a_duration_is_the_sum_of_its_parts(parts: list[tuple[int, tuple[str, int]]], between: str) -> None:
    text = between.join(f"{number}{unit}" for number, (unit, _) in parts)
    assert parse_seconds(text) == sum(number * seconds for number, (_, seconds) in parts)


@given(st.one_of(st.text(), st.floats(), st.integers(), st.booleans()))
def test_a_duration_is_never_negative_nor_endless(value: str | float | bool) -> None:
    with contextlib.suppress(ValueError):
        assert 0 <= parse_seconds(value) < float("inf")


@pytest.mark.parametrize("wrong", ["", " ", "s", "1y", "-1s", "1h-3m", "1,5h", "nan", "inf", "١s", True, -1, 1e999])
def test_what_is_no_duration_is_refused(wrong: str | float) -> None:
    with pytest.raises(ValueError, match="length of time"):
        parse_seconds(wrong)


@given(st.text())
def test_any_file_gives_settings_or_a_config_error(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    with contextlib.suppress(ConfigError):
        assert isinstance(config.load(file), Settings)


_PLAIN = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1)


@given(_PLAIN, st.integers(50, 20000))
def test_what_is_written_is_what_is_read(tmp_path_factory: pytest.TempPathFactory, model: str, tokens: int) -> None:
    file = tmp_path_factory.getbasetemp() / "round.toml"
    config.write(file, {"llm.model": model, "agent.entity_tokens": tokens})
    settings = config.load(file)
    assert (settings.llm.model, settings.agent.entity_tokens) == (model, tokens)


def test_two_servers_of_one_name_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("".join(f'[[mcp.servers]]\nname = "notes"\nurl = "http://{host}"\n' for host in "ab"))
    with pytest.raises(ConfigError, match="two servers are called notes"):
        config.load(file)


@pytest.mark.parametrize(("said", "port"), [("", 0), ("[service]\nport = 9377\n", 9377)])
def test_the_demo_listens_where_the_service_was_told_to(
    said: str, port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, started = tmp_path / "config.toml", []
    file.write_text(f'data_dir = "{tmp_path}"\n{said}')
    monkeypatch.setattr("homeagent.service.serve.run_service", lambda settings, **_: started.append(settings))
    CliRunner().invoke(app, ["--config", str(file), "demo"], catch_exceptions=False)
    assert [settings.service.port for settings in started] == [port]
