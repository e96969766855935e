"""Media players: what can be asked of them."""

from __future__ import annotations

from homeagent.ha.services.model import Abilities, Effect, Kind, Param, Service

_PLAYING = ("playing", "buffering", "on")
_VOLUME = 4 | 1024


def _volume(name: str, scale: float, *, step: bool = False) -> Param:
    """A volume in shares of 1 (``scale`` 1) or in percent (0.01)."""
    return Param(
        name,
        Kind.NUMBER,
        field="volume_level",
        low=0,
        high=1 / scale,
        feature=4,
        reads="volume_level",
        tolerance=0.02,
        sent_scale=scale,
        shown_scale=scale,
        step=step,
    )


_WHAT = (
    Param("media_content_id", required=True),
    Param("media_content_type", required=True),
    Param("enqueue", Kind.OPTION, options=("add", "next", "play", "replace"), feature=2097152),
    Param("announce", Kind.FLAG, feature=1048576),
)

MEDIA_PLAYER = Abilities(
    actions={
        "turn_on": Service("turn_on", feature=128, leaves=("off", "standby")),
        "turn_off": Service("turn_off", feature=256, reaches=("off", "standby")),
        "toggle": Service("toggle", feature=128 | 256, effect=Effect.CHANGE),
        "play": Service("media_play", feature=16384, reaches=_PLAYING),
        "pause": Service("media_pause", feature=1, leaves=("playing", "buffering")),
        "play_pause": Service("media_play_pause", feature=1 | 16384, effect=Effect.CHANGE),
        "stop": Service("media_stop", feature=4096, leaves=("playing", "buffering", "paused")),
        "next": Service("media_next_track", feature=32, effect=Effect.UNSEEN),
        "previous": Service("media_previous_track", feature=16, effect=Effect.UNSEEN),
        "volume_up": Service("volume_up", feature=_VOLUME, effect=Effect.CHANGE),
        "volume_down": Service("volume_down", feature=_VOLUME, effect=Effect.CHANGE),
        "mute": Service("volume_mute", feature=8, data={"is_volume_muted": True}, shows={"is_volume_muted": True}),
        "unmute": Service("volume_mute", feature=8, data={"is_volume_muted": False}, shows={"is_volume_muted": False}),
        "play_media": Service("play_media", _WHAT, feature=512, reaches=_PLAYING),
        "clear_playlist": Service("clear_playlist", feature=8192, effect=Effect.UNSEEN),
    },
    setters=(
        Service("select_source", (Param("source", Kind.OPTION, options="source_list", feature=2048, reads="source"),)),
        Service(
            "select_sound_mode",
            (Param("sound_mode", Kind.OPTION, options="sound_mode_list", feature=65536, reads="sound_mode"),),
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
        Service("shuffle_set", (Param("shuffle", Kind.FLAG, feature=32768, reads="shuffle"),)),
        Service(
            "repeat_set",
            (Param("repeat", Kind.OPTION, options=("off", "all", "one"), feature=262144, reads="repeat"),),
        ),
        Service(
            "media_seek",
            (Param("seek_position", Kind.NUMBER, low=0, high="media_duration", feature=2),),
            effect=Effect.UNSEEN,
        ),
    ),
    same={"resume": "play", "unpause": "play", "next_track": "next", "previous_track": "previous", "seek": "set_value"},
)
