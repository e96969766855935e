"""The integration's files, without a Home Assistant: what they name is there, in every language."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from homeagent.service.services import SERVICES

FOLDER = Path(__file__).parents[1] / "custom_components" / "home_agent"
ENGLISH = json.loads((FOLDER / "translations/en.json").read_text(encoding="utf-8"))
LISTED: dict[str, Any] = yaml.safe_load((FOLDER / "services.yaml").read_text(encoding="utf-8"))


def keys(texts: Any) -> Any:
    return {key: keys(text) for key, text in texts.items()} if isinstance(texts, dict) else None


@pytest.mark.parametrize("language", ["de", "es", "fr", "ko", "nl"])
def test_each_language_says_all_that_english_says(language: str) -> None:
    texts = json.loads((FOLDER / f"translations/{language}.json").read_text(encoding="utf-8"))
    assert keys(texts) == keys(ENGLISH)
    assert texts != ENGLISH


@pytest.mark.parametrize("name", LISTED)
def test_each_service_is_one_of_the_agents_with_its_fields(name: str) -> None:
    fields = LISTED[name]["fields"]
    taken = SERVICES[name].fields.model_fields
    assert set(fields) - {"entry_id"} <= set(taken)
    required = {field for field, described in taken.items() if described.is_required()}
    assert {field for field, described in fields.items() if described.get("required")} == required
    assert set(ENGLISH["services"][name]["fields"]) == set(fields)


def test_all_services_that_people_script_against_are_there() -> None:
    assert set(LISTED) == {
        "process", "confirm", "clear_history", "reload_context", "execute_tool", "reindex_entities", "index_entity",
        "list_memories", "search_memories", "add_memory", "delete_memory", "clear_memories",
    }  # fmt: skip
