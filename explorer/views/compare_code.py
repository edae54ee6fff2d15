"""Plain Python (numpy, torch) with the inputs and masks of several Examples, which works out what each one teaches."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.comparison import output_columns, source_columns
from explorer.masks import rules_of
from explorer.types import AttentionKind, Example
from explorer.views.mask_code import mask_lines

KINDS: tuple[AttentionKind, ...] = ("encoder", "decoder", "cross")

BEGIN = '''\
{imports}import numpy as np
import torch


def taught(labels, shift):
    """The outputs that have a loss, and their share; -100 is no loss."""
    # Where the model shifts inside its loss, output t is compared with label t + 1.
    compared = [*labels[1:], -100] if shift == "loss" else labels
    outputs = [t for t, label in enumerate(compared) if label != -100]
    return {{"outputs": outputs, "share": len(outputs) / len(labels)}}


found = {{}}
'''

DIFFERENCES = '''

def apart(a, b):
    """The columns of each that are in no run common to both."""
    blocks = SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    same_a = {block.a + k for block in blocks for k in range(block.size)}
    same_b = {block.b + k for block in blocks for k in range(block.size)}
    return [[t for t in range(len(a)) if t not in same_a], [t for t in range(len(b)) if t not in same_b]]


'''


def compare_code(examples: Mapping[str, Example]) -> str:
    """Every Example by its name: inputs, labels, masks, outputs with loss."""
    return BEGIN.format(imports="") + _all(examples) + _told(examples)


def pair_code(a: Example, b: Example) -> str:
    """Two Examples, and the columns that only one of them has."""
    lines = [
        f"sources = {source_columns(a)!r}, {source_columns(b)!r}",
        f"outputs = {output_columns(a)!r}, {output_columns(b)!r}",
        'differences = {"source": apart(*sources), "output": apart(*outputs)}',
        "print(differences)",
        "",
    ]
    begin = BEGIN.format(imports="from difflib import SequenceMatcher\n\n")
    examples = {"A": a, "B": b}
    return begin + _all(examples) + DIFFERENCES + "\n".join(lines) + _told(examples)


def _told(examples: Mapping[str, Example]) -> str:
    return "for name, each in found.items():\n    print(name, each)\n" if examples else ""


def _all(examples: Mapping[str, Example]) -> str:
    return "".join(f"\n# {name}: {each.objective}, {each.model}\n{_one(name, each)}" for name, each in examples.items())


def _one(name: str, example: Example) -> str:
    lines = [*example.code_of_inputs(), f"labels = {example.labels.tolist()}", "masks = {}"]
    for kind in KINDS:
        if getattr(example.masks, kind) is not None:
            lines += [*mask_lines(rules_of(example, kind)), f'masks["{kind}"] = mask.astype(int)']
    taught = f"taught(labels, {example.shift!r})"
    if "start_positions" in example.extra:
        lines.append("# An answer has a loss for its start and one for its end.")
        taught = f'{{"outputs": {[target.position for target in example.targets]}, "share": 2 / len(labels)}}'
    lines.append(f'found[{name!r}] = {{"inputs": inputs, "masks": masks, **{taught}}}')
    return "\n".join(lines) + "\n"
