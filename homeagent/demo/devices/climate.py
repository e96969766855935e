"""Climate devices, water heaters and humidifiers: what holds a temperature or a humidity."""

from __future__ import annotations

from typing import Any

from homeagent.demo.devices.base import Data, Device, action, becomes, device, takes, toggles
from homeagent.demo.failures import CallFailed, InvalidFormat, NotValid
from homeagent.demo.service_schema import boolean, enum_of, integer, number, optional, required, text
from homeagent.demo.supported_features import feature

HVAC_MODES = ("off", "heat", "cool", "heat_cool", "auto", "dry", "fan_only")
_ON = feature("climate", "TURN_ON")
_OFF = feature("climate", "TURN_OFF")
_ONE = feature("climate", "TARGET_TEMPERATURE")
_RANGE = feature("climate", "TARGET_TEMPERATURE_RANGE")
_HVAC = enum_of("HVACMode", HVAC_MODES)
_TEMPERATURES = ("temperature", "target_temp_low", "target_temp_high")


@device("climate")
class Climate(Device):
    """The mode is the state. ``hvac_action`` follows from mode, target and measured temperature."""

    def shown(self) -> dict[str, Any]:
        """Target and measured temperatures show as None where unknown; ``hvac_action`` is worked out."""
        attributes = dict(self.attributes)
        attributes.pop("unit_of_measurement", None)
        if self.features & _ONE:
            attributes.setdefault("temperature", None)
        if self.features & _RANGE:
            attributes.setdefault("target_temp_high", None)
            attributes.setdefault("target_temp_low", None)
        attributes.setdefault("current_temperature", None)
        if "hvac_action" in attributes:
            attributes["hvac_action"] = self._doing()
        return attributes

    def _doing(self) -> str:
        now, target = self.attributes.get("current_temperature"), self.attributes.get("temperature")
        if self.state == "off":
            return "off"
        if self.state == "fan_only":
            return "fan"
        if self.state == "dry":
            return "drying"
        if now is None or target is None or now == target:
            return "idle"
        warmer = target > now
        if warmer and self.state != "cool":
            return "heating"
        return "cooling" if not warmer and self.state in ("cool", "heat_cool", "auto") else "idle"

    @property
    def modes(self) -> list[str]:
        """The modes that it can be set to, ``off`` included where it can."""
        return [str(mode) for mode in self.attributes.get("hvac_modes", [])]


@action("climate", "turn_on", needs=(_ON,))
def _turn_on(climate: Climate, data: Data) -> None:
    others = [mode for mode in climate.modes if mode != "off"]
    preferred = [mode for mode in ("heat_cool", "heat", "cool") if mode in others]
    if len(others) == 1 or preferred:
        climate.become((preferred or others)[0])
        return
    raise CallFailed("")


@action("climate", "turn_off", needs=(_OFF,))
def _turn_off(climate: Climate, data: Data) -> None:
    climate.become("off")


@action("climate", "toggle", needs=(_OFF, _ON))
def _toggle(climate: Climate, data: Data) -> None:
    (_turn_on if climate.state == "off" else _turn_off)(climate, data)


@action("climate", "set_hvac_mode", {"hvac_mode": required(_HVAC)})
def _set_hvac_mode(climate: Climate, data: Data) -> None:
    mode = data["hvac_mode"]
    if mode not in climate.modes:
        raise NotValid(f"HVAC mode {mode} is not valid. Valid HVAC modes are: {', '.join(climate.modes)}.")
    climate.become(mode)


@action(
    "climate",
    "set_temperature",
    {
        "temperature": optional(number()),
        "target_temp_high": optional(number()),
        "target_temp_low": optional(number()),
        "hvac_mode": optional(_HVAC),
    },
    needs=(_ONE, _RANGE),
)
def _set_temperature(climate: Climate, data: Data) -> None:
    if not data.keys() & {*_TEMPERATURES}:
        raise InvalidFormat("must contain at least one of temperature, target_temp_high, target_temp_low.")
    if ("target_temp_low" in data) != ("target_temp_high" in data):
        raise InvalidFormat(
            "some but not all values in the same group of inclusion 'temperature' @ data[<temperature>]"
        )
    if "temperature" in data and not climate.features & _ONE:
        raise NotValid(
            "Set temperature action was used with the target temperature parameter but the entity does not support it."
        )
    if "target_temp_low" in data and not climate.features & _RANGE:
        raise NotValid(
            "Set temperature action was used with the target temperature low/high parameter "
            "but the entity does not support it."
        )
    if data.get("target_temp_low", 0) > data.get("target_temp_high", float("inf")):
        raise NotValid("Target temperature low can not be higher than Target temperature high.")
    wanted = {key: data[key] for key in _TEMPERATURES if key in data}
    _in_range(climate, wanted.values())
    climate.become(data.get("hvac_mode"), **wanted)


@action("climate", "set_humidity", {"humidity": required(integer())}, needs=(feature("climate", "TARGET_HUMIDITY"),))
@action("humidifier", "set_humidity", {"humidity": required(integer(0, 100))})
def _set_humidity(device: Device, data: Data) -> None:
    low, high = device.attributes.get("min_humidity", 30), device.attributes.get("max_humidity", 99)
    humidity = data["humidity"]
    if not low <= humidity <= high:
        raise NotValid(f"Provided humidity {humidity} is not valid. Accepted range is {low} to {high}.")
    device.become(humidity=humidity)


def _mode_setter(kind: str, words: str) -> None:
    @action(
        "climate",
        f"set_{kind}",
        {kind: required(text)},
        needs=(feature("climate", kind.upper()),),
    )
    def set_mode(climate: Climate, data: Data) -> None:
        modes = climate.attributes.get(f"{kind}s") or []
        if data[kind] not in modes:
            raise NotValid(
                f"{words} mode {data[kind]} is not valid. Valid {words.lower()} modes are: {', '.join(modes)}."
            )
        climate.become(**{kind: data[kind]})


for _kind, _words in (
    *(("preset_mode", "Preset"), ("fan_mode", "Fan")),
    *(("swing_mode", "Swing"), ("swing_horizontal_mode", "Horizontal swing")),
):
    _mode_setter(_kind, _words)


def _in_range(device: Device, wanted: Any) -> None:
    low, high = device.attributes.get("min_temp", 7), device.attributes.get("max_temp", 35)
    for temperature in wanted:
        if not low <= temperature <= high:
            raise NotValid(f"Provided temperature {temperature} is not valid. Accepted range is {low} to {high}.")


@device("water_heater")
class WaterHeater(Device):
    """Its operation mode is its state."""

    def shown(self) -> dict[str, Any]:
        """The operation mode shows as an attribute too, where it can be set."""
        attributes = {"current_temperature": None, "temperature": None, **self.attributes}
        if self.features & feature("water_heater", "OPERATION_MODE"):
            attributes["operation_mode"] = self.state
        return attributes

    def first_mode(self) -> str:
        """The mode that turning on leads to: the first of its list that is not ``off``."""
        return next((mode for mode in self.attributes["operation_list"] if mode != "off"), "off")


@action("water_heater", "set_temperature", {"temperature": required(number()), "operation_mode": optional(text)})
def _heat_water(heater: WaterHeater, data: Data) -> None:
    _in_range(heater, [data["temperature"]])
    heater.become(data.get("operation_mode"), temperature=data["temperature"])


@action("water_heater", "set_operation_mode", {"operation_mode": required(text)})
def _set_operation_mode(heater: WaterHeater, data: Data) -> None:
    modes, mode = heater.attributes["operation_list"], data["operation_mode"]
    if mode not in modes:
        raise NotValid(
            f"Operation mode {mode} is not valid for {heater.entity_id}. Valid operation modes are: {', '.join(modes)}."
        )
    heater.become(mode)


@action("water_heater", "set_away_mode", {"away_mode": required(boolean)})
def _set_away_mode(heater: WaterHeater, data: Data) -> None:
    heater.become(away_mode="on" if data["away_mode"] else "off")


@action("water_heater", "turn_on", needs=(feature("water_heater", "ON_OFF"),))
def _heater_on(heater: WaterHeater, data: Data) -> None:
    heater.become(heater.first_mode())


becomes("water_heater", "turn_off", "off", needs=(feature("water_heater", "ON_OFF"),))
becomes("humidifier", "turn_on", "on")
becomes("humidifier", "turn_off", "off")
toggles("humidifier")
takes("humidifier", "set_mode", "mode", required(text), needs=(feature("humidifier", "MODES"),))
