"""How the service shows that it is the one that wrote ``service.json``, before it is told a token.

A killed service leaves its file behind, and another program may get its port. So the client first sends a random nonce
with ``GET /health``, and the service answers with the HMAC-SHA256 of it under a secret that is in that file alone, made
anew at each start.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

PROOF = "X-Homeagent-Proof"
"""The header of the answer that carries it, in hex."""
_PURPOSE = b"homeagent service "


def new_nonce() -> str:
    """16 random bytes in hexadecimal, made by the client for one proof."""
    return secrets.token_hex(16)


def usable(nonce: str) -> bool:
    """Whether this is a nonce of ours: what is signed is never of somebody else's choosing."""
    return len(nonce) == 32 and set(nonce) <= set("0123456789abcdef")


def prove(secret: str, nonce: str) -> str:
    """The service's answer to a nonce: HMAC-SHA256 (RFC 2104) of purpose and nonce under its secret, in hexadecimal."""
    return hmac.new(secret.encode(), _PURPOSE + nonce.encode(), hashlib.sha256).hexdigest()


def proven(secret: str, nonce: str, proof: str) -> bool:
    """Whether ``proof`` is what the holder of ``secret`` answers to this nonce. Takes as long for any wrong proof."""
    return hmac.compare_digest(prove(secret, nonce).encode(), proof.encode())
