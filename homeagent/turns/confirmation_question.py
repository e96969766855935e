"""The question for a yes, in the person's language: what will be done, to what, and what may come of it.

The words are data: ``asking`` in each language's answers.yaml. Nothing goes into a question but names, these words and
what goes out of the home, of which the policy has masked the codes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from homeagent.languages.language_codes import best_match
from homeagent.policy.verdicts import UNKNOWN_ACTION, Consequence, Effect
from homeagent.turns.agent_phrases import answers

_FALLBACK = "en"
_OTHER = "other"
_MOST_NAMED = 12
_LONGEST_NAME = 120
_LONGEST_CONTENT = 200
_QUOTES = str.maketrans(dict.fromkeys('“”„«»"', "'"))
_TOLD = {
    Effect.OPENS: frozenset({"open", "unlock", "open_tilt"}),
    Effect.UNPROTECTS: frozenset({"disarm", "disable_motion_detection"}),
    Effect.IRREVERSIBLE: frozenset({"forget"}),
}
"""Effects that the words of these actions tell already."""
_KINDS_OF = {
    "arm_": "arm",
    "send_": "send",
    "select_": "set_value",
    "toggle_": "toggle",
    "open_": "open",
    "close_": "close",
    "reload_": "reload",
    "delete_": "delete",
    "remove_": "delete",
    "restart_": "restart",
    "reset_": "reset",
}
"""What an action is worded as that has no words of its own, by how it begins."""


def question(consequences: Sequence[Consequence], language: str, *, also: Sequence[str] = ()) -> str:
    """What the deeds come to, and last of all the question: "Come home unlocks Front door. Shall I?".

    ``also``: sentences on other deeds that the same yes is to.
    """
    words = _words(language)
    throughs = list(dict.fromkeys(one.through for one in consequences))
    told = [text for way in throughs for text in _told([c for c in consequences if c.through == way], way, words)]
    blind = bool(consequences) and not also and all(map(_is_unknown, consequences))
    return " ".join([*also, *told, words["ask_all_the_same" if blind else "ask"]])


def deed(action: str, names: Iterable[str], language: str) -> str:
    """A sentence on what is done, where nothing is known of what it comes to."""
    words = _words(language)
    worded = words["deeds"][_worded_as(action, words["deeds"])]
    return str(words["that"].format(deeds=worded.format(names=_names(names, words))))


def called(consequences: Iterable[Consequence], language: str) -> str:
    """What the deeds are about, by what the person asked for: the scene or script, else the things themselves."""
    words = _words(language)
    return _names([one.through or one.name for one in consequences], words)


def _told(consequences: Sequence[Consequence], through: str, words: Mapping[str, Any]) -> Iterable[str]:
    """Sentences on what is done by one scene or script, or (no ``through``) outright."""
    plain = [one for one in consequences if not _is_unknown(one)]
    hidden = [one for one in consequences if _is_unknown(one)]
    if plain:
        groups: dict[Effect | None, list[Consequence]] = {}
        for one in plain:
            groups.setdefault(_untold(one, words["deeds"]), []).append(one)
        clauses = (_clause(group, effect, words) for effect, group in groups.items())
        yield words["through" if through else "that"].format(through=_short(through), deeds="; ".join(clauses))
    if hidden:
        inside = through not in ("", *(one.name for one in hidden))
        names = _names([one.name for one in hidden], words)
        yield words["unreadable_through" if inside else "unreadable"].format(through=_short(through), names=names)


def _is_unknown(one: Consequence) -> bool:
    """Whether it cannot be told what is done; that a rule asks for the yes can."""
    return one.effect is Effect.UNREADABLE or (one.action == UNKNOWN_ACTION and one.effect is not Effect.OWN_RULE)


def _untold(one: Consequence, deeds: Mapping[str, str]) -> Effect | None:
    """The effect, where the deed's own words do not tell it."""
    told = _worded_as(one.action, deeds) in _TOLD.get(one.effect, frozenset())
    return None if told else one.effect


def _clause(consequences: Sequence[Consequence], effect: Effect | None, words: Mapping[str, Any]) -> str:
    """What is done, and the effect that it has."""
    named: dict[tuple[str, str], list[str]] = {}
    for one in consequences:
        named.setdefault((_worded_as(one.action, words["deeds"]), one.content), []).append(one.name)
    done = words["and"].join(_done(action, content, names, words) for (action, content), names in named.items())
    return f"{done}, {words['effects'][effect]}" if effect else done


def _done(action: str, content: str, names: Iterable[str], words: Mapping[str, Any]) -> str:
    """One deed on some things, with what goes out by it where anything does."""
    deed = words["deeds"][action].format(names=_names(names, words))
    if not content:
        return str(deed)
    pattern = words["contents"].get(action, words["contents"][_OTHER])
    quoted = _short(content, _LONGEST_CONTENT).translate(_QUOTES)
    return str(pattern.format(deed=deed, names=_names(names, words), content=quoted))


def _worded_as(action: str, deeds: Mapping[str, str]) -> str:
    if action in deeds:
        return action
    return next((kind for start, kind in _KINDS_OF.items() if action.startswith(start)), _OTHER)


def _names(names: Iterable[str], words: Mapping[str, Any]) -> str:
    each = [_short(name) for name in dict.fromkeys(names)]
    if len(each) > _MOST_NAMED:
        each[_MOST_NAMED - 1 :] = [words["more"].format(count=len(each) - _MOST_NAMED + 1)]
    return ", ".join(each) if len(each) < 2 else f"{', '.join(each[:-1])}{words['and']}{each[-1]}"


def _short(name: str, longest: int = _LONGEST_NAME) -> str:
    """A name on one line and not endless; the dot that ends a sentence of one goes."""
    text = " ".join(name.split()).rstrip(".。")
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _words(language: str) -> Mapping[str, Any]:
    table = answers("asking")
    found: Mapping[str, Any] = table[best_match(language, table) or _FALLBACK]
    return found
