"""What is simply on or off: switches, input booleans, sirens, remotes, cameras; and what leaves no trace in a state."""

from __future__ import annotations

from homeagent.demo.devices.base import Data, Device, action, becomes, toggles
from homeagent.demo.failures import UnknownError
from homeagent.demo.service_schema import anything, duration, integer, number, optional, required, text, texts
from homeagent.demo.supported_features import feature

_ACTIVITY = {"activity": optional(text)}


becomes("switch input_boolean", "turn_on", "on")
becomes("remote", "turn_on", "on", _ACTIVITY)
becomes("switch input_boolean", "turn_off", "off")
becomes("remote", "turn_off", "off", _ACTIVITY)
becomes("siren", "turn_off", "off", needs=(feature("siren", "TURN_OFF"),))
toggles("switch input_boolean")
toggles("remote", _ACTIVITY)
toggles("siren", needs=(feature("siren", "TURN_ON", "TURN_OFF"),))
becomes("camera", "turn_on", "idle")
becomes("camera", "turn_off", "off")


@action(
    "siren",
    "turn_on",
    {"tone": optional(text), "duration": optional(duration), "volume_level": optional(number(0, 1))},
    needs=(feature("siren", "TURN_ON"),),
)
def _sound(siren: Device, data: Data) -> None:
    tones = siren.attributes.get("available_tones") or []
    if "tone" in data and siren.features & feature("siren", "TONES") and data["tone"] not in tones:
        raise UnknownError(
            f"Invalid tone specified for entity {siren.entity_id}: {data['tone']}, "
            "check the available_tones attribute for valid tones to pass in"
        )
    siren.become("on")
    if "duration" in data and siren.features & feature("siren", "DURATION"):
        siren.world.later(data["duration"].total_seconds(), lambda: siren.put("off", {}))


@action(
    "remote",
    "send_command",
    {
        "command": required(texts),
        "device": optional(text),
        "num_repeats": optional(integer(0)),
        "delay_secs": optional(number()),
        "hold_secs": optional(number()),
    },
)
@action(
    "vacuum",
    "send_command",
    {"command": required(text), "params": optional(anything)},
    needs=(feature("vacuum", "SEND_COMMAND"),),
)
@action("notify", "send_message", {"message": required(text), "title": optional(text)})
@action("camera", "enable_motion_detection")
@action("camera", "disable_motion_detection")
@action("camera", "snapshot", {"filename": required(text)})
def nothing_to_see(device: Device, data: Data) -> None:
    """It reaches the device and leaves no trace in its state."""
