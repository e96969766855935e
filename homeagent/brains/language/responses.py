"""Sentences in the person's language: ours where there is a file, else Home Assistant's own responses, else English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from homeagent.brains.language import grammar
from homeagent.brains.language.grammar import Grammar
from homeagent.brains.language.grammar_cache import NOT_KEPT, GrammarCache
from homeagent.languages.answers import Answers, load_answers
from homeagent.understanding.value_changes import SCALES

_ENGLISH = "en"
MOST_NAMES = 6
_KEPT_LANGUAGES = 8
_ERRORS = {
    "unknown_place": ("no_area", "area"),
    "unknown_device": ("no_entity", "entity"),
    "none_there": ("no_domain_in_area", "area"),
    "none_of_kind": ("no_domain", "domain"),
    "which_one": ("duplicate_targets", "entity"),
    "which_many": ("duplicate_targets", "entity"),
    "no_timer": ("no_timer_support", "entity"),
    "unsupported": ("feature_not_supported", "entity"),
}
"""Phrases of ours that Home Assistant has an error response for, and what it calls the text that is put into it."""


def deed_of(action: str, parameters: Mapping[str, object]) -> str:
    """The action, or for a step what is moved and which way: "volume_up"."""
    steps = ((moved, str(parameters[s.step])) for moved, s in SCALES.items() if s.step in parameters)
    return next((f"{moved.value}_{'down' if step.startswith('-') else 'up'}" for moved, step in steps), action)


class Phrases:
    """The words of one language for what is to be said."""

    def __init__(self, own: Answers | None, grammar: Grammar | None) -> None:
        """Blocks: what the words need is loaded here, so that no answer waits for it."""
        self._own = own
        self._grammar = grammar
        _english()
        render("", {})

    def say(self, key: str, **words: object) -> str:
        """The phrase with its places filled; a place that nothing is known for stays empty."""
        filled = _Blank({k: str(v) for k, v in words.items()})
        if self._own is not None and (template := self._own.agreeing(key, filled["name"])):
            return _tidy(template.format_map(filled))
        if (error := self._error(key, filled)) is not None:
            return error
        return _tidy((_english().agreeing(key, filled["name"]) or "").format_map(filled))

    def response(self, intent: str, key: str, **known: object) -> str | None:
        """Home Assistant's own response to an intent; None where it has none or it does not come out."""
        if self._grammar is None:
            return None
        template = self._grammar.responses.get("intents", {}).get(intent, {}).get(key)
        return render(template, known) if template else None

    @property
    def language(self) -> str:
        """The language of our own words; empty where the language has none."""
        return self._own.language if self._own is not None else ""

    def action(self, action: str) -> str:
        """A verb for an action of ``ha_control``, or for a deed of `deed_of`; a general one where there is none."""
        return self.say(f"act_{action}") or self.say("act_set_value")

    def names(self, names: Sequence[str], joint: str = "and") -> str:
        """Names as a list in words, cut where it would be read out for ever."""
        shown = [name for name in names[:MOST_NAMES] if name]
        if len(names) > len(shown):
            shown.append(self.say("more", count=len(names) - len(shown)))
        if len(shown) < 2:
            return "".join(shown)
        return f"{', '.join(shown[:-1])} {self._word(joint)} {shown[-1]}"

    def kind(self, kinds: str) -> str:
        """What several things of these kinds (domains or device classes, by spaces) are called."""
        table = (self._own or _english()).kinds
        words = dict.fromkeys(table[k] for k in kinds.split() if k in table)
        return f" {self._word('or')} ".join(words) or table.get("any", "")

    def names_kind(self, kinds: str) -> bool:
        """Whether there is a word for any of these kinds."""
        return any(k in (self._own or _english()).kinds for k in kinds.split())

    def state(self, kind: str, raw: str) -> str:
        """The word for a raw state of a domain or device class; as it is where there is none."""
        tables = (self._own or _english()).states
        for table in (tables.get(kind, {}), tables.get("default", {})):
            if word := table.get(raw):
                return word
        return raw.replace("_", " ") if raw.islower() else raw

    def weekday(self, number: int) -> str:
        """What a day of the week is called, Monday being 0; empty where the language's words are not known."""
        return self._own.weekday(number) if self._own is not None else ""

    def number(self, value: float, digits: int = 1) -> str:
        """A number for people: rounded to ``digits`` decimal places, without zeros at the end, with the language's
        decimal sign; from a million on without decimals.
        """
        text = f"{round(value, digits):g}" if abs(value) < 1e6 else f"{value:.0f}"
        return text.replace(".", self.decimal)

    @cached_property
    def decimal(self) -> str:
        """The language's decimal sign; a point where it is not known."""
        return self._own.phrases.get("decimal", ".") if self._own is not None else "."

    def has(self, key: str) -> bool:
        """Whether the language has a phrase of its own under this key."""
        return self._own is not None and key in self._own.phrases

    def _word(self, key: str) -> str:
        source = self._own.phrases if self._own is not None else {}
        return source.get(key, "/" if key == "or" else ",")

    def _error(self, key: str, words: Mapping[str, str]) -> str | None:
        if self._grammar is None or key not in _ERRORS:
            return None
        error, place = _ERRORS[key]
        template = self._grammar.responses.get("errors", {}).get(error)
        text = words.get("text") or words.get("place") or words.get("names") or words.get("name") or ""
        known = {place: text, "domain": words.get("kind", ""), "area": words.get("place", "") or text}
        return render(template, known) if template else None


def render(template: str, known: Mapping[str, object]) -> str | None:
    """A response of Home Assistant rendered without any access to the home. None where it does not come out."""
    from jinja2 import TemplateError
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(trim_blocks=True)
    environment.globals["state_attr"] = lambda *_: None
    try:
        return _tidy(environment.from_string(template).render(**known))
    except (TemplateError, TypeError, ValueError, AttributeError, KeyError):
        return None


class _Blank(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


def _tidy(text: str) -> str:
    return " ".join(text.split())


@lru_cache(maxsize=1)
def _english() -> Answers:
    answers = load_answers(_ENGLISH)
    assert answers is not None
    return answers


@dataclass(frozen=True, slots=True)
class Language:
    """What is known of a language: Home Assistant's grammar, where there is one, and the words to answer with."""

    grammar: Grammar | None
    phrases: Phrases


def load_language(code: str, cache: GrammarCache = NOT_KEPT) -> Language:
    """Read what there is for a language. May block for seconds; less where its templates are in the cache."""
    its = grammar.code_of(code)
    loaded = None if its is None else _grammar(its, cache)
    return Language(loaded, Phrases(load_answers(code), loaded))


@lru_cache(maxsize=_KEPT_LANGUAGES)
def _grammar(code: str, cache: GrammarCache) -> Grammar | None:
    """Loaded once for all that is said like it: "de-AT" and "de" have one grammar."""
    return grammar.load(code, cache)
