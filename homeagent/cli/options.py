"""The options that every command takes, wherever they stand on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for all commands. ``json``: answer for programs."""

    config: Path | None = None
    demo: bool = False
    json: bool = False
    user: str | None = None
    conversation: str | None = None
    device: str | None = None
    language: str | None = None

    @property
    def speaker(self) -> dict[str, str | None]:
        """The fields that tell who speaks, where, in which language and conversation."""
        return {
            "conversation_id": self.conversation,
            "user_id": self.user,
            "device_id": self.device,
            "language": self.language,
        }


def options(context: typer.Context) -> Options:
    """The common options of this call, whichever subcommand they were given to."""
    chosen = context.find_root().obj
    return chosen if isinstance(chosen, Options) else Options()


def refuse_unknown(language: str) -> None:
    """Raises InvalidInput for the code of a language that neither a pack nor Home Assistant has."""
    from home_assistant_intents import get_languages

    from homeagent.errors import InvalidInput
    from homeagent.languages.language_codes import best_match
    from homeagent.languages.pack import languages

    if best_match(language, (*languages(), *get_languages())) is None:
        raise InvalidInput(
            f"There is no language {language!r}.",
            hint=f"Say a code such as {', '.join(languages())}; others need a language model.",
        )


class OptionsAnywhere(TyperGroup):
    """Takes the common options before the command and after it: `ask TEXT --json` as well as `--json ask TEXT`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As typer does, after moving the common options to the front."""
        return list(super().parse_args(ctx, _common_first(args, self._common())))

    def _common(self) -> dict[str, bool]:
        """Name of each common option, and whether a value follows it."""
        skipped = {"--help", "--version"}
        return {
            name: not getattr(option, "is_flag", False)
            for option in self.params
            for name in option.opts
            if name.startswith("--") and name not in skipped
        }


class DefaultCommand(TyperGroup):
    """Commands of which one need not be named: `eval FOLDER` is `eval sentences FOLDER`."""

    NAME = "sentences"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As typer does, after putting in the name of the default command where none is given."""
        named = bool(args) and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return list(super().parse_args(ctx, args if named else [self.NAME, *args]))


def _common_first(args: list[str], common: dict[str, bool]) -> list[str]:
    """The arguments with the common options moved to the front; what stands after ``--`` is left alone."""
    front, rest = [], []
    waiting = iter(args)
    for argument in waiting:
        if argument == "--":
            rest += [argument, *waiting]
        elif argument.partition("=")[0] not in common:
            rest.append(argument)
        else:
            front.append(argument)
            if common[argument.partition("=")[0]] and "=" not in argument:
                front += [value] if (value := next(waiting, None)) is not None else []
    return front + rest
