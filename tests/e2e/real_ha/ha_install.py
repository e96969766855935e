"""Find a Python that Home Assistant can run on, and install the newest Home Assistant for it into a venv.

Standard library only. `pip install homeassistant` is not enough: the requirements of its integrations come on top
(ha_requirements.py), held to its own constraint file, so that it can be started without installing anything.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent

# Newest release for each range of Python versions, newest first. From the releases' metadata.
RELEASES = (((3, 14, 2), "2026.11.0"), ((3, 13, 2), "2026.2.3"), ((3, 13, 0), "2025.4.4"))


# Beyond those that are set up by default.
INTEGRATIONS = ("assist_pipeline", "ollama", "mobile_app")


class CannotInstall(Exception):
    """Why there can be no Home Assistant here."""


def release_for(version):
    """The newest release that this Python version (a tuple of three) can take, or None."""
    return next((release for oldest, release in RELEASES if oldest <= version < (3, 15)), None)


def find_python():
    """The newest suitable Python of this machine, as (path, version). Raises CannotInstall."""
    found = {version: path for path in candidates() if (version := version_of(path)) and release_for(version)}
    if not found:
        raise CannotInstall("it needs Python 3.13 or 3.14 (looked in PATH and in ~/.pyenv/versions)")
    newest = max(found)
    return found[newest], newest


def candidates():
    names = ("python3.14", "python3.13", "python3")
    yield from filter(None, map(shutil.which, names))
    yield from map(str, Path("~/.pyenv/versions").expanduser().glob("3.1[34].*/bin/python3"))
    yield sys.executable


def version_of(path):
    """Its version, or None where it does not run or could not make a venv."""
    code = "import sys, ensurepip, venv; print(*sys.version_info[:3])"
    try:
        done = subprocess.run([path, "-c", code], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return tuple(map(int, done.stdout.split())) if done.returncode == 0 else None


def is_installed(venv):
    """Whether the venv has all; the marker is written last, so an installation that was broken off does not count."""
    return marker_of(venv)[1:] == list(INTEGRATIONS)


def marker_of(venv):
    """The release that is installed and the integrations that it can run; empty where there is none."""
    marker = Path(venv) / ".installed"
    return marker.read_text().split() if marker.exists() else []


def install(venv, python=None, release=None, stub_frontend=True):
    """Install into ``venv``; about 500 MB and two minutes. Raises CannotInstall."""
    venv = Path(venv)
    if python is None:
        python, version = find_python()
    else:
        version = version_of(python)
    release = release or (release_for(version) if version else None)
    if not release:
        raise CannotInstall(f"no release of Home Assistant runs on {python}")
    executable, uv = str(venv / "bin/python"), str(venv / "bin/uv")
    if marker_of(venv)[:1] != [release]:  # else it only lacks what an integration wants
        run([python, "-m", "venv", "--clear", str(venv)])
        run([executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "uv"])
        run([uv, "pip", "install", "-q", "--python", executable, f"homeassistant=={release}"])
    requirements = run([executable, str(HERE / "ha_requirements.py"), *INTEGRATIONS]).split("\n")
    if stub_frontend:
        requirements = [r for r in requirements if not r.startswith("home-assistant-frontend")]
        write_stub_frontend(venv)
    constraints = next(venv.glob("lib/python3*/site-packages/homeassistant/package_constraints.txt"))
    run([uv, "pip", "install", "-q", "--python", executable, "-c", str(constraints), *filter(None, requirements)])
    (venv / ".installed").write_text(" ".join((release, *INTEGRATIONS)) + "\n")
    return release


def install_frontend(venv, folder):
    """Home Assistant's real web interface (217 MB) into a folder of its own, which is to come before the empty one."""
    if (Path(folder) / "hass_frontend").exists():
        return
    executable = str(Path(venv) / "bin/python")
    requirements = run([executable, str(HERE / "ha_requirements.py"), *INTEGRATIONS]).split("\n")
    wanted = next(r for r in requirements if r.startswith("home-assistant-frontend"))
    uv = str(Path(venv) / "bin/uv")
    run([uv, "pip", "install", "-q", "--no-deps", "--python", executable, "--target", str(folder), wanted])


def write_stub_frontend(venv):
    """An empty web interface: Home Assistant does not start without one, and the real one is 216 MB."""
    folder = next(Path(venv).glob("lib/python3*/site-packages")) / "hass_frontend"
    for name in ("static/translations", "static/icons", "frontend_latest", "frontend_es5"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    pages = "index.html authorize.html onboarding.html robots.txt service_worker.js sw-modern.js sw-legacy.js"
    for name in pages.split():
        (folder / name).touch()
    (folder / "__init__.py").write_text(
        "from pathlib import Path\n\n\ndef where():\n    return Path(__file__).parent\n"
    )


def run(command):
    # PIP_… stays: it may name the mirror that this machine uses. PYTHON… would reach into the other Python.
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON") and k != "VIRTUAL_ENV"}
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    if done.returncode:
        raise CannotInstall(f"{' '.join(command[:6])} … failed:\n{done.stderr[-2000:]}")
    return done.stdout.strip()
