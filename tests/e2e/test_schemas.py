"""The integration's files held against the schemas of the Home Assistant that is installed for the tests."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.e2e.real import START

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".ha-venv" / "bin" / "python"
CHECK = """
import collections, json, pathlib, sys, types
from homeassistant import const, loader
from homeassistant.components.sensor.const import DEVICE_CLASS_STATE_CLASSES, SensorDeviceClass
from homeassistant.helpers import selector, service
from homeassistant.util.yaml import load_yaml_dict

folder = pathlib.Path(sys.argv[1])
told = load_yaml_dict(str(folder / "services.yaml"))
service._SERVICES_SCHEMA(told)
for one in told.values():
    for field in one["fields"].values():
        selector.validate_selector(field["selector"])
        selector.selector(field["selector"])
manifest = json.loads((folder / "manifest.json").read_text())
hass = types.SimpleNamespace(data=collections.defaultdict(list))
integration = loader.Integration(hass, "custom_components.home_agent", folder, manifest)
assert integration.version is not None and not integration.is_built_in
assert integration.integration_type in ("service",) and integration.iot_class == "local_push"
assert integration.zeroconf == ["_homeagent._tcp.local."]
known = {field for field in loader.Manifest.__annotations__}
assert set(manifest) <= known, set(manifest) - known
assert set(integration.dependencies + integration.after_dependencies) <= {
    p.name for p in pathlib.Path(const.__file__).parent.joinpath("components").iterdir()
}
print(json.dumps({"version": const.__version__, "services": len(told)}))
"""


def test_services_selectors_and_manifest_fit_home_assistants_own_schemas() -> None:
    if not PYTHON.exists():
        subprocess.run(["python3", str(START), "--install-only"], check=False)
    if not PYTHON.exists():
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no Home Assistant is installed here")
    folder = ROOT / "custom_components" / "home_agent"
    done = subprocess.run([str(PYTHON), "-c", CHECK, str(folder)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["services"] == 12
