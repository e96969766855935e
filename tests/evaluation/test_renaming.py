"""Other names for the same home: grammatical, consistent, and the sentences still mean what they meant."""

import pytest
import yaml

from homeagent.demo.inventory import parse_inventory
from homeagent.evaluation.dataset import load
from homeagent.evaluation.renaming.rename import renamed
from homeagent.evaluation.report import summary
from homeagent.evaluation.runner import run

HOMES = {
    "en": (
        ["Kitchen", "Living Room"],
        [
            ("light.kitchen", "Kitchen Lamp", "Kitchen"),
            ("light.sofa_1", "Sofa Lamp 1", "Living Room"),
            ("light.sofa_12", "Sofa Lamp 12", "Living Room"),
            ("media_player.tv", "TV", "Living Room"),
            ("vacuum.rosie", "Rosie", None),
        ],
    ),
    "de": (
        ["Küche", "Flur"],
        [("light.k", "Küchenlicht", "Küche"), ("light.f", "Flurlicht", "Flur"), ("lock.h", "Haustür", "Flur")],
    ),
    "ko": (["주방", "거실"], [("light.k", "주방등", "주방"), ("light.s", "스탠드", "거실")]),
}


def write(folder, language, *sentences):
    areas, entities = HOMES[language]
    home = {
        "x-language": language,
        "areas": [{"name": name, "id": f"area_{n}"} for n, name in enumerate(areas)],
        "entities": [
            {"id": i, "name": name, "state": "off", **({"area": f"area_{areas.index(area)}"} if area else {})}
            for i, name, area in entities
        ],
    }
    (folder / "_fixtures.yaml").write_text(yaml.safe_dump(home, allow_unicode=True))
    tests = [{"sentences": list(sentences), "x-expect": "ask"}]
    (folder / "tasks.yaml").write_text(yaml.safe_dump({"tests": tests}, allow_unicode=True))
    return load([folder])


def names(dataset):
    [raw] = dataset.homes.values()
    return [e["name"] for e in raw["entities"]], [a["name"] for a in raw["areas"]]


@pytest.mark.parametrize("seed", range(5))
def test_kind_words_digits_and_shared_beginnings_stay(tmp_path, seed):
    entities, areas = names(renamed(write(tmp_path, "en", "hello"), seed))
    kitchen, one, twelve, tv, rosie = entities
    assert areas[0] != "Kitchen"
    assert kitchen == f"{areas[0]} Lamp"
    assert one.endswith(" Lamp 1")
    assert not one.startswith("Sofa")
    assert twelve == f"{one}2"
    assert tv == "TV"
    assert rosie != "Rosie"


def test_a_sentence_keeps_its_case_its_slips_and_the_rest(tmp_path):
    said = [
        "turn on the KITCHEN lamp",
        "Turn on the kitchn lamp",
        "is anyone in the livingroom",
        "the sofas",
        "bring it",
    ]
    dataset = renamed(write(tmp_path, "en", *said), 4)
    _, areas = names(dataset)
    kitchen = areas[0]
    loud, slip, _, plural, other = (case.says[0].text for case in dataset.cases)
    assert loud == f"turn on the {kitchen.upper()} lamp"
    assert slip != said[1]
    assert kitchen.lower() not in slip
    assert slip.startswith("Turn on the ")
    assert plural.endswith("s")
    assert "sofa" not in plural
    assert other == "bring it"


def test_what_is_missing_stays_missing(tmp_path):
    """No new name is a word that a sentence holds, else "the pantry", which is not there, would be found."""
    words = "pantry library den parlour scullery office study lounge nursery hall laundry workshop cellar entry foyer"
    dataset = write(tmp_path, "en", *(f"turn on the {word} lamp" for word in words.split()))
    for seed in range(8):
        _, areas = names(renamed(dataset, seed))
        assert areas[0].lower() not in words.split()


@pytest.mark.parametrize("seed", range(4))
def test_german_compounds_follow_the_room(tmp_path, seed):
    said = ["Mach das Küchenlicht an", "Licht in der Küche aus", "Schließ die Haustür ab"]
    dataset = renamed(write(tmp_path, "de", *said), seed)
    entities, _ = names(dataset)
    compound, _room, door = (case.says[0].text for case in dataset.cases)
    assert entities[0].endswith("licht")
    assert compound == f"Mach das {entities[0]} an"
    assert "Küche" not in " ".join([*entities, compound])
    assert door == f"Schließ die {entities[2]} ab"
    assert entities[2].endswith("tür")


def test_korean_particles_fit_the_new_word(tmp_path):
    said = ["주방을 밝게 해줘", "스탠드를 켜줘"]
    seen = set()
    for seed in range(12):
        dataset = renamed(write(tmp_path, "ko", *said), seed)
        for case in dataset.cases:
            word = case.says[0].text.split()[0]
            has_final = (ord(word[-2]) - 0xAC00) % 28 > 0
            assert word[-1] == ("을" if has_final else "를")
            seen.add(has_final)
    assert seen == {True, False}


def test_the_same_seed_gives_the_same_names_and_another_others(tmp_path):
    dataset = write(tmp_path, "en", "hello")
    assert names(renamed(dataset, 3)) == names(renamed(dataset, 3))
    assert len({str(names(renamed(dataset, seed))) for seed in range(6)}) > 1


def test_a_language_without_a_list_has_other_names_too(tmp_path):
    dataset = write(tmp_path, "en", "hello")
    [(path, raw)] = dataset.homes.items()
    italian = renamed(type(dataset)(dataset.cases, homes={path: {**raw, "x-language": "it"}}), 1)
    _, areas = names(italian)
    assert "Kitchen" not in areas


async def test_a_renamed_home_works_with_its_scenes_groups_and_expectations(tmp_path, words_only):
    (tmp_path / "_fixtures.yaml").write_text("""
areas: [{name: Kitchen, id: kitchen, floor: Ground floor}]
entities:
  - {name: Kitchen Lamp, id: light.kitchen, area: kitchen, state: "off", attributes: {supported_color_modes: [onoff]}}
  - {name: Movie Night, id: scene.movie, state: unknown, x-scene: {light.kitchen: {state: "on"}}}
  - name: Good Night
    id: script.good_night
    state: "off"
    x-script: {sequence: [{action: light.turn_off, target: {floor_id: ground_floor}}]}
""")
    (tmp_path / "tasks.yaml").write_text("""
tests:
  - sentences: [activate movie night]
    expect_changes: {light.kitchen: {state: "on"}}
    x-follow-ups: [{say: good night, expect_changes: {light.kitchen: {state: "off"}}}]
  - {sentences: ["which lights are on?"], setup: {light.kitchen: {state: "on"}}, expect_response: [Kitchen Lamp]}
""")
    dataset = renamed(load([tmp_path]), 2)
    [raw] = dataset.homes.values()
    assert "kitchen" not in str([e["id"] for e in raw["entities"]] + [e["name"] for e in raw["entities"]]).lower()
    assert parse_inventory(raw).entities
    result = summary(await run(dataset, words_only), failures=True)
    assert result["failures"] == []
    assert result["total"] == 3
