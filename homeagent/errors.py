"""Errors that people, models and programs read. Each has a code, and a hint that says what to do. Those of timers are
in `timers/timer_errors.py`.

HomeAgentError
├── ConfigError                 a setting is missing or wrong                       exit 2
│   └── InvalidLanguagePack     a language's words cannot be read; names file and line
├── InvalidInput                the caller's input is wrong                         400 / exit 2
│   ├── UnknownTool             no tool of that name                                404
│   ├── InvalidParameters       a tool's parameters do not fit                      422
│   ├── UnknownTarget           no such entity, area, floor …; names the nearest    404
│   │   └── UnknownItem         nothing of that name on a list; has what is         404
│   ├── UnsupportedAction       the entity cannot do that; names what it can        422
│   ├── CodeRequired            the lock or alarm wants its code                    422
│   ├── TooLarge                more than is taken at once                          413
│   ├── AmbiguousId             several ids begin with what was given               400
│   ├── NotFound                no such memory, confirmation, conversation          404
│   │   └── UnknownTimer        no such timer; names those there are
│   ├── AmbiguousTimer          several timers are meant; has them                  409
│   ├── InThePast               a timer for what is over                            422
│   ├── TooFarAhead             a timer more than a year ahead                      422
│   ├── TooManyOwnTests         no more tests of the owner's own are kept           422
│   ├── TooManyTimers           no more timers are taken                            422
│   └── NoSun                   the home does not tell sunrise and sunset           422
├── Refused                     understood, and not allowed                         403
│   ├── AddressRefused          an address that is not on the public web
│   ├── NotExposed              the entity is not exposed to the agent
│   ├── ActionDenied            policy denies it
│   ├── ConfirmationRequired    policy wants a yes first (carries the pending id)
│   ├── MissingScope            the caller's token may not do this
│   ├── NotYourUser             the caller's token may not speak for that user
│   └── PairingFailed           the code for pairing is wrong, used up or too old
├── HomeAssistantError          Home Assistant's side                               502
│   ├── HomeAssistantUnavailable    not reachable, or restarting                    503
│   ├── HomeAssistantAuthError      the token is not accepted                       502
│   ├── ServiceCallFailed           Home Assistant refused the call; carries its words
│   ├── EntityUnavailable           the device is not reachable; nothing was sent   409
│   └── NotConfirmed                sent, but the device does not show it
├── WebError                    a page or a search gave nothing that can be used        502
├── PartlyDone                  some targets were done, others not; names which     207
├── LlmError                    the language model's side                           502
│   ├── LlmRateLimited              429; carries retry_after seconds                503
│   ├── LlmTimeout                                                                  504
│   ├── LlmAuthError
│   ├── LlmQuotaUsedUp              the account's credit or quota is used up
│   ├── LlmNotFound             no such model, or no such address
│   ├── LlmRefused              the provider takes the request for wrong or too large
│   └── LlmUnavailable                                                              503
├── TooManyListeners            no more event streams are taken                     503
├── DatabaseError               the database cannot be read or written              503
└── DataFolderLocked            another process owns the data folder                exit 2
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from indexer.errors import HintedError
from memory.errors import MemoriesError, MemoryNotFound


class HomeAgentError(HintedError):
    """Base of all. ``code`` is stable for programs; ``hint`` says what the reader can do (may be empty)."""

    code = "internal"
    http_status = 500

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class ConfigError(HomeAgentError):
    """A setting is missing or wrong."""

    code = "config"
    hint = "See `homeagent config`, or run `homeagent setup`."


class InvalidLanguagePack(ConfigError):
    """A language's words cannot be read; the message names file and place."""

    code = "language_pack"
    hint = "homeagent/languages/pack_schema.py says what a pack holds."


class InvalidInput(HomeAgentError):
    """The caller's input is wrong."""

    code = "invalid_input"
    http_status = 400


class UnknownTool(InvalidInput):
    """There is no tool of this name."""

    code = "unknown_tool"
    http_status = 404


class InvalidParameters(InvalidInput):
    """A tool's parameters do not fit its schema, or each other."""

    code = "invalid_parameters"
    http_status = 422


class UnknownTarget(InvalidInput):
    """No entity, area, floor … of that name. ``nearest`` are real ones that are close to it, best first."""

    code = "unknown_target"
    http_status = 404

    def __init__(self, message: str, *, nearest: Sequence[str] = (), hint: str | None = None) -> None:
        self.nearest = tuple(nearest)
        if hint is None and self.nearest:
            hint = "Did you mean: " + ", ".join(self.nearest) + "?"
        super().__init__(message, hint=hint)


class UnknownItem(UnknownTarget):
    """Nothing of that name is on a list. ``items``: what is."""

    def __init__(
        self, message: str, items: Sequence[str], *, nearest: Sequence[str] = (), hint: str | None = None
    ) -> None:
        self.items = tuple(items)
        super().__init__(message, nearest=nearest, hint=hint)


class UnsupportedAction(InvalidInput):
    """The entity cannot do this; the message names what it can do."""

    code = "unsupported_action"
    http_status = 422


class CodeRequired(InvalidInput):
    """The lock or alarm wants its code."""

    code = "code_required"
    http_status = 422
    hint = "Ask the person for it and call again with parameters.code."


class TooLarge(InvalidInput):
    """More than is taken at once."""

    code = "too_large"
    http_status = 413


class AmbiguousId(InvalidInput):
    """Several things have an id that begins like the one given."""

    code = "ambiguous_id"
    hint = "Give more of its digits."


class NotFound(InvalidInput):
    """There is no such memory, confirmation or conversation, or it is not there for this caller."""

    code = "not_found"
    http_status = 404


class TooManyOwnTests(InvalidInput):
    """There are as many tests of the owner's own as may be."""

    code = "too_many_own_tests"
    http_status = 422
    hint = "`homeagent wrong delete` takes one away."


class Refused(HomeAgentError):
    """Understood, and not allowed."""

    code = "refused"
    http_status = 403


class AddressRefused(Refused):
    """An address that is not on the public web, or that leads to one which is not."""

    code = "address_refused"
    hint = "Only public http and https addresses are fetched."


class NotExposed(Refused):
    """The entity is not exposed to the agent."""

    code = "not_exposed"
    hint = "Expose it to Assist in Home Assistant (Settings > Voice assistants > Expose)."


class ActionDenied(Refused):
    """The policy denies the action, with a yes too."""

    code = "denied"


class ConfirmationRequired(Refused):
    """A yes is needed first. ``confirmation_id`` is what `confirm` takes."""

    code = "confirmation_required"

    def __init__(self, message: str, *, confirmation_id: str) -> None:
        super().__init__(message)
        self.confirmation_id = confirmation_id


class MissingScope(Refused):
    """The caller's token may not do this."""

    code = "missing_scope"


class NotYourUser(Refused):
    """The caller's token may not speak for that user."""

    code = "not_your_user"


class PairingFailed(Refused):
    """The code for pairing is wrong, used up or too old."""

    code = "pairing_failed"


class HomeAssistantError(HomeAgentError):
    """Home Assistant failed, or could not be understood."""

    code = "home_assistant"
    http_status = 502


class HomeAssistantUnavailable(HomeAssistantError):
    """Home Assistant cannot be reached, or is restarting."""

    code = "home_assistant_unavailable"
    http_status = 503
    hint = "Check that Home Assistant runs and that `home_assistant.url` is right."


class HomeAssistantAuthError(HomeAssistantError):
    """Home Assistant does not accept the token."""

    code = "home_assistant_auth"
    hint = "Make a new long-lived access token in your Home Assistant profile and run `homeagent setup`."


class ServiceCallFailed(HomeAssistantError):
    """Home Assistant refused a service call; the message has its words."""

    code = "service_call_failed"


class EntityUnavailable(HomeAssistantError):
    """The device cannot be reached; nothing was sent."""

    code = "entity_unavailable"
    http_status = 409
    hint = "Check its power and its connection."


class NotConfirmed(HomeAssistantError):
    """The call was sent, and the state does not show it."""

    code = "not_confirmed"


class WebError(HomeAgentError):
    """A page, a search or another agent's tool gave nothing that can be used."""

    code = "web"
    http_status = 502


class PartlyDone(HomeAgentError):
    """Some targets were done and others not; the message says which."""

    code = "partly_done"
    http_status = 207


class LlmError(HomeAgentError):
    """The language model failed, or answered what cannot be used."""

    code = "llm"
    http_status = 502


class LlmRateLimited(LlmError):
    """The provider's rate limit. ``retry_after``: seconds to wait (None: the provider did not say)."""

    code = "llm_rate_limited"
    http_status = 503

    def __init__(self, message: str, *, retry_after: float | None = None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class LlmTimeout(LlmError):
    """The model did not answer in time."""

    code = "llm_timeout"
    http_status = 504


class LlmAuthError(LlmError):
    """The provider does not accept the key."""

    code = "llm_auth"
    hint = "Check `llm.api_key`."


class LlmQuotaUsedUp(LlmError):
    """The account has no credit, or none is left of what it may use: waiting does not help, the owner must act."""

    code = "llm_quota"
    hint = "Add credit or raise the limit in your account with the provider, or set another `llm.model`."


class LlmNotFound(LlmError):
    """The provider has no such model, or the address is none of its."""

    hint = "Check `llm.model` and `llm.base_url`."


class LlmRefused(LlmError):
    """The provider takes this request for wrong or too large: the next one may be right."""


class LlmUnavailable(LlmError):
    """The model's server cannot be reached, or fails for the moment."""

    code = "llm_unavailable"
    http_status = 503
    hint = "Check `llm.model` and `llm.base_url`; `homeagent doctor` tries them."


class TooManyListeners(HomeAgentError):
    """There are as many event streams as may be."""

    code = "too_many_listeners"
    http_status = 503
    hint = "End one, or raise `service.max_listeners`."


class DatabaseError(HomeAgentError):
    """The database cannot be read or written."""

    code = "database"
    http_status = 503
    hint = "Check the free space and the rights of the data folder, and `database.url`."


class DataFolderLocked(HomeAgentError):
    """Another process owns the data folder."""

    code = "data_folder_locked"
    http_status = 503
    hint = "Stop the other process, or talk to the running service."


@contextmanager
def in_homeagents_words() -> Iterator[None]:
    """Within it, memory's errors are raised as those of `homeagent.errors`."""
    try:
        yield
    except MemoryNotFound as error:
        raise NotFound(error.message, hint=error.hint) from error
    except MemoriesError as error:
        named: type[HomeAgentError] = InvalidParameters if error.http_status < 500 else HomeAgentError
        raise named(error.message, hint=error.hint) from error
