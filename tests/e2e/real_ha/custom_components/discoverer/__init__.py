"""Discovers for tests what a Supervisor or the network would: begins the config flow with what they would tell."""

from ipaddress import ip_address

from homeassistant.helpers import discovery_flow
from homeassistant.helpers.service_info.hassio import HassioServiceInfo
from homeassistant.helpers.service_info.zeroconf import ZeroconfServiceInfo


async def async_setup(hass, config):
    """Offer both as services."""

    async def by_supervisor(call):
        told = HassioServiceInfo(config=dict(call.data["config"]), name="Home Agent", slug="x", uuid=call.data["uuid"])
        discovery_flow.async_create_flow(hass, "home_agent", context={"source": "hassio"}, data=told)

    async def by_network(call):
        address = ip_address(call.data["address"])
        told = ZeroconfServiceInfo(
            ip_address=address,
            ip_addresses=[address],
            port=call.data["port"],
            hostname="agent.local.",
            type="_homeagent._tcp.local.",
            name="agent._homeagent._tcp.local.",
            properties={"id": call.data["id"]},
        )
        discovery_flow.async_create_flow(hass, "home_agent", context={"source": "zeroconf"}, data=told)

    hass.services.async_register("discoverer", "by_supervisor", by_supervisor)
    hass.services.async_register("discoverer", "by_network", by_network)
    return True
