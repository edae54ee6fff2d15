"""bertviz's own views as one page that needs no network: Vig 2019, "A Multiscale Visualization of Attention".

bertviz fetches require.js, d3 and jquery from elsewhere and puts token text into a script as it is. Here its scripts
and the libraries come from installed packages (bertviz, mpld3 for d3 5.7, XStatic-jQuery), one line of our own takes
the place of require.js, and no character of a token can end the script. Only files are read; bertviz's Python, which
needs a notebook, is never imported.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.types import Attention

View = Literal["head", "model", "neuron"]

MOST: dict[View, int] = {"head": 64, "model": 48, "neuron": 24}
"""The most tokens of a sequence that each view is given: it draws every pair as a line of its own."""

LIBRARIES = (("XStatic-jQuery", "xstatic/pkg/jquery/data/jquery.min.js"), ("mpld3", "mpld3/js/d3.v5.min.js"))

LOADER = "window.requirejs=(names,start)=>start(window.jQuery,window.d3);"
"""What bertviz asks of require.js: its start with both libraries."""

ADDRESSES = re.compile(r"require\.config\(\{.*?\}\);", re.DOTALL)
"""Where bertviz's scripts tell require.js to fetch the libraries from."""

INK = {"light": "#1c2430", "dark": "#e6eaf0"}


def missing() -> tuple[str, ...]:
    """Packages that are not installed, without which there is no such page."""
    names = ("bertviz", *(name for name, _ in LIBRARIES))
    return tuple(name for name in names if _version(name) is None)


def _version(name: str) -> str | None:
    try:
        return distribution(name).version
    except PackageNotFoundError:
        return None


def shortened(attention: Attention, most: int) -> Attention:
    """The first `most` queries and keys; rows of what is left may add up to less than 1."""
    weights = attention.weights[:, :, :most, :most]
    return Attention(weights, attention.queries[:most], attention.keys[:most], attention.kind)


def bertviz_page(
    view: View, attention: Attention, layer: int, head: int, vectors: tuple[NDArray[np.float32], ...] | None = None
) -> str:
    """A whole HTML page with one of bertviz's views of the attention, already shortened to MOST[view] tokens. vectors:
    queries (L,H,Q,D) and keys (L,H,K,D), which the neuron view needs."""
    data = {
        "attn": _rounded(attention.weights),
        "left_text": list(attention.queries),
        "right_text": list(attention.keys),
    }
    layers, heads = attention.weights.shape[:2]
    params: dict[str, object] = {"root_div_id": "bertviz", "display_mode": "light", "default_filter": "0"}
    if vectors is None:
        params |= {"attention": [data], "layer": layer, "heads": [head], "include_layers": list(range(layers))}
        params |= {"include_heads": list(range(heads)), "total_heads": heads}
    else:
        data |= {"queries": _rounded(vectors[0]), "keys": _rounded(vectors[1])}
        both = attention.kind == "encoder"
        params |= {"attention": {"all": data}, "default_filter": "all", "bidirectional": both}
        params |= {"layer": layer, "head": head}
    script = ADDRESSES.sub("", _script(f"bertviz/{view}_view.js", "bertviz"), count=1)
    # The marker stands once in the code and once in a comment behind it.
    script = script.replace("PYTHON_PARAMS", _literal(params), 1)
    if view == "neuron":
        script = f"window.bertviz_params={_literal(params)};\n{script}"
    libraries = "".join(f"<script>{_script(path, name)}</script>" for name, path in LIBRARIES)
    # The neuron view is given one layer, which it would call 0.
    hidden = " hidden" if view == "neuron" else ""
    fields = f'<select id="layer"{hidden}></select> ' + ('<select id="att_head"></select>' if view == "neuron" else "")
    return (
        f"<!doctype html><meta charset=utf-8><style>body{{margin:0;background:#fff;color:{INK['light']};"
        "font:14px system-ui,sans-serif;color-scheme:light}</style>"
        f'<div id="bertviz"><span>{fields if view != "model" else ""}</span><div id="vis"></div></div>'
        f"{libraries}<script>{LOADER}</script><script>{script}</script>"
    )


def _rounded(values: NDArray[np.floating]) -> list[object]:
    """Four places, as a picture shows no more."""
    rounded: list[object] = np.round(values.astype(np.float64), 4).tolist()
    return rounded


def _literal(value: object) -> str:
    r"""JSON that may stand inside a script element: nothing in it can end the script or open another.

    >>> _literal("</script><!--")
    '"\\u003c/script\\u003e\\u003c!--"'
    """
    text = json.dumps(value)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


@cache
def _script(path: str, name: str) -> str:
    """The text of a script of an installed package."""
    return Path(str(distribution(name).locate_file(path))).read_text(encoding="utf-8")
