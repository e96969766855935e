"""Lists of things to do or to buy."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Profile, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    CREATE_TODO_ITEM = 1
    DELETE_TODO_ITEM = 2
    UPDATE_TODO_ITEM = 4
    MOVE_TODO_ITEM = 8
    SET_DUE_DATE_ON_ITEM = 16
    SET_DUE_DATETIME_ON_ITEM = 32
    SET_DESCRIPTION_ON_ITEM = 64


_ITEM = Param("item", required=True)


_ITEM_DETAILS = (
    Param("due_date", Kind.DATE, feature=Feature.SET_DUE_DATE_ON_ITEM),
    Param("due_datetime", Kind.DATETIME, feature=Feature.SET_DUE_DATETIME_ON_ITEM),
    Param("description", feature=Feature.SET_DESCRIPTION_ON_ITEM),
)


PROFILES = (
    Profile(
        "todo",
        actions={
            "add_item": Service(
                "add_item", (_ITEM, *_ITEM_DETAILS), feature=Feature.CREATE_TODO_ITEM, effect=Effect.ACCEPTED
            ),
            "complete_item": Service(
                "update_item",
                (_ITEM,),
                feature=Feature.UPDATE_TODO_ITEM,
                data={"status": "completed"},
                effect=Effect.ACCEPTED,
            ),
            "reopen_item": Service(
                "update_item",
                (_ITEM,),
                feature=Feature.UPDATE_TODO_ITEM,
                data={"status": "needs_action"},
                effect=Effect.ACCEPTED,
            ),
            "update_item": Service(
                "update_item",
                (
                    _ITEM,
                    Param("rename"),
                    Param("status", Kind.OPTION, options=("needs_action", "completed")),
                    *_ITEM_DETAILS,
                ),
                feature=Feature.UPDATE_TODO_ITEM,
                effect=Effect.ACCEPTED,
            ),
            "remove_item": Service(
                "remove_item",
                (Param("item", Kind.TEXTS, required=True),),
                feature=Feature.DELETE_TODO_ITEM,
                effect=Effect.ACCEPTED,
            ),
            "remove_completed_items": Service(
                "remove_completed_items", feature=Feature.DELETE_TODO_ITEM, effect=Effect.ACCEPTED
            ),
        },
        same={"add": "add_item", "complete": "complete_item", "remove": "remove_item", "delete_item": "remove_item"},
        features=Feature,
        rank=18,
        told_alone=True,
        own_questions=True,
        simulated=Simulation(
            start="0", usual=Feature.CREATE_TODO_ITEM | Feature.DELETE_TODO_ITEM | Feature.UPDATE_TODO_ITEM
        ),
    ),
)
