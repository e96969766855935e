"""A configuration folder of Home Assistant, ready to run: no onboarding, and tokens that are known beforehand.

Standard library only.
"""

import base64
import hashlib
import hmac
import json
import secrets
import shutil
import time
from datetime import datetime, timezone
from pathlib import Path

CONFIGURATION = """homeassistant:
  name: Test home
  latitude: 52.37
  longitude: 4.89
  elevation: 2
  unit_system: metric
  time_zone: {time_zone}
  country: NL
  currency: EUR
http:
  server_host: 127.0.0.1
  server_port: {port}
logger:
  default: warning
api:
websocket_api:
config:
recorder:
  commit_interval: 1
history:
logbook:
conversation:
intent:
automation: !include automations.yaml
script: !include scripts.yaml
scene: !include scenes.yaml
"""
YEARS = 10 * 365 * 86400


def write(folder, *, port, inventory=None, custom=(), extra="", time_zone="UTC"):
    """Write the folder anew. Returns the tokens: ``token`` of an administrator, ``user_token`` of a plain user,
    ``looker_token`` of one who may only look."""
    folder = Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    text, home = CONFIGURATION.format(port=port, time_zone=time_zone), {}
    if inventory:
        home = json.loads(Path(inventory).read_text(encoding="utf-8"))
        shutil.copy(inventory, folder / "inventory.json")
        text += "synth_home:\n"
    (folder / "configuration.yaml").write_text(text + extra, encoding="utf-8")
    scripts = {s["id"]: {"alias": s["name"], "sequence": s["sequence"]} for s in home.get("scripts", ())}
    for name, content in (("scripts", scripts), ("automations", []), ("scenes", home.get("scenes", []))):
        (folder / f"{name}.yaml").write_text(json.dumps(content), encoding="utf-8")  # JSON is YAML
    for integrations in custom:
        shutil.copytree(integrations, folder / "custom_components", dirs_exist_ok=True)
    tokens = write_users(folder)
    (folder / "tokens.json").write_text(json.dumps(tokens))
    return tokens


def write_users(folder):
    administrator, user = new_user("tester", "system-admin"), new_user("guest", "system-users")
    looker = new_user("looker", "system-read-only")
    administrator["user"]["is_owner"] = True
    groups = {"system-admin": "Administrators", "system-users": "Users", "system-read-only": "Read Only"}
    store(folder, "auth", 1, {
        "users": [administrator["user"], user["user"], looker["user"]],
        "groups": [{"id": group, "name": name} for group, name in groups.items()],
        "credentials": [],
        "refresh_tokens": [one["refresh_token"] for one in (administrator, user, looker)],
    })
    store(folder, "onboarding", 4, {"done": ["user", "core_config", "analytics", "integration"]})
    return {
        "token": access_token(administrator),
        "user_token": access_token(user),
        "looker_token": access_token(looker),
    }


def new_user(name, group):
    user_id = secrets.token_hex(16)
    user = {"id": user_id, "group_ids": [group], "is_owner": False, "is_active": True, "name": name,
            "system_generated": False, "local_only": False}
    refresh_token = {
        "id": secrets.token_hex(16), "user_id": user_id, "client_id": None, "client_name": name, "client_icon": None,
        "token_type": "long_lived_access_token", "created_at": datetime.now(timezone.utc).isoformat(),
        "access_token_expiration": float(YEARS), "token": secrets.token_hex(64), "jwt_key": secrets.token_hex(64),
        "last_used_at": None, "last_used_ip": None, "expire_at": None, "credential_id": None, "version": None,
    }
    return {"user": user, "refresh_token": refresh_token}


def access_token(user):
    """The JWT that a long-lived refresh token stands for."""
    token, now = user["refresh_token"], int(time.time())
    claims = {"iss": token["id"], "iat": now - 60, "exp": now + YEARS}
    signed = b".".join(base64url(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
    signature = hmac.new(token["jwt_key"].encode(), signed, hashlib.sha256).digest()
    return (signed + b"." + base64url(signature)).decode()


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def store(folder, key, version, data):
    path = Path(folder) / ".storage" / key
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"version": version, "minor_version": 1, "key": key, "data": data}))
