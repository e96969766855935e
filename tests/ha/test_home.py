"""The live home's lists follow its entities: what was worked out once is not told again after a change."""

from dataclasses import replace

from homeagent.ha.home import Home, HomeConfig
from indexer.entity import Entity

LAMP = Entity("light.lamp", "Lamp", exposed=True)
ANNA = Entity("person.anna", "Anna", exposed=False)


def _home() -> Home:
    home = Home()
    home.replace(config=HomeConfig(), areas=(), floors=(), device_areas={}, entities=[LAMP, ANNA], states=())
    return home


def test_what_is_exposed_follows_each_change() -> None:
    home = _home()
    assert home.exposed() == (LAMP,)
    home.put_entities([replace(ANNA, exposed=True)])
    assert [e.entity_id for e in home.exposed()] == ["light.lamp", "person.anna"]
    home.put_entities([], removed=["light.lamp"])
    assert [e.entity_id for e in home.exposed()] == ["person.anna"]
    home.replace(config=HomeConfig(), areas=(), floors=(), device_areas={}, entities=[LAMP])
    assert home.exposed() == (LAMP,)


def test_a_domain_is_told_exposed_or_not() -> None:
    home = _home()
    assert home.of_domain("person") == (ANNA,)
    assert home.of_domain("lock") == ()
    ben = replace(ANNA, entity_id="person.ben", name="Ben")
    home.put_entities([ben])
    assert home.of_domain("person") == (ANNA, ben)
