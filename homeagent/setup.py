"""Connecting a home: asks for what is missing, tries it, and writes the configuration."""

from __future__ import annotations

import getpass
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from homeagent.config.loading import write
from homeagent.config.problems import variable_of
from homeagent.errors import HomeAgentError, InvalidInput
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.rest import checked_token, normalised_url
from homeagent.private_folder import expanded
from homeagent.values.plain_text import plain_text

_PATIENCE = 20.0
"""Seconds that Home Assistant may take until everything is read."""


@dataclass(frozen=True, slots=True)
class SetupOptions:
    """What was given on the command line; the rest comes from the environment or is asked for."""

    url: str | None = None
    token_file: Path | None = None
    ca_file: Path | None = None
    insecure: bool = False
    untried: bool = False


@dataclass(frozen=True, slots=True)
class _Access:
    url: str
    token: str
    ca_file: Path | None
    insecure: bool

    @property
    def verify(self) -> bool | str:
        if self.insecure:
            return False
        return str(self.ca_file) if self.ca_file else True

    def as_settings(self) -> dict[str, object]:
        return {
            "home_assistant.url": self.url,
            "home_assistant.token": self.token,
            "home_assistant.ca_file": str(self.ca_file) if self.ca_file else None,
            "home_assistant.verify": False if self.insecure else None,
        }


async def set_up(path: Path | None, wishes: SetupOptions) -> Path:
    """Try the access and write it to the configuration file (mode 0600), whose path is returned.

    Raises InvalidInput where something is missing and nobody can be asked, ConfigError for a wrong address, and what
    Home Assistant answers: HomeAssistantUnavailable, HomeAssistantAuthError.
    """
    access = _Access(_url(wishes), _token(wishes), _ca_file(wishes.ca_file), wishes.insecure)
    try:
        _say(await _tried(access))
    except HomeAgentError as error:
        if wishes.untried:
            _say(f"Home Assistant could not be tried: {error}")
        elif "certificate" in error.message.lower() and _asks() and not access.ca_file:
            access = replace(access, ca_file=_ask_for_ca(error))
            _say(await _tried(access))
        else:
            raise
    return write(path, access.as_settings())


async def _tried(access: _Access) -> str:
    """What Home Assistant says of itself. Raises why it does not."""
    connection = HomeAssistant(access.url, access.token, verify=access.verify)
    await connection.start()
    try:
        # The first failure is told at once; the connection itself would go on trying.
        for _ in range(int(_PATIENCE / 0.2)):
            if await connection.wait_ready(0.2):
                break
            if connection.status.error is not None:
                raise connection.status.error
        else:
            raise HomeAgentError(f"Home Assistant at {access.url} did not get ready within {_PATIENCE:.0f} s.")
        status, home = connection.status, connection.home
    finally:
        await connection.stop()
    said = f"Home Assistant {status.version}: {len(home.entities)} entities, {len(home.exposed())} exposed."
    return "\n".join((said, *status.warnings))


def _url(wishes: SetupOptions) -> str:
    given = wishes.url or os.environ.get(variable_of("home_assistant.url"))
    if not given:
        _need_a_terminal("--url")
        given = _ask("Address of Home Assistant", "http://homeassistant.local:8123")
    return normalised_url(given)


def _token(wishes: SetupOptions) -> str:
    if wishes.token_file is not None:
        return checked_token(_read(wishes.token_file))
    if given := os.environ.get(variable_of("home_assistant.token")):
        return checked_token(given)
    _need_a_terminal("--token-file")
    _say("Make a long-lived access token in your Home Assistant profile, under Security.")
    return checked_token(getpass.getpass("Token (stays hidden): "))


def _read(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else expanded(file).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeError) else getattr(error, "strerror", error)
        raise InvalidInput(f"The token file {file} cannot be read: {reason}.") from None


def _ca_file(path: Path | None) -> Path | None:
    if path is None:
        return None
    try:
        found = expanded(path).absolute()
    except ValueError:
        found = path
    if not found.is_file():
        raise InvalidInput(f"There is no certificate file {path}.")
    return found


def _ask_for_ca(error: HomeAgentError) -> Path:
    _say(error.message)
    given = _ask("File with the certificate of your own authority (PEM)", "")
    if not given:
        raise error
    found = _ca_file(Path(given))
    assert found is not None
    return found


def _asks() -> bool:
    return sys.stdin.isatty()


def _need_a_terminal(option: str) -> None:
    if not _asks():
        raise InvalidInput(f"{option} is missing, and there is no terminal to ask on.")


def _ask(question: str, default: str) -> str:
    shown = f" [{default}]" if default else ""
    print(f"{question}{shown}: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip() or default


def _say(text: str) -> None:
    print(plain_text(text), file=sys.stderr, flush=True)
