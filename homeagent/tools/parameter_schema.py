"""Tool parameters as a schema for models, and what is wrong with parameters in words for models."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

from homeagent.values.name_matching import near


def function_schema(name: str, description: str, params: type[BaseModel]) -> dict[str, Any]:
    """A tool in OpenAI's form. No titles, no references, no nulls: some servers cannot read them.

    What is required comes first.
    """
    schema = params.model_json_schema(by_alias=True)
    parameters = _plain(schema, schema.get("$defs", {}))
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


def _plain(node: object, definitions: dict[str, object]) -> Any:
    if isinstance(node, list):
        return [_plain(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if reference := node.get("$ref"):
        found = _plain(definitions[reference.rpartition("/")[2]], definitions)
        return {**found, **{key: value for key, value in node.items() if key == "description"}}
    kept = {k: v for k, v in node.items() if k not in ("title", "$defs", "default", "anyOf", "properties")}
    plain = {key: _plain(value, definitions) for key, value in kept.items()}
    if "properties" in node:
        plain["properties"] = {key: _plain(value, definitions) for key, value in node["properties"].items()}
    if "anyOf" in node:
        choices = [_plain(c, definitions) for c in node["anyOf"] if c.get("type") != "null"]
        plain = {**choices[0], **plain} if len(choices) == 1 else {**plain, "anyOf": choices}
    return plain
