"""The sampling flags that `generate` and `sample` share."""

from __future__ import annotations

import argparse
from dataclasses import fields

from explorer.cli.arguments import real, whole
from explorer.types import SamplingSettings

PLAIN = SamplingSettings()
WORDS = {
    "temperature": (real, "divides the logits; 0 is greedy"),
    "top_k": (whole, "keep the k most probable tokens; 0 keeps all"),
    "top_p": (real, "keep tokens while the mass before them is below p"),
    "min_p": (real, "keep tokens at least so many times as probable as the first"),
    "typical_p": (real, "keep tokens whose surprise is nearest to the entropy, until their mass reaches p; 1 is off"),
    "repetition_penalty": (real, "makes tokens that were seen less likely; 1 is off"),
    "seed": (whole, "the draw"),
}


def add_sampling(parser: argparse.ArgumentParser) -> None:
    """One flag for each field of SamplingSettings."""
    for name, (kind, words) in WORDS.items():
        flag = f"--{name.replace('_', '-')}"
        parser.add_argument(flag, type=kind, default=getattr(PLAIN, name), help=f"{words} (default %(default)s)")
    parser.add_argument("--greedy", action="store_true", help="take the most probable token, draw nothing")


def sampling_settings(given: argparse.Namespace) -> SamplingSettings:
    """The settings that the flags ask for."""
    named = {item.name: getattr(given, item.name) for item in fields(PLAIN) if hasattr(given, item.name)}
    return SamplingSettings(**named)
