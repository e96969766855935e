from .base import add


async def async_setup_entry(hass, entry, async_add_entities):
    await add(entry, async_add_entities, "calendar")
