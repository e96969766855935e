"""The weights of features, from weights.yaml: what a frame costs, and what is sure enough."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from homeagent.errors import ConfigError
from homeagent.understanding.frame import ActKind, Feature, Features
from homeagent.values.yaml_text import read_yaml

_FILE = Path(__file__).with_name("weights.yaml")


class Decision(BaseModel):
    """Limits on costs: up to which a clause is carried out without looking further (``sure``), carried out (``act``),
    or offered as a question (``ask``); of all asides (``beside``); of small talk above an aside (``talk``); within
    which another reading is a rival (``margin``).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    sure: float
    act: float
    ask: float
    beside: float
    talk: float
    margin: float = Field(ge=0)


class Weights(BaseModel):
    """A weight for each feature, and a price for kinds of frames (0 where none is given)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    decision: Decision
    features: dict[Feature, float]
    acts: dict[ActKind, float]

    @model_validator(mode="after")
    def _complete(self) -> Weights:
        if missing := sorted(set(Feature) - set(self.features)):
            raise ValueError(f"no weight for {', '.join(missing)}")
        return self

    def cost(self, features: Features, act: ActKind | None = None) -> float:
        """The sum of the features' values by their weights, plus the price of the kind."""
        own = self.acts.get(act, 0.0) if act is not None else 0.0
        return own + sum(self.features[f] * v for f, v in features.items())


def weights_of(content: Mapping[str, object]) -> Weights:
    """The weights that a file holds. Raises `ConfigError`."""
    try:
        return Weights.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the top"
        raise ConfigError(f"{_FILE.name}, at {place}: {first['msg']}.", hint="") from error


@cache
def weights() -> Weights:
    """The weights that are delivered."""
    return weights_of(read_yaml(_FILE.read_text("utf-8")))
