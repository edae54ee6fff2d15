"""What bertviz and circuitsvis make of the same attention: their own functions, called as their manuals say."""

from __future__ import annotations

import importlib.util
import sys
import types
import warnings
from importlib.metadata import distribution

import numpy as np
import torch


class Text:
    """Stands in for IPython's HTML and Javascript, of which bertviz uses that they carry a string."""

    def __init__(self, data: str) -> None:
        self.data = data


def bertviz_page(weights: np.ndarray, tokens: list[str]) -> str:
    """Bertviz's model view of weights (L,H,T,T), as the HTML that it returns."""
    attention = [torch.from_numpy(np.array(layer))[None] for layer in weights]
    return str(_model_view()(attention, tokens, html_action="return").data)


def _model_view() -> object:
    """bertviz.model_view without the rest of bertviz, which needs a notebook and cloud storage."""
    if "bertviz.model_view" not in sys.modules:
        display = types.ModuleType("IPython.display")
        display.HTML = display.Javascript = Text
        display.display = lambda *_: None
        core = types.ModuleType("IPython.core.display")
        core.HTML, core.Javascript, core.display = Text, Text, display.display
        named = {"IPython": types.ModuleType("IPython"), "IPython.display": display, "IPython.core.display": core}
        sys.modules.update({name: module for name, module in named.items() if name not in sys.modules})
        package = types.ModuleType("bertviz")
        package.__path__ = [str(distribution("bertviz").locate_file("bertviz"))]
        sys.modules["bertviz"] = package
        importlib.import_module("bertviz.model_view")
    return sys.modules["bertviz.model_view"].model_view


def circuitsvis_pages(weights: np.ndarray, tokens: list[str]) -> list[str]:
    """Circuitsvis' view of all heads, one for each layer of (L,H,T,T), as it is put into a notebook."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from circuitsvis.attention import attention_heads
    return [str(attention_heads(attention=np.array(layer), tokens=tokens)) for layer in weights]
