"""What the app is started with: the options that its owner chose in Home Assistant, and what the Supervisor gives.

Both become environment variables of settings, so that there is one way to set anything. A variable that is set already
stays as it is; options that are left empty set nothing.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from pathlib import Path

from homeagent.errors import ConfigError

OPTIONS = "options.json"
"""Where the Supervisor writes them, in the data folder."""
TOKEN = "SUPERVISOR_TOKEN"
SUPERVISOR = "http://supervisor"
INGRESS = "172.30.32.2"
"""The address from which the Supervisor hands on what is asked of the page; it is the same in every home."""
SERVICE_PORT = 8765
"""The one in `app/config.yaml`, whatever port the owner opens to the network."""
OWN_CONFIG = Path("/config/config.toml")
"""The owner's settings file, in the folder that Home Assistant calls `addon_configs`."""

_BY_OPTION = {
    "language": "HOMEAGENT_AGENT__LANGUAGE",
    "model": "HOMEAGENT_LLM__MODEL",
    "model_address": "HOMEAGENT_LLM__BASE_URL",
    "model_key": "HOMEAGENT_LLM__API_KEY",
    "read_only": "HOMEAGENT_POLICY__READ_ONLY",
    "log_level": "HOMEAGENT_LOG_LEVEL",
}
"""Each option of `app/config.yaml`, and the variable that it sets."""


def environment(
    given: Mapping[str, str],
    folder: Path,
    *,
    host: str | None = None,
    own_config: Path = OWN_CONFIG,
) -> dict[str, str]:
    """The environment that the service is started in: ``given`` and what follows from the options in ``folder``.

    ``host``: the app's name among the other apps; absent: the machine's own. Raises ConfigError where the options
    cannot be read, or where no Supervisor has started this.
    """
    token = given.get(TOKEN, "")
    if not token:
        raise ConfigError(
            "No Supervisor has started this.", hint="Elsewhere than in Home Assistant OS: `homeagent serve`."
        )
    host = host or socket.gethostname()
    made = {
        "HOMEAGENT_DATA_DIR": str(folder),
        "HOMEAGENT_HOME_ASSISTANT__URL": f"{SUPERVISOR}/core",
        "HOMEAGENT_HOME_ASSISTANT__TOKEN": token,
        "HOMEAGENT_SERVICE__HOST": "0.0.0.0",  # other containers reach it; what the network reaches, the owner opens
        "HOMEAGENT_SERVICE__PORT": str(SERVICE_PORT),
        "HOMEAGENT_SERVICE__ALLOWED_HOSTS": host,
        "HOMEAGENT_SUPERVISOR__URL": SUPERVISOR,
        "HOMEAGENT_SUPERVISOR__TOKEN": token,
        "HOMEAGENT_SUPERVISOR__HOST": host,
        "HOMEAGENT_SUPERVISOR__INGRESS_FROM": INGRESS,
        **_chosen(folder / OPTIONS),
    }
    if own_config.is_file():
        made["HOMEAGENT_CONFIG"] = str(own_config)
    return {**made, **given}


def _chosen(file: Path) -> dict[str, str]:
    try:
        options = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(f"The app's options {file} cannot be read: {error}.") from None
    if not isinstance(options, dict):
        raise ConfigError(f"The app's options {file} are no table.")
    return {variable: _text(options[name]) for name, variable in _BY_OPTION.items() if _is_set(options.get(name))}


def _is_set(value: object) -> bool:
    return value is not None and str(value).strip() != ""


def _text(value: object) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value).strip()
