"""A language model by its name, with what guards it, and its window."""

from __future__ import annotations

from dataclasses import dataclass

from homeagent.brains.llm.client import LlmModel

DEFAULT_WINDOW = 8192
OLLAMA = "ollama_chat/"


@dataclass(frozen=True, slots=True)
class Profile:
    """A model of the settings. ``window``: tokens that it takes in all, as set; None: to be found out."""

    name: str
    model: LlmModel
    attempts: int = 3
    requests_per_minute: int | None = None
    tokens_per_day: int | None = None
    stream: bool = True
    window: int | None = None
    text_calls: bool = False
    warm_up: bool = False

    @property
    def of_ollama(self) -> bool:
        """Whether Ollama serves it, which cuts what is longer than the window that it was asked for."""
        return self.model.served_as.startswith(OLLAMA)

    @property
    def window_setting(self) -> str:
        """The setting that decides about the window."""
        return f"{self.model.section}.{'options.num_ctx' if 'num_ctx' in self.model.options else 'context_window'}"


@dataclass(frozen=True, slots=True)
class Window:
    """How many tokens a model takes in all, and what is wrong with that (empty: nothing)."""

    tokens: int
    problem: str = ""


def window_of(profile: Profile, known: int | None, served: int | None = None) -> Window:
    """The window that counts. ``known``: what the model has at most, as its server or litellm tells; ``served``: with
    how many its server has loaded it."""
    wanted = profile.model.options.get("num_ctx") or profile.window
    tokens = wanted or (min(known or DEFAULT_WINDOW, DEFAULT_WINDOW) if profile.of_ollama else known or DEFAULT_WINDOW)
    if wanted and known and wanted > known:
        return Window(known, f"`{profile.window_setting}` is {wanted}, but the model takes {known} tokens at most.")
    if served and served < tokens:
        problem = f"The server has loaded the model with a window of {served} tokens, though {tokens} were asked for."
        return Window(served, problem)
    return Window(tokens)


def too_small(profile: Profile, window: Window, needed: int) -> str:
    """What to tell where a request of ``needed`` tokens, the answer included, is larger than the window; else empty."""
    if needed <= window.tokens:
        return ""
    return (
        f"`{profile.window_setting}`: the window of {window.tokens} tokens is too small for a whole request of up to "
        f"{needed}, so that past turns and entities are left out. Raise it, or lower `agent.entity_tokens` and "
        f"`{profile.model.section}.max_tokens`."
    )
