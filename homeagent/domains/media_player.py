"""Media players."""

from __future__ import annotations

from enum import IntFlag

from homeagent.domains.profile import Choices, Measure, MeasureUnit, NameTells, Profile, Remedy, Simulation
from homeagent.domains.service import Effect, Kind, Param, Service
from homeagent.languages.concepts import Complaint


class Feature(IntFlag):
    """The bits of ``supported_features``."""

    PAUSE = 1
    SEEK = 2
    VOLUME_SET = 4
    VOLUME_MUTE = 8
    PREVIOUS_TRACK = 16
    NEXT_TRACK = 32
    TURN_ON = 128
    TURN_OFF = 256
    PLAY_MEDIA = 512
    VOLUME_STEP = 1024
    SELECT_SOURCE = 2048
    STOP = 4096
    CLEAR_PLAYLIST = 8192
    PLAY = 16384
    SHUFFLE_SET = 32768
    SELECT_SOUND_MODE = 65536
    BROWSE_MEDIA = 131072
    REPEAT_SET = 262144
    GROUPING = 524288
    ANNOUNCE = 1048576
    ENQUEUE = 2097152
    SEARCH = 4194304


_PLAYING = ("playing", "buffering", "on")


_VOLUME = Feature.VOLUME_SET | Feature.VOLUME_STEP


def _volume(name: str, scale: float, *, step: bool = False) -> Param:
    """A volume in shares of 1 (``scale`` 1) or in percent (0.01)."""
    return Param(
        name,
        Kind.NUMBER,
        field="volume_level",
        low=0,
        high=1 / scale,
        feature=Feature.VOLUME_SET,
        reads="volume_level",
        tolerance=0.02,
        sent_scale=scale,
        shown_scale=scale,
        step=step,
    )


_WHAT = (
    Param("media_content_id", required=True),
    Param("media_content_type", required=True),
    Param("enqueue", Kind.OPTION, options=("add", "next", "play", "replace"), feature=Feature.ENQUEUE),
    Param("announce", Kind.FLAG, feature=Feature.ANNOUNCE),
)


PROFILES = (
    Profile(
        "media_player",
        actions={
            "turn_on": Service("turn_on", feature=Feature.TURN_ON, leaves=("off", "standby")),
            "turn_off": Service("turn_off", feature=Feature.TURN_OFF, reaches=("off", "standby")),
            "toggle": Service("toggle", feature=Feature.TURN_ON | Feature.TURN_OFF, effect=Effect.CHANGE),
            "play": Service("media_play", feature=Feature.PLAY, reaches=_PLAYING),
            "pause": Service("media_pause", feature=Feature.PAUSE, leaves=("playing", "buffering")),
            "play_pause": Service("media_play_pause", feature=Feature.PAUSE | Feature.PLAY, effect=Effect.CHANGE),
            "stop": Service("media_stop", feature=Feature.STOP, leaves=("playing", "buffering", "paused")),
            "next": Service("media_next_track", feature=Feature.NEXT_TRACK, effect=Effect.UNSEEN),
            "previous": Service("media_previous_track", feature=Feature.PREVIOUS_TRACK, effect=Effect.UNSEEN),
            "volume_up": Service("volume_up", feature=_VOLUME, effect=Effect.CHANGE),
            "volume_down": Service("volume_down", feature=_VOLUME, effect=Effect.CHANGE),
            "mute": Service(
                "volume_mute",
                feature=Feature.VOLUME_MUTE,
                data={"is_volume_muted": True},
                shows={"is_volume_muted": True},
            ),
            "unmute": Service(
                "volume_mute",
                feature=Feature.VOLUME_MUTE,
                data={"is_volume_muted": False},
                shows={"is_volume_muted": False},
            ),
            "play_media": Service("play_media", _WHAT, feature=Feature.PLAY_MEDIA, reaches=_PLAYING),
            "clear_playlist": Service("clear_playlist", feature=Feature.CLEAR_PLAYLIST, effect=Effect.UNSEEN),
        },
        setters=(
            Service(
                "select_source",
                (Param("source", Kind.OPTION, options="source_list", feature=Feature.SELECT_SOURCE, reads="source"),),
            ),
            Service(
                "select_sound_mode",
                (
                    Param(
                        "sound_mode",
                        Kind.OPTION,
                        options="sound_mode_list",
                        feature=Feature.SELECT_SOUND_MODE,
                        reads="sound_mode",
                    ),
                ),
            ),
            Service(
                "volume_set",
                (
                    _volume("volume_level", 1),
                    _volume("volume_pct", 0.01),
                    _volume("volume_step", 1, step=True),
                    _volume("volume_step_pct", 0.01, step=True),
                ),
            ),
            Service("shuffle_set", (Param("shuffle", Kind.FLAG, feature=Feature.SHUFFLE_SET, reads="shuffle"),)),
            Service(
                "repeat_set",
                (
                    Param(
                        "repeat", Kind.OPTION, options=("off", "all", "one"), feature=Feature.REPEAT_SET, reads="repeat"
                    ),
                ),
            ),
            Service(
                "media_seek",
                (Param("seek_position", Kind.NUMBER, low=0, high="media_duration", feature=Feature.SEEK),),
                effect=Effect.UNSEEN,
            ),
        ),
        same={
            "resume": "play",
            "unpause": "play",
            "next_track": "next",
            "previous_track": "previous",
            "seek": "set_value",
        },
        features=Feature,
        rank=4,
        meant={"start": "play"},
        in_everything=True,
        exposed=True,
        left_on=True,
        remedies=(
            Remedy(Complaint.LOUD, "set_value", {"volume_step_pct": -10}),
            Remedy(Complaint.QUIET, "set_value", {"volume_step_pct": 10}),
        ),
        at_work=("playing", "buffering"),
        states=("on", "off", "playing", "paused", "idle", "standby", "buffering"),
        running=("playing", "paused", "idle", "buffering"),
        active="playing",
        resting="off",
        measures=(
            Measure("volume", "volume_level", unit=MeasureUnit.PERCENT, whole=1),
            Measure("media", "media_title"),
            Measure("source", "source"),
        ),
        choices=(
            Choices("source_list", "source"),
            Choices("sound_mode_list", "sound_mode"),
        ),
        name_tells=frozenset({NameTells.PROTECTION}),
        simulated=Simulation(
            start="off",
            usual=Feature.PLAY
            | Feature.PAUSE
            | Feature.STOP
            | Feature.NEXT_TRACK
            | Feature.PREVIOUS_TRACK
            | Feature.VOLUME_SET
            | Feature.VOLUME_STEP
            | Feature.VOLUME_MUTE
            | Feature.TURN_ON
            | Feature.TURN_OFF
            | Feature.PLAY_MEDIA,
            told_by={
                "source_list": Feature.SELECT_SOURCE,
                "shuffle": Feature.SHUFFLE_SET,
                "repeat": Feature.REPEAT_SET,
            },
            unrecorded=frozenset(
                {"entity_picture_local", "source_list", "media_position_updated_at", "sound_mode_list"}
            ),
        ),
    ),
)
