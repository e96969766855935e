"""What words say a sentence is about."""

from __future__ import annotations

from homeagent.languages.concepts.concept_sort import ConceptSort


class ListAction(ConceptSort):
    """What is done with a list or what is on it."""

    ADD = "add"
    REMOVE = "remove"
    COMPLETE = "complete"
    NEW = "new"
    """A list of its own is to be made."""
    WIPE = "wipe"
    """All of it is to go."""
    ITEM = "item"
    """Speaks of an item without naming it."""


class ShoppingWord(ConceptSort):
    """What speaks of what is to be bought, without a list."""

    BUY = "buy"
    """To buy, where one buys, and what one buys there: "supermarket", "groceries"."""
    NEED = "need"
    GONE = "gone"
    """That none is left: "we are out of", "is finished"."""


class Sky(ConceptSort):
    """A kind of weather."""

    RAIN = "rain"
    SNOW = "snow"
    SUN = "sun"
    WIND = "wind"
    STORM = "storm"
    FOG = "fog"
    CLOUDS = "clouds"


class DayWord(ConceptSort):
    """A day or a stretch of days, seen from today."""

    YESTERDAY = "yesterday"
    TODAY = "today"
    TOMORROW = "tomorrow"
    AFTER_TOMORROW = "after_tomorrow"
    WEEK = "week"
    LAST_WEEK = "last_week"
    NEXT_WEEK = "next_week"
    MONTH = "month"
    WEEKEND = "weekend"
    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


class Clock(ConceptSort):
    """What a clock or a calendar on the wall tells."""

    TIME = "time"
    DATE = "date"


class Chat(ConceptSort):
    """What is only said, and answered in kind."""

    HELLO = "hello"
    THANKS = "thanks"
    HELP = "help"
    IDENTITY = "identity"
    NOTHING = "nothing"
    WELCOME = "welcome"
    """Said by one who comes home."""
    FAREWELL = "farewell"
    """Said by one who leaves, or goes to sleep."""
    RIGHT = "right"
    """What was answered or done is as it should be."""
    WRONG = "wrong"
    MATTERS = "matters"
    """How much something means to somebody: beside a negation, nothing."""
    JOKE = "joke"


class Complaint(ConceptSort):
    """How it is, said of a place or of oneself."""

    DARK = "dark"
    BRIGHT = "bright"
    COLD = "cold"
    HOT = "hot"
    LOUD = "loud"
    QUIET = "quiet"


class Sunlight(ConceptSort):
    """The light of the sun in a room, and whether it is to be there."""

    SUN = "sun"
    IN = "in"
    OUT = "out"


class Topic(ConceptSort):
    """Words that say what a clause is about, and nothing of what is to be done."""

    WEATHER = "weather"
    CALENDAR = "calendar"
    UPCOMING = "upcoming"
    OUTDOORS = "outdoors"
    SUNRISE = "sunrise"
    SUNSET = "sunset"
    MEDIA = "media"


class Purpose(ConceptSort):
    """What a thing is there for, where people name that instead of the thing."""

    COFFEE = "coffee"
    WATERING = "watering"
    WATER = "water"
    """The supply, which a valve lets through."""
    GAS = "gas"
    CHARGING = "charging"
    """Of a car."""
    WAKING = "waking"
    """Only told: when one is woken."""
