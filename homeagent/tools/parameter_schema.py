"""Tool parameters as a schema for models, and what is wrong with parameters in words for models."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

from homeagent.values.name_matching import near


def function_schema(name: str, description: str, params: type[BaseModel]) -> dict[str, Any]:
    """A tool in OpenAI's form, as small as it can be and with nothing that a provider cannot read.

    No titles, references, nulls, alternatives or objects without fields: Gemini and some local servers take none of
    them. Of "one or several" several are offered; one alone is taken all the same. What is required comes first.
    Descriptions are those of fields: a docstring is for readers of the code.
    """
    schema = params.model_json_schema(by_alias=True)
    parameters = _plain(schema, schema.get("$defs", {}))
    parameters.pop("description", None)
    fields = parameters["properties"]
    parameters["properties"] = {name: fields[name] for name in parameters.get("required", ())} | fields
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


def what_is_wrong(error: ValidationError, params: type[BaseModel]) -> str:
    """Each fault with its field, in words, without the values that were given."""
    known = [field.alias or name for name, field in params.model_fields.items()]
    return "; ".join(
        dict.fromkeys(_fault(fault, known) for fault in error.errors(include_input=False, include_url=False))
    )


def _fault(fault: Any, known: list[str]) -> str:
    where = ".".join(str(part) for part in fault["loc"] if not _is_branch(part)) or "parameters"
    if fault["type"] == "missing":
        return f"{where} is missing"
    if fault["type"] == "extra_forbidden":
        if len(fault["loc"]) > 1:
            return f"there is no field {where}"
        nearest = near(where, known)
        hint = (
            f"did you mean {nearest[0]}?"
            if nearest
            else "settings belong in parameters"
            if "parameters" in known
            else ""
        )
        return f"there is no field {where} ({hint + '; ' if hint else ''}the fields are {', '.join(known)})"
    return f"{where}: {fault['msg'].removeprefix('Value error, ')}"


def _is_branch(part: object) -> bool:
    """Pydantic names the branch of a union in the place of a fault: ``str``, ``list[str]``."""
    return isinstance(part, str) and (
        part in ("str", "int", "float", "bool") or part.startswith(("list[", "function-"))
    )


_LEFT_OUT = frozenset(
    {"title", "$defs", "default", "anyOf", "properties", "minLength", "maxLength", "maxItems", "additionalProperties"}
)
"""What says nothing that a model needs; what is too long or unknown is told when it is called."""


def _plain(node: object, definitions: dict[str, object]) -> Any:
    if isinstance(node, list):
        return [_plain(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if reference := node.get("$ref"):
        found = _plain(definitions[reference.rpartition("/")[2]], definitions)
        return {**_without(found, "description"), **{k: v for k, v in node.items() if k == "description"}}
    plain = {key: _plain(value, definitions) for key, value in node.items() if key not in _LEFT_OUT}
    if "properties" in node:
        plain["properties"] = {key: _plain(value, definitions) for key, value in node["properties"].items()}
    if "items" in plain:
        plain["items"] = _without(plain["items"], "description")
    if "anyOf" in node:
        plain = {**_several([_plain(c, definitions) for c in node["anyOf"] if c.get("type") != "null"]), **plain}
    return plain


def _several(choices: list[dict[str, Any]]) -> dict[str, Any]:
    """The one choice that stands for all: a list, where one thing or a list of such things is taken."""
    several = next((choice for choice in choices if choice.get("type") == "array"), choices[0])
    assert all(choice in (several, several.get("items")) for choice in choices), choices
    return several


def _without(node: Any, key: str) -> Any:
    return {k: v for k, v in node.items() if k != key} if isinstance(node, dict) else node
