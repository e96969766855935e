"""The closed sets of things that a word of any language can stand for. Code speaks of these, never of words.

The enums are no texts: two concepts of different sorts are never equal, even if they are called the same.
"""

from __future__ import annotations

from homeagent.languages.concepts.grammar_concepts import Courteous, Form, Reference, Role
from homeagent.languages.concepts.order_concepts import (
    Amount,
    ArmingMode,
    Dimension,
    FanMotion,
    Listed,
    Mode,
    Particle,
    Playback,
    Unit,
    Verb,
    Way,
)
from homeagent.languages.concepts.question_concepts import Attribute, PastWord, Question
from homeagent.languages.concepts.safety_concepts import SafetyKind, SafetySign, SafetyState, SafetyWord
from homeagent.languages.concepts.topic_concepts import (
    Chat,
    Clock,
    Complaint,
    DayWord,
    ListAction,
    Purpose,
    ShoppingWord,
    Sky,
    Sunlight,
    Topic,
)
from homeagent.languages.concepts.value_concepts import (
    Colour,
    Count,
    Extreme,
    Heading,
    Level,
    Ordinal,
    Quality,
    Share,
    StateWord,
    White,
)

__all__ = [
    "Amount",
    "ArmingMode",
    "Attribute",
    "Chat",
    "Clock",
    "Colour",
    "Complaint",
    "Concept",
    "Count",
    "Courteous",
    "DayWord",
    "Dimension",
    "Extreme",
    "FanMotion",
    "Form",
    "Heading",
    "Level",
    "ListAction",
    "Listed",
    "Mode",
    "Ordinal",
    "Particle",
    "PastWord",
    "Playback",
    "Purpose",
    "Quality",
    "Question",
    "Reference",
    "Role",
    "SafetyKind",
    "SafetySign",
    "SafetyState",
    "SafetyWord",
    "Share",
    "ShoppingWord",
    "Sky",
    "StateWord",
    "Sunlight",
    "Topic",
    "Unit",
    "Verb",
    "Way",
    "White",
]

Concept = (
    Verb
    | Particle
    | Dimension
    | Mode
    | Listed
    | FanMotion
    | Playback
    | ArmingMode
    | Amount
    | Unit
    | Role
    | Form
    | Reference
    | Question
    | Attribute
    | ListAction
    | ShoppingWord
    | Sky
    | DayWord
    | Clock
    | Chat
    | Complaint
    | Sunlight
    | Topic
    | Purpose
    | PastWord
    | SafetyKind
    | SafetySign
    | SafetyState
    | SafetyWord
    | Heading
    | Extreme
    | Ordinal
    | Level
    | Quality
    | Share
    | White
    | Colour
    | Count
    | StateWord
)
"""What a phrase of a pack can stand for. Its type is its sort."""
