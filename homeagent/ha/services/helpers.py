"""Helpers, lists, scenes, scripts and the like, which Home Assistant keeps itself: what can be asked of them."""

from __future__ import annotations

from homeagent.ha.services.model import Abilities, Effect, Kind, Param, Service, on_off

_CYCLE = (Param("cycle", Kind.FLAG),)

BUTTON = Abilities(
    actions={"press": Service("press", effect=Effect.CHANGE)}, same={"turn_on": "press", "push": "press"}
)

SELECT = Abilities(
    actions={
        "select_next": Service("select_next", _CYCLE, effect=Effect.CHANGE),
        "select_previous": Service("select_previous", _CYCLE, effect=Effect.CHANGE),
        "select_first": Service("select_first"),
        "select_last": Service("select_last"),
    },
    setters=(
        Service("select_option", (Param("option", Kind.OPTION, options="options", required=True, reads="state"),)),
    ),
    same={"next": "select_next", "previous": "select_previous"},
    value="option",
)

NUMBER = Abilities(
    setters=(
        Service(
            "set_value",
            (
                Param("value", Kind.NUMBER, low="min", high="max", reads="state", tolerance="step"),
                Param(
                    "value_step",
                    Kind.NUMBER,
                    field="value",
                    low="min",
                    high="max",
                    reads="state",
                    tolerance="step",
                    step=True,
                ),
            ),
        ),
    ),
    value="value",
)

INPUT_NUMBER = Abilities(
    actions={
        "increment": Service("increment", effect=Effect.CHANGE),
        "decrement": Service("decrement", effect=Effect.CHANGE),
    },
    setters=NUMBER.setters,
    value="value",
)

TEXT = Abilities(
    setters=(Service("set_value", (Param("value", low="min", high="max", required=True, reads="state"),)),),
    value="value",
)

DATE = Abilities(
    setters=(Service("set_value", (Param("date", Kind.DATE, required=True, reads="state"),)),), value="date"
)
TIME = Abilities(
    setters=(Service("set_value", (Param("time", Kind.TIME, required=True, reads="state"),)),), value="time"
)
DATETIME = Abilities(
    setters=(Service("set_value", (Param("datetime", Kind.DATETIME, required=True),), effect=Effect.ACCEPTED),),
    value="datetime",
)

INPUT_DATETIME = Abilities(
    setters=(
        Service(
            "set_datetime",
            (Param("date", Kind.DATE), Param("time", Kind.TIME), Param("datetime", Kind.DATETIME)),
            effect=Effect.ACCEPTED,
        ),
    ),
    value="datetime",
)

TIMER = Abilities(
    actions={
        "start": Service("start", (Param("duration", Kind.DURATION),), reaches=("active",)),
        "pause": Service("pause", reaches=("paused", "idle")),
        "cancel": Service("cancel", reaches=("idle",)),
        "finish": Service("finish", reaches=("idle",)),
        "change": Service("change", (Param("duration", Kind.DURATION, required=True),), effect=Effect.ACCEPTED),
    },
    same={"turn_on": "start", "turn_off": "cancel", "stop": "cancel", "resume": "start"},
)

COUNTER = Abilities(
    actions={
        "increment": Service("increment", effect=Effect.ACCEPTED),
        "decrement": Service("decrement", effect=Effect.ACCEPTED),
        "reset": Service("reset", effect=Effect.ACCEPTED),
    },
    setters=(
        Service(
            "set_value", (Param("value", Kind.INTEGER, low="minimum", high="maximum", required=True, reads="state"),)
        ),
    ),
    value="value",
)

_ITEM = Param("item", required=True)
_ITEM_DETAILS = (
    Param("due_date", Kind.DATE, feature=16),
    Param("due_datetime", Kind.DATETIME, feature=32),
    Param("description", feature=64),
)
TODO = Abilities(
    actions={
        "add_item": Service("add_item", (_ITEM, *_ITEM_DETAILS), feature=1, effect=Effect.ACCEPTED),
        "complete_item": Service(
            "update_item", (_ITEM,), feature=4, data={"status": "completed"}, effect=Effect.ACCEPTED
        ),
        "reopen_item": Service(
            "update_item", (_ITEM,), feature=4, data={"status": "needs_action"}, effect=Effect.ACCEPTED
        ),
        "update_item": Service(
            "update_item",
            (
                _ITEM,
                Param("rename"),
                Param("status", Kind.OPTION, options=("needs_action", "completed")),
                *_ITEM_DETAILS,
            ),
            feature=4,
            effect=Effect.ACCEPTED,
        ),
        "remove_item": Service(
            "remove_item", (Param("item", Kind.TEXTS, required=True),), feature=2, effect=Effect.ACCEPTED
        ),
        "remove_completed_items": Service("remove_completed_items", feature=2, effect=Effect.ACCEPTED),
    },
    same={"add": "add_item", "complete": "complete_item", "remove": "remove_item", "delete_item": "remove_item"},
)

CALENDAR = Abilities(
    actions={
        "create_event": Service(
            "create_event",
            (
                Param("summary", required=True),
                Param("description"),
                Param("location"),
                Param("start_date_time", Kind.DATETIME),
                Param("end_date_time", Kind.DATETIME),
                Param("start_date", Kind.DATE),
                Param("end_date", Kind.DATE),
            ),
            feature=1,
            effect=Effect.ACCEPTED,
        ),
    },
    same={"add_event": "create_event"},
)

SCENE = Abilities(
    actions={
        "turn_on": Service("turn_on", (Param("transition", Kind.NUMBER, low=0, high=6553),), effect=Effect.CHANGE)
    },
    same={"activate": "turn_on", "apply": "turn_on", "start": "turn_on"},
)

SCRIPT = Abilities(
    actions={
        "turn_on": Service("turn_on", (Param("variables", Kind.MAPPING),), effect=Effect.CHANGE),
        "turn_off": Service("turn_off", reaches=("off",)),
        "toggle": Service("toggle", effect=Effect.CHANGE),
    },
    same={"run": "turn_on", "start": "turn_on", "activate": "turn_on", "stop": "turn_off"},
)

AUTOMATION = Abilities(
    actions={
        "turn_on": Service("turn_on", reaches=("on",)),
        "turn_off": Service("turn_off", (Param("stop_actions", Kind.FLAG),), reaches=("off",)),
        "toggle": Service("toggle", effect=Effect.CHANGE),
        "trigger": Service("trigger", (Param("skip_condition", Kind.FLAG),), effect=Effect.CHANGE),
    },
    same={"enable": "turn_on", "disable": "turn_off", "run": "trigger"},
)

UPDATE = Abilities(
    actions={
        "install": Service(
            "install",
            (Param("version", feature=2), Param("backup", Kind.FLAG, feature=8)),
            feature=1,
            effect=Effect.CHANGE,
        ),
        "skip": Service("skip", reaches=("off",)),
        "clear_skipped": Service("clear_skipped", effect=Effect.ACCEPTED),
    }
)

NOTIFY = Abilities(
    actions={
        "send_message": Service(
            "send_message", (Param("message", required=True), Param("title", feature=1)), effect=Effect.ACCEPTED
        )
    },
    same={"notify": "send_message", "send": "send_message"},
)

ASSIST_SATELLITE = Abilities(
    actions={
        "announce": Service(
            "announce",
            (Param("message", required=True), Param("preannounce", Kind.FLAG)),
            feature=1,
            effect=Effect.UNSEEN,
        )
    },
    same={"say": "announce", "broadcast": "announce"},
)

INPUT_BOOLEAN = Abilities(actions=on_off())
