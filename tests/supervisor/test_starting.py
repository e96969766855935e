"""What the app's options and the Supervisor become, and that each option of the app is a setting."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from homeagent.config.loading import load
from homeagent.errors import ConfigError
from homeagent.supervisor.backups import COPY
from homeagent.supervisor.starting import INGRESS, SERVICE_PORT, environment
from tests.supervisor.standin import options

APP = Path(__file__).parents[2] / "app"
CONFIG = yaml.safe_load((APP / "config.yaml").read_text())
GIVEN = {"SUPERVISOR_TOKEN": "theirs", "PATH": "/bin"}


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def settings(given: dict[str, str] | None = None, **chosen: object):
        options(tmp_path, **chosen)
        own = tmp_path / "own.toml"
        for name, value in environment(GIVEN | (given or {}), tmp_path, host="abc-home-agent", own_config=own).items():
            monkeypatch.setenv(name, value)
        return load()

    return settings


def test_the_options_as_delivered_set_nothing_but_what_is_so_anyway(started) -> None:
    settings = started(**CONFIG["options"])
    assert settings.llm.model is None
    assert settings.agent.language is None
    assert settings.policy.read_only is False
    assert settings.home_assistant.url == "http://supervisor/core"
    assert settings.home_assistant.token.get_secret_value() == "theirs"
    assert str(settings.supervisor.ingress_from) == INGRESS == "172.30.32.2"
    assert settings.service.allowed_hosts == ("abc-home-agent",)
    assert not settings.service.loopback


def test_each_option_is_taken(started) -> None:
    chosen = {
        "language": "de",
        "model": "ollama_chat/qwen3",
        "model_address": "http://192.168.1.5:11434",
        "model_key": "secret-key",
        "read_only": True,
        "log_level": "debug",
    }
    assert chosen.keys() == CONFIG["schema"].keys() == CONFIG["options"].keys()
    settings = started(**chosen)
    assert (settings.agent.language, settings.llm.model, settings.log_level) == ("de", "ollama_chat/qwen3", "debug")
    assert settings.llm.base_url == "http://192.168.1.5:11434"
    assert settings.llm.api_key.get_secret_value() == "secret-key"
    assert settings.policy.read_only is True


def test_an_own_settings_file_is_read_and_gives_no_other_home(started, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('[timers]\ngrace = "5m"\n[home_assistant]\nurl = "http://elsewhere:8123"\n')
    settings = started()
    assert settings.timers.grace == 300
    assert settings.home_assistant.url == "http://supervisor/core"


def test_what_is_set_in_the_environment_stays(started) -> None:
    assert started({"HOMEAGENT_LOG_LEVEL": "error"}, log_level="debug").log_level == "error"


def test_without_a_supervisor_or_with_options_that_are_none_it_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No Supervisor"):
        environment({}, tmp_path)
    (tmp_path / "options.json").write_text("[1")
    with pytest.raises(ConfigError, match="options"):
        environment(GIVEN, tmp_path)


def test_the_app_is_described_as_it_is_built(tmp_path: Path) -> None:
    assert CONFIG["ingress_port"] == SERVICE_PORT
    assert CONFIG["ports"] == {"8765/tcp": None}, "closed until the owner opens it"
    assert set(CONFIG["arch"]) == {"aarch64", "amd64"}
    assert not {"hassio_api", "privileged", "full_access", "host_network", "docker_api"} & CONFIG.keys()
    assert not any(Path("/data", COPY).match(pattern) for pattern in CONFIG["backup_exclude"])
    for command in (CONFIG["backup_pre"], CONFIG["backup_post"]):
        assert command.startswith("/opt/homeagent/bin/homeagent app ")
    for file in sorted((APP / "translations").glob("*.yaml")):
        told = yaml.safe_load(file.read_text())
        assert told["configuration"].keys() == CONFIG["schema"].keys(), file.name
        assert all(one.keys() == {"name", "description"} for one in told["configuration"].values()), file.name
        assert told["network"].keys() == CONFIG["ports"].keys(), file.name
    assert {file.stem for file in (APP / "translations").glob("*.yaml")} == {"en", "de", "fr", "es", "nl", "ko"}
