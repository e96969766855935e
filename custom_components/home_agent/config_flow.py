"""Setting up: the service's address, and the short code that it shows. Nobody copies a token."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import voluptuous as vol
from homeassistant.config_entries import ConfigEntry, ConfigFlow, ConfigFlowResult
from homeassistant.const import CONF_TOKEN, CONF_URL
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig, TextSelectorType
from homeassistant.helpers.service_info.hassio import HassioServiceInfo
from homeassistant.helpers.service_info.zeroconf import ZeroconfServiceInfo
from yarl import URL

from .client import AgentClient, AgentError, AgentUnavailable
from .const import CONF_CODE, DOMAIN, LOGGER

_DEFAULT_URL = "http://127.0.0.1:8765"
_URL = TextSelector(TextSelectorConfig(type=TextSelectorType.URL))
_CODE = TextSelector(TextSelectorConfig(autocomplete="one-time-code"))


class AgentConfigFlow(ConfigFlow, domain=DOMAIN):
    """The address and the code; again, where the token is no longer taken or the service has moved."""

    VERSION = 1
    _found: dict[str, str]
    """What was discovered: the address, and with the app the token."""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for both."""
        errors: dict[str, str] = {}
        if user_input is not None:
            url = _tidy(user_input[CONF_URL])
            self._async_abort_entries_match({CONF_URL: url})
            token = await self._pair(url, user_input[CONF_CODE], errors)
            if token is not None:
                return self.async_create_entry(title="Home Agent", data={CONF_URL: url, CONF_TOKEN: token})
        return self._show("user", {vol.Required(CONF_URL, default=_DEFAULT_URL): _URL}, user_input, errors)

    async def async_step_hassio(self, discovery_info: HassioServiceInfo) -> ConfigFlowResult:
        """The app of Home Assistant OS tells that it is there, with a token that it has made for us."""
        told = discovery_info.config
        self._found = {CONF_URL: f"http://{told['host']}:{told['port']}", CONF_TOKEN: str(told["token"])}
        await self.async_set_unique_id(discovery_info.uuid)
        self._abort_if_unique_id_configured(updates=self._found)
        self._async_abort_entries_match({CONF_URL: self._found[CONF_URL]})
        self.context["title_placeholders"] = {"name": discovery_info.name}
        return await self.async_step_hassio_confirm()

    async def async_step_hassio_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask whether it is wanted; nothing is typed."""
        errors: dict[str, str] = {}
        if user_input is not None:
            client = AgentClient(async_get_clientsession(self.hass), self._found[CONF_URL], self._found[CONF_TOKEN])
            try:
                await client.call("list_pending")
            except AgentUnavailable:
                errors["base"] = "cannot_connect"
            except AgentError as error:
                errors["base"] = "refused"
                LOGGER.debug("the app's token: %s", error)
            else:
                return self.async_create_entry(title="Home Agent", data=self._found)
        return self.async_show_form(step_id="hassio_confirm", errors=errors)

    async def async_step_zeroconf(self, discovery_info: ZeroconfServiceInfo) -> ConfigFlowResult:
        """A service that its owner has opened to the network tells that it is there; its code is asked for."""
        host = discovery_info.host
        url = f"http://[{host}]:{discovery_info.port}" if ":" in host else f"http://{host}:{discovery_info.port}"
        self._found = {CONF_URL: url}
        await self.async_set_unique_id(str(discovery_info.properties.get("id") or url))
        self._abort_if_unique_id_configured(updates=self._found)
        self._async_abort_entries_match(self._found)
        self.context["title_placeholders"] = {"name": host}
        return await self.async_step_zeroconf_confirm()

    async def async_step_zeroconf_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the code; the address is known."""
        errors: dict[str, str] = {}
        if user_input is not None:
            token = await self._pair(self._found[CONF_URL], user_input[CONF_CODE], errors)
            if token is not None:
                return self.async_create_entry(title="Home Agent", data={**self._found, CONF_TOKEN: token})
        return self._show("zeroconf_confirm", {}, user_input, errors, {"url": self._found[CONF_URL]})

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """The service does not take the token any more."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for a new code; the address stays."""
        errors: dict[str, str] = {}
        entry = self._get_reauth_entry()
        if user_input is not None:
            token = await self._pair(entry.data[CONF_URL], user_input[CONF_CODE], errors)
            if token is not None:
                return self.async_update_reload_and_abort(entry, data_updates={CONF_TOKEN: token})
        return self._show("reauth_confirm", {}, user_input, errors)

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """The service has another address."""
        errors: dict[str, str] = {}
        entry: ConfigEntry[Any] = self._get_reconfigure_entry()
        if user_input is not None:
            url = _tidy(user_input[CONF_URL])
            token = await self._pair(url, user_input[CONF_CODE], errors)
            if token is not None:
                return self.async_update_reload_and_abort(entry, data_updates={CONF_URL: url, CONF_TOKEN: token})
        shown = {vol.Required(CONF_URL, default=entry.data[CONF_URL]): _URL}
        return self._show("reconfigure", shown, user_input, errors)

    def _show(
        self,
        step: str,
        fields: dict[Any, Any],
        given: dict[str, Any] | None,
        errors: dict[str, str],
        told: dict[str, str] | None = None,
    ) -> ConfigFlowResult:
        schema = vol.Schema({**fields, vol.Required(CONF_CODE): _CODE})
        if given is not None:
            schema = self.add_suggested_values_to_schema(schema, given)
        return self.async_show_form(step_id=step, data_schema=schema, errors=errors, description_placeholders=told)

    async def _pair(self, url: str, code: str, errors: dict[str, str]) -> str | None:
        """A token for the code; None where there is none, with the reason in ``errors``."""
        if not url:
            errors[CONF_URL] = "invalid_url"
            return None
        client = AgentClient(async_get_clientsession(self.hass), url)
        try:
            answer = await client.call("pair", {"code": code, "name": self._name()})
        except AgentUnavailable:
            errors["base"] = "cannot_connect"
        except AgentError as error:
            errors[CONF_CODE] = "invalid_code" if error.code == "pairing_failed" else "refused"
            LOGGER.debug("pairing: %s", error)
        else:
            return str(answer["token"])
        return None

    def _name(self) -> str:
        """What the service calls this Home Assistant in its list of tokens."""
        return f"Home Assistant {self.hass.config.location_name}"[:60].strip()


def _tidy(given: str) -> str:
    """The address without its path; empty where it is none."""
    try:
        url = URL(given.strip())
        return str(url.origin()) if url.scheme in ("http", "https") and url.host else ""
    except ValueError:
        return ""
