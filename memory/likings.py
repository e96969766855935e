"""Whether somebody tells in passing what they like, are used to, or have to live with, and not only for the moment."""

from __future__ import annotations

from collections.abc import Sequence

from memory.act_words import Part, Token
from memory.function_words import function_words_of
from memory.memory_words import Language
from memory.statement_parts import wording

_VAGUE = {("number", "1"), ("number", "0.5")}
"""What "one" and "half" may be without being a value."""


def likes(sentence: str, tokens: Sequence[Token], known: Language) -> bool:
    """Whether the sentence tells something lasting of who says it.

    Not what they would like if things were otherwise, not what they like of what is there at the moment ("this song",
    "the other one"), not whom, and not what they want now.
    """
    words = known.acts
    its = wording(sentence, known.code)
    if its.question or words.has(tokens, Part.HYPOTHETICAL) or words.has(tokens, Part.ONCE):
        return False
    drops = known.drops_pronouns and (its.has("wish") or its.has("dislike") or words.has(tokens, Part.SELF))
    if words.at(tokens, 0, Part.IF) or not (its.has("first") or its.has("we") or drops):
        return False
    if words.has(tokens, Part.TRAIT):
        return True
    if its.has("action") and not its.has("dislike") and not its.negated:
        return False
    liked = [word for word in its.content if not word.has("wish", "dislike", "general", "asking")]
    if not (its.has("wish") or its.has("dislike")):
        return words.has(tokens, Part.HABIT) and len(liked) > 1
    exact = bool(its.values - _VAGUE or its.conditions)
    if its.has("asking") and not exact:
        return False
    pointing = [t for i, t in enumerate(tokens) if words.at(tokens, i, Part.THIS_ONE)]
    named = [word for word in liked if word.bare not in {t.text for t in pointing}]
    return exact or ((bool(named) or _ends_with_a_noun(tokens, known)) and not pointing)


def _ends_with_a_noun(tokens: Sequence[Token], known: Language) -> bool:
    """Whether an article leads the last word, which is then a noun even where it looks like a pronoun ("el té")."""
    function = function_words_of(known.code)
    return len(tokens) > 2 and tokens[-2].text in function and "place" not in known.at([tokens[-2].text], 0)[1]
