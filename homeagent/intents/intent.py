"""What sentences are for. The names are the classes of `data/intents`."""

from __future__ import annotations

from enum import StrEnum


class Intent(StrEnum):
    """What somebody wants by a sentence. Of two opposites (on and off, open and close) meaning alone tells the one from
    the other badly: which of them it is has to come from a word or from the state of the home, or is asked."""

    TELL = "tell"
    CORRECT = "correct"
    RETRACT = "retract"
    RECALL = "recall"
    PASSING = "passing"
    SMALL_TALK = "small_talk"
    JOKE = "joke"
    KNOWLEDGE = "knowledge"
    LIGHT_ON = "light_on"
    LIGHT_OFF = "light_off"
    LIGHT_BRIGHTER = "light_brighter"
    LIGHT_DIMMER = "light_dimmer"
    LIGHT_COLOUR = "light_colour"
    WARMER = "warmer"
    COOLER = "cooler"
    SET_TEMPERATURE = "set_temperature"
    COVER_OPEN = "cover_open"
    COVER_CLOSE = "cover_close"
    COVER_POSITION = "cover_position"
    VACUUM_START = "vacuum_start"
    VACUUM_STOP = "vacuum_stop"
    MEDIA_PLAY = "media_play"
    MEDIA_PAUSE = "media_pause"
    LOUDER = "louder"
    QUIETER = "quieter"
    MUTE = "mute"
    NEXT_TRACK = "next_track"
    PREVIOUS_TRACK = "previous_track"
    CHOOSE_SOURCE = "choose_source"
    DEVICE_ON = "device_on"
    DEVICE_OFF = "device_off"
    LOCK = "lock"
    UNLOCK = "unlock"
    GARAGE_OPEN = "garage_open"
    EVERYTHING_OFF = "everything_off"
    SCENE = "scene"
    ANNOUNCE = "announce"
    TIMER_SET = "timer_set"
    TIMER_LEFT = "timer_left"
    TIMER_CANCEL = "timer_cancel"
    ALARM_SET = "alarm_set"
    ALARM_ASK = "alarm_ask"
    ALARM_CANCEL = "alarm_cancel"
    REMINDER_SET = "reminder_set"
    ORDER_LATER = "order_later"
    ORDER_WHEN = "order_when"
    LIST_ADD = "list_add"
    LIST_REMOVE = "list_remove"
    LIST_ASK = "list_ask"
    ERRAND = "errand"
    """To be done by somebody outside of the home: to order food, to ring somebody, to book a table."""
    UNDO = "undo"
    STOP = "stop"
    REPEAT = "repeat"
    ASK_STATE = "ask_state"
    ASK_OVERVIEW = "ask_overview"
    ASK_SECURITY = "ask_security"
    ASK_INDOOR_TEMPERATURE = "ask_indoor_temperature"
    ASK_OUTDOOR_TEMPERATURE = "ask_outdoor_temperature"
    ASK_SET_TEMPERATURE = "ask_set_temperature"
    ASK_HUMIDITY_AIR = "ask_humidity_air"
    ASK_RAIN = "ask_rain"
    ASK_WIND = "ask_wind"
    ASK_FORECAST = "ask_forecast"
    ASK_WEATHER_NOW = "ask_weather_now"
    ASK_SUN = "ask_sun"
    ASK_TIME = "ask_time"
    ASK_DATE = "ask_date"
    CALENDAR_WHEN = "calendar_when"
    CALENDAR_WHERE = "calendar_where"
    CALENDAR_AGENDA = "calendar_agenda"
    ASK_PRESENCE = "ask_presence"
    ASK_VOLUME = "ask_volume"
    ASK_PLAYING = "ask_playing"
    ASK_SOURCES = "ask_sources"
    ASK_BRIGHTNESS_POSITION = "ask_brightness_position"
    HISTORY_WHEN = "history_when"
    HISTORY_HOW_LONG = "history_how_long"
    HISTORY_WAS = "history_was"
    ASK_WHY = "ask_why"
    ASK_ENERGY = "ask_energy"
    ASK_BATTERY = "ask_battery"
    ASK_CAPABILITY = "ask_capability"


class SentenceKind(StrEnum):
    """What somebody does with a sentence, whatever it is about: intents that need not be told apart are one."""

    TELL = "tell"
    CORRECT = "correct"
    RETRACT = "retract"
    RECALL = "recall"
    PASSING = "passing"
    KNOWLEDGE = "knowledge"
    ERRAND = "errand"
    ASK = "ask"
    ORDER = "order"
    LATER = "later"
    """An order for a time or upon a condition."""


STATEMENTS = frozenset({Intent.TELL, Intent.CORRECT, Intent.RETRACT, Intent.PASSING, Intent.SMALL_TALK})
"""Nothing is ordered or asked by these."""
QUESTIONS = frozenset(
    {intent for intent in Intent if intent.startswith(("ask_", "calendar_", "history_"))}
    | {Intent.RECALL, Intent.KNOWLEDGE, Intent.JOKE, Intent.TIMER_LEFT, Intent.ALARM_ASK, Intent.LIST_ASK}
)
"""Something is asked by these, and nothing is to be done."""
ORDERS = frozenset(Intent) - STATEMENTS - QUESTIONS
"""Something is to be done by these."""
_SAME = frozenset(kind.value for kind in SentenceKind)
_LATER = frozenset({Intent.ORDER_LATER, Intent.ORDER_WHEN, Intent.REMINDER_SET, Intent.TIMER_SET, Intent.ALARM_SET})


def kind_of(intent: Intent) -> SentenceKind:
    """What somebody does who says a sentence of this intent."""
    if intent.value in _SAME:
        return SentenceKind(intent.value)
    if intent in (Intent.SMALL_TALK, Intent.JOKE):
        return SentenceKind.PASSING
    if intent in QUESTIONS:
        return SentenceKind.ASK
    return SentenceKind.LATER if intent in _LATER else SentenceKind.ORDER
