"""What settings are made of: the kinds of values that several of them have, checked."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

from homeagent.private_folder import expanded
from homeagent.values.timespan import parse_seconds


class Section(BaseModel):
    """A table of the settings file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _plain_url(text: str) -> str:
    """An http or https address, without the slash at its end."""
    url = text.strip().rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https"):
        example = url if "://" not in url and url else "homeassistant.local:8123"
        raise ValueError(f"write the whole address, beginning with http:// or https://, such as http://{example}")
    if not parts.hostname or parts.port == 0 or re.search(r"\s", url):  # .port raises ValueError out of range
        raise ValueError("the address has no host, or a wrong port")
    return url


def _secret(value: object) -> object:
    """Without the blanks and line ends that copying brings along; what no header can carry is refused."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if not re.fullmatch(r"[\x21-\x7e]+", text):
        raise ValueError("it is empty, or holds blanks or letters that a token cannot have")
    return text


def _names(value: object) -> object:
    """A list may be written as text, comma-separated or as JSON, for the environment's sake."""
    if isinstance(value, str) and not value.strip().startswith("["):
        return [part for part in (p.strip() for p in value.split(",")) if part]
    return parsed_json(value)


def parsed_json(value: object) -> object:
    """A table or list may be written as JSON text, for the environment's sake."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise ValueError(f"it is not valid JSON: {error}") from None


def existing_file(path: Path) -> Path:
    """A file that is there. Raises ValueError."""
    path = expanded(path)
    if not path.is_file():
        raise ValueError("there is no such file")
    return path


def _origins(origins: tuple[str, ...]) -> tuple[str, ...]:
    """Sites as browsers name them. Raises ValueError for "*" and whatever else is no site."""
    for origin in origins:
        if not re.fullmatch(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?", origin):
            raise ValueError(f"{origin!r} is no origin: write scheme and host, such as https://dashboard.example")
    return origins


Url = Annotated[str, AfterValidator(_plain_url)]
Secret = Annotated[SecretStr, BeforeValidator(_secret)]
Names = Annotated[tuple[str, ...], BeforeValidator(_names)]
Origins = Annotated[tuple[str, ...], BeforeValidator(_names), AfterValidator(_origins)]
Seconds = Annotated[float, BeforeValidator(parse_seconds)]
"""Seconds, or such as 30s, 5m, 1h30m, 7d."""
Folder = Annotated[Path, AfterValidator(expanded)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
