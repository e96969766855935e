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
    speaks = words.has(tokens, Part.SPEAKS)
    if words.at(tokens, 0, Part.IF) or not (its.has("first") or its.has("we") or speaks):
        return False
    if words.has(tokens, Part.TRAIT):
        return True
    function = function_words_of(known.code)
    exact = bool(its.values - _VAGUE or any(word not in function for word in its.conditions))
    if its.has("action") and not its.has("dislike") and not its.negated and not exact:
        return False
    liked = [word for word in its.content if not word.has("wish", "dislike", "general", "asking")]
    if not (its.has("wish") or its.has("dislike")):
        return speaks and words.has(tokens, Part.HABIT) and len(liked) > 1
    if its.has("asking") and not exact:
        return False
    noun = _ends_with_a_noun(tokens, known)
    before = tokens[:-1] if noun else tokens
    if words.has(before, Part.YOU) and not its.values:
        return False
    pointing = {t.text for i, t in enumerate(before) if words.at(before, i, Part.THIS_ONE)}
    named = noun or any(word.bare not in pointing for word in liked)
    return exact or (named and not pointing)


def _ends_with_a_noun(tokens: Sequence[Token], known: Language) -> bool:
    """Whether an article leads the last word, which is then a noun even where it looks like a pronoun ("el té")."""
    if len(tokens) <= 2 or known.acts.at(tokens, len(tokens) - 1, Part.THIS_ONE):
        return False
    concepts = known.at([tokens[-2].text], 0)[1]
    return tokens[-2].text in function_words_of(known.code) and concepts.isdisjoint(("place", "wish"))
