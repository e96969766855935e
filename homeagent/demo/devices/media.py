"""Media players: playing, volume, sources, playlists."""

from __future__ import annotations

from typing import Any

from homeagent.demo.devices.base import Data, Device, action, becomes, device, takes
from homeagent.demo.service_schema import (
    anything,
    boolean,
    enum_of,
    number,
    one_of,
    optional,
    required,
    text,
    texts,
    words,
)
from homeagent.demo.supported_features import feature

_STEP = 0.1
_HIDDEN_WHEN_OFF = words(
    "volume_level is_volume_muted media_content_id media_content_type media_title media_artist media_album_name "
    "media_duration media_position media_position_updated_at source shuffle repeat app_name sound_mode"
)


def _needs(*names: str) -> tuple[int, ...]:
    return (feature("media_player", *names),)


@device("media_player")
class Player(Device):
    """Keeps volume and source while it is off, and shows them only while it is not, as HA does."""

    def shown(self) -> dict[str, Any]:
        """Without what HA hides while a player is off or unavailable."""
        if self.state in ("off", "unavailable"):
            return {k: v for k, v in self.attributes.items() if k not in _HIDDEN_WHEN_OFF}
        return dict(self.attributes)

    @property
    def volume(self) -> float:
        """0 to 1; 0 where it is unknown."""
        return float(self.attributes.get("volume_level") or 0.0)

    def skip(self, by: int) -> None:
        """To another track of the playlist (``media_playlist``), if it has one."""
        tracks = self.attributes.get("media_playlist") or []
        title = self.attributes.get("media_title")
        if tracks:
            place = tracks.index(title) if title in tracks else 0
            self.become("playing", media_title=tracks[(place + by) % len(tracks)])
        else:
            self.become()


@action("media_player", "turn_on", needs=_needs("TURN_ON"))
def _turn_on(player: Player, data: Data) -> None:
    if player.state == "off":
        player.become("idle")


@action("media_player", "turn_off", needs=_needs("TURN_OFF"))
def _turn_off(player: Player, data: Data) -> None:
    player.become("off")


@action("media_player", "toggle", needs=_needs("TURN_OFF", "TURN_ON"))
def _toggle(player: Player, data: Data) -> None:
    (_turn_on if player.state in ("off", "idle", "standby") else _turn_off)(player, data)


becomes("media_player", "media_play", "playing", needs=_needs("PLAY"))
becomes("media_player", "media_pause", "paused", needs=_needs("PAUSE"))


@action("media_player", "media_play_pause", needs=_needs("PLAY", "PAUSE"))
def _play_pause(player: Player, data: Data) -> None:
    player.become("paused" if player.state == "playing" else "playing")


becomes("media_player", "media_stop", "idle", needs=_needs("STOP"))


@action("media_player", "media_next_track", needs=_needs("NEXT_TRACK"))
def _next_track(player: Player, data: Data) -> None:
    player.skip(1)


@action("media_player", "media_previous_track", needs=_needs("PREVIOUS_TRACK"))
def _previous_track(player: Player, data: Data) -> None:
    player.skip(-1)


@action("media_player", "media_seek", {"seek_position": required(number(0))}, needs=_needs("SEEK"))
def _seek(player: Player, data: Data) -> None:
    player.become(media_position=data["seek_position"])


becomes("media_player", "clear_playlist", "idle", needs=_needs("CLEAR_PLAYLIST"), media_playlist=[], media_title=None)
takes("media_player", "volume_set", "volume_level", required(number(0, 1)), needs=_needs("VOLUME_SET"))


@action("media_player", "volume_up", needs=(*_needs("VOLUME_SET"), *_needs("VOLUME_STEP")))
def _volume_up(player: Player, data: Data) -> None:
    player.become(volume_level=min(1.0, round(player.volume + _STEP, 2)))


@action("media_player", "volume_down", needs=(*_needs("VOLUME_SET"), *_needs("VOLUME_STEP")))
def _volume_down(player: Player, data: Data) -> None:
    player.become(volume_level=max(0.0, round(player.volume - _STEP, 2)))


takes("media_player", "volume_mute", "is_volume_muted", required(boolean), needs=_needs("VOLUME_MUTE"))
takes("media_player", "select_source", "source", required(text), needs=_needs("SELECT_SOURCE"))
takes("media_player", "select_sound_mode", "sound_mode", required(text), needs=_needs("SELECT_SOUND_MODE"))
takes("media_player", "shuffle_set", "shuffle", required(boolean), needs=_needs("SHUFFLE_SET"))
takes(
    "media_player",
    "repeat_set",
    "repeat",
    required(enum_of("RepeatMode", ("off", "all", "one"))),
    needs=_needs("REPEAT_SET"),
)


@action(
    "media_player",
    "play_media",
    {
        "media_content_type": required(text),
        "media_content_id": required(text),
        "enqueue": optional(one_of(("add", "next", "play", "replace"))),
        "announce": optional(boolean),
        "extra": optional(anything),
    },
    needs=_needs("PLAY_MEDIA"),
)
def _play_media(player: Player, data: Data) -> None:
    content = data["media_content_id"]
    player.become(
        "playing", media_content_id=content, media_content_type=data["media_content_type"], media_title=content
    )


@action("media_player", "join", {"group_members": required(texts)}, needs=_needs("GROUPING"))
def _join(player: Player, data: Data) -> None:
    player.become(group_members=[player.entity_id, *data["group_members"]])


becomes("media_player", "unjoin", needs=_needs("GROUPING"), group_members=[])
