"""The integration's files fit each other: manifest, texts, services, icons, triggers, and the quality scale."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

INTEGRATION = Path(__file__).parents[1] / "custom_components" / "home_agent"
LANGUAGES = ("de", "en", "es", "fr", "ko", "nl")
SOURCE = {file.stem: file.read_text("utf-8") for file in INTEGRATION.glob("*.py")}
SERVICES = yaml.safe_load((INTEGRATION / "services.yaml").read_text("utf-8"))
ICONS = json.loads((INTEGRATION / "icons.json").read_text("utf-8"))
MANIFEST = json.loads((INTEGRATION / "manifest.json").read_text("utf-8"))
RULES = {
    "bronze": "action-setup appropriate-polling brands common-modules config-flow config-flow-test-coverage "
    "dependency-transparency docs-actions docs-high-level-description docs-installation-instructions "
    "docs-removal-instructions entity-event-setup entity-unique-id has-entity-name runtime-data test-before-configure "
    "test-before-setup unique-config-entry",
    "silver": "action-exceptions config-entry-unloading docs-configuration-parameters docs-installation-parameters "
    "entity-unavailable integration-owner log-when-unavailable parallel-updates reauthentication-flow test-coverage",
    "gold": "devices diagnostics discovery discovery-update-info docs-data-update docs-examples "
    "docs-known-limitations docs-supported-devices docs-supported-functions docs-troubleshooting docs-use-cases "
    "dynamic-devices entity-category entity-device-class entity-disabled-by-default entity-translations "
    "exception-translations icon-translations reconfiguration-flow repair-issues stale-devices",
    "platinum": "async-dependency inject-websession strict-typing",
}
PLATFORMS = ("ai_task", "binary_sensor", "button", "conversation", "sensor")


def texts(language: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((INTEGRATION / "translations" / f"{language}.json").read_text("utf-8"))
    return told


def flat(value: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], str]:
    if not isinstance(value, dict):
        return {path: value}
    return {key: text for name, inner in value.items() for key, text in flat(inner, (*path, name)).items()}


ENGLISH = texts("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_says_all_of_it_with_the_same_blanks(language: str) -> None:
    english, own = flat(ENGLISH), flat(texts(language))
    assert own.keys() == english.keys()
    for key, text in own.items():
        assert text.strip() == text, key
        assert text, key
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", english[key])), key
    same = [key for key, text in own.items() if language != "en" and len(text.split()) > 2 and text == english[key]]
    assert same == []


def test_the_manifest_is_as_home_assistant_wants_it() -> None:
    names = list(MANIFEST)
    assert names == ["domain", "name", *sorted(set(names) - {"domain", "name"})]
    assert MANIFEST["domain"] == INTEGRATION.name
    assert MANIFEST["version"] == _project_version()
    assert MANIFEST["config_flow"] is True
    assert MANIFEST["requirements"] == []
    assert (MANIFEST["integration_type"], MANIFEST["iot_class"]) == ("service", "local_push")
    from homeagent.service.local_network import TYPE

    assert MANIFEST["zeroconf"] == [TYPE]


def _project_version() -> str:
    import tomllib

    return str(tomllib.loads((INTEGRATION.parents[1] / "pyproject.toml").read_text())["project"]["version"])


def test_each_step_and_error_of_the_flow_has_its_words() -> None:
    flow = SOURCE["config_flow"]
    config = ENGLISH["config"]
    shown = set(re.findall(r'_show\("(\w+)"', flow)) | set(re.findall(r'step_id="(\w+)"', flow))
    assert config["step"].keys() == shown
    errors = set(re.findall(r'errors\[\w+\] = "(\w+)"|errors\["base"\] = "(\w+)"', flow)) | {("invalid_code", "")}
    assert {name for pair in errors for name in pair if name} <= config["error"].keys()
    for step in config["step"].values():
        assert step.get("data", {}).keys() == step.get("data_description", {}).keys()
        assert step["title"]
        assert step["description"]


def test_each_service_has_words_icons_and_an_entry_to_choose() -> None:
    assert ENGLISH["services"].keys() == SERVICES.keys() == ICONS["services"].keys()
    for name, service in SERVICES.items():
        assert ENGLISH["services"][name]["fields"].keys() == service["fields"].keys(), name
        assert service["fields"]["entry_id"]["selector"] == {"config_entry": {"integration": MANIFEST["domain"]}}
        for field, said in service["fields"].items():
            assert len(said["selector"]) == 1, (name, field)
            options = said["selector"].get("select")
            if options:
                assert ENGLISH["selector"][options["translation_key"]]["options"].keys() == set(options["options"])


def test_each_service_is_one_of_the_agents_with_its_fields() -> None:
    from homeagent.service.services import SERVICES as OURS

    for name, service in SERVICES.items():
        taken = OURS[name].fields.model_fields
        given = {field: said.get("required", False) for field, said in service["fields"].items() if field != "entry_id"}
        assert given.keys() <= taken.keys(), name
        for field, required in given.items():
            assert required == taken[field].is_required() or (name, field) == ("clear_memories", "confirm"), (
                name,
                field,
            )


def test_each_entity_has_a_name_and_an_icon() -> None:
    for platform in ("binary_sensor", "button", "sensor", "ai_task"):
        keys = set(re.findall(r'translation_key="(\w+)"|_attr_translation_key = "(\w+)"', SOURCE[platform]))
        named = {name for pair in keys for name in pair if name and name not in ENGLISH["exceptions"]}
        if platform == "button":
            named = {"confirm", "reject"}
        assert ENGLISH["entity"][platform].keys() == named, platform
        assert ICONS["entity"][platform].keys() == named, platform


def test_each_exception_issue_and_trigger_has_words() -> None:
    raised = {key for text in SOURCE.values() for key in re.findall(r'DOMAIN, translation_key="(\w+)"', text)}
    raised |= set(re.findall(r'"(\w+)"', SOURCE["exceptions"])) - {"message"}
    assert raised == ENGLISH["exceptions"].keys()
    assert set(re.findall(r'_AWAY, _APART = "(\w+)", "(\w+)"', SOURCE["issues"])[0]) == ENGLISH["issues"].keys()
    assert all(issue.keys() == {"title", "description"} for issue in ENGLISH["issues"].values())
    triggers = next(
        node.value
        for node in ast.walk(ast.parse(SOURCE["device_trigger"]))
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "TYPES"
    )
    types = ast.literal_eval(triggers)
    assert types.keys() == ENGLISH["device_automation"]["trigger_type"].keys()
    from homeagent.service.event_stream import TYPES

    assert set(types.values()) <= set(TYPES)


def test_each_platform_says_how_many_updates_go_at_once() -> None:
    for platform in PLATFORMS:
        assert re.search(r"^PARALLEL_UPDATES = [01]$", SOURCE[platform], re.MULTILINE), platform


def test_the_quality_scale_is_answered_rule_by_rule() -> None:
    told = yaml.safe_load((INTEGRATION / "quality_scale.yaml").read_text("utf-8"))["rules"]
    assert list(told) == [rule for tier in RULES.values() for rule in tier.split()]
    for rule, answer in told.items():
        status = answer if isinstance(answer, str) else answer["status"]
        assert status in ("done", "exempt", "todo"), rule
        assert status == "done" or answer["comment"].strip(), rule
    open_rules = {rule for rule, answer in told.items() if answer != "done" and answer["status"] == "todo"}
    assert bool(open_rules & {r for tier in ("bronze", "silver", "gold") for r in RULES[tier].split()}) == (
        "quality_scale" not in MANIFEST
    ), "a tier is claimed where all of it is met, and nowhere else"
