"""Settings of where the agent is reached: over HTTP, as a model of Ollama, as an app of Home Assistant OS."""

from __future__ import annotations

import ipaddress

from pydantic import Field, IPvAnyAddress

from homeagent.config.field_types import Names, Origins, Seconds, Secret, Section, Url


class _Listening(Section):
    host: str = Field(
        default="127.0.0.1", min_length=1, description="Address to listen on. Loopback: this machine only."
    )

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return False


class ServiceSettings(_Listening):
    """The HTTP service."""

    port: int = Field(default=8765, ge=0, le=65535, description="Port to listen on; 0: any free one.")
    token: Secret | None = Field(
        default=None, description="The owner's token, which may do everything; absent: one is made at the first start."
    )
    allowed_hosts: Names = Field(
        default=(), description="Names under which the service may be reached; addresses and localhost always may."
    )
    cors_origins: Origins = Field(
        default=(),
        description="Origins whose pages may use the API from a browser, with a token of their own, such as "
        "https://dashboard.example; the service's own page stays closed to them.",
    )
    announce: bool = Field(
        default=True,
        description="Whether the local network is told where the service is (mDNS), for Home Assistant to find it; "
        "only where `host` opens it to the network.",
    )
    max_connections: int = Field(
        default=256,
        ge=8,
        le=100_000,
        description="Most connections at once; beyond it the one that has idled longest is closed.",
    )
    max_listeners: int = Field(default=64, ge=1, le=100_000, description="Most listeners to events at once.")
    header_timeout: Seconds = Field(default=10.0, gt=0, description="Longest wait for the head of a request.")
    body_timeout: Seconds = Field(default=60.0, gt=0, description="Longest wait for the rest of a request.")
    idle_timeout: Seconds = Field(
        default=60.0,
        gt=0,
        description="How long a connection is kept for the next request, or for an answer that nobody reads.",
    )


class OllamaSettings(_Listening):
    """The agent as a model of Ollama, for Home Assistant's Ollama integration and other clients of it."""

    enabled: bool = Field(default=False, description="Whether it is offered, on a port of its own.")
    port: int = Field(default=11435, ge=0, le=65535, description="Port to listen on; 0: any free one.")


class SupervisorSettings(Section):
    """The Supervisor of Home Assistant OS. The app sets this by itself; elsewhere there is none."""

    url: Url | None = Field(default=None, description="Address of the Supervisor; absent: there is none.")
    token: Secret | None = Field(default=None, description="What it knows the app by.")
    host: str = Field(default="", description="The app's name among the other apps.")
    ingress_from: IPvAnyAddress | None = Field(
        default=None,
        description="Address from which the page is asked for on behalf of users who have signed in at Home Assistant. "
        "Who is there is believed whom they say they bring; absent: nobody is.",
    )
