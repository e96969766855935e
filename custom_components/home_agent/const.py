"""Names that stand in several files."""

from __future__ import annotations

import logging

DOMAIN = "home_agent"
LOGGER = logging.getLogger(__package__)

CONF_CODE = "code"

EVENT_PREFIX = f"{DOMAIN}."
EVENT_FINISHED = f"{EVENT_PREFIX}conversation.finished"
EVENT_ACTED = f"{DOMAIN}_acted"
"""An act, with whom it was for and what they said, for the logbook."""
