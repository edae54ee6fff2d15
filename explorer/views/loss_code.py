"""Plain Python with torch that gives the numbers of the loss page: one position by hand, then its open part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np

from explorer.averages import Averages
from explorer.by_hand import Positions, Worked
from explorer.example import Loading
from explorer.types import IGNORE, Example
from explorer.validation import Tally
from explorer.views.token_code import loaded_tokenizers

BY_HAND = """\
import torch
from torch.nn.functional import cross_entropy

# One position by hand.
logits = torch.tensor({logits}, dtype=torch.float64)
label, smoothing = torch.tensor([{label}]), {smoothing}
lowered = logits - logits.max()
powers = lowered.exp()
probabilities = powers / powers.sum()
{target}
terms = -target * probabilities.log()
loss = cross_entropy(logits[None], label, label_smoothing=smoothing)
print(probabilities, target, terms, loss)
"""
TARGET = "target = torch.full_like(logits, smoothing / len(logits))\ntarget[label] += 1 - smoothing"
NO_TARGET = "target = torch.zeros_like(logits)  # no label: the loss is 0/0, not a number"

POSITIONS = """
# Several positions; -100 is no loss.
rows = torch.tensor([{rows}], dtype=torch.float64)
labels = torch.tensor({labels})
losses = cross_entropy(rows, labels, reduction="none")  # 0 where there is no loss
mean = cross_entropy(rows, labels)  # over those that have one
print(losses, mean)
"""

BATCHES = """
# The losses of the tokens that have one, batch by batch.
batches = {batches}
scored = [batch for batch in batches if batch]
count = sum(map(len, scored))
mean = sum(map(sum, scored)) / count if count else None
mean_of_means = sum(sum(batch) / len(batch) for batch in scored) / len(scored) if count else None
print(mean, mean_of_means)
"""

JOINT = """
# GPT-1's loss of fine-tuning.
task = -torch.tensor({p}, dtype=torch.float64).log()
joint = task + {weight} * {language}
print(task, joint)
"""

FILE = """
# The pieces of the file that have a loss: the sum of each, and its number of targets.
sums, counts = {sums}, {counts}
mean = sum(sums) / sum(counts)
mean_of_means = sum(total / count for total, count in zip(sums, counts)) / len(sums)
print(mean, mean_of_means)
"""

ACROSS = """
bits, readings = {bits}, {{}}
for name, tokenizer in tokenizers.items():
    read = tokenizer(text, add_special_tokens=name in {scored}, return_offsets_mapping=True, verbose=False)
    targets = max(0, len(read["input_ids"]) - 1)  # the first token is only read
    size = len(text[read["offset_mapping"][1][0] if targets else 0 :].encode())
    would = 2 ** (bits * size / targets) if targets else 1.0
    readings[name] = {{"targets": targets, "bytes": size, "perplexity_at": would}}
"""

MEASURED = """\
model = AutoModelForCausalLM.from_pretrained({given}).float().eval()
with torch.no_grad():
    nats = model(**inputs).loss.item() * (inputs["labels"][0, 1:] != -100).sum().item()
reading = readings[{name!r}]
reading |= {{"mean": nats / reading["targets"], "bits_per_byte": nats / math.log(2) / reading["bytes"]}}
"""


def worked_code(worked: Worked, label: int, smoothing: float) -> str:
    """One position by hand."""
    target = NO_TARGET if label == IGNORE else TARGET
    return BY_HAND.format(logits=_list(worked.logits.tolist()), label=label, smoothing=smoothing, target=target)


def positions_code(given: Positions) -> str:
    """Several positions and their mean."""
    return POSITIONS.format(rows=", ".join(map(_list, given.rows)), labels=list(given.labels))


def averages_code(found: Averages) -> str:
    """Batches of different length."""
    batches = [batch.per_position[~np.isnan(batch.per_position)].tolist() for batch in found.batches]
    return BATCHES.format(batches=batches)


def joint_code(p: float, language: float, weight: float) -> str:
    """The loss of a task and that of the language model."""
    return JOINT.format(p=p, language=language, weight=weight)


def tally_code(tallies: Sequence[Tally]) -> str:
    """The loss of a file, from that of its pieces."""
    steps = list(zip([Tally(), *tallies], tallies, strict=False))
    scored = [
        (now.nats - before.nats, now.targets - before.targets) for before, now in steps if now.scored > before.scored
    ]
    return FILE.format(sums=[nats for nats, _ in scored], counts=[count for _, count in scored])


def across_code(
    text: str, bits: float, tokenizers: Mapping[str, Loading], measured: Mapping[str, tuple[Example, Loading]]
) -> str:
    """One text through several tokenizers and models, by their names."""
    lines = [
        "",
        "# Across tokenizers.",
        *loaded_tokenizers(text, tokenizers, [place for _, place in measured.values()]),
    ]
    if measured:
        lines.insert(2, "import math\n\nfrom transformers import AutoModelForCausalLM")
    code = "\n".join(lines) + ACROSS.format(bits=bits, scored=list(measured))
    for name, (example, place) in measured.items():
        code += "\n".join([*example.code_of_inputs(), MEASURED.format(given=place.given, name=name)])
    return code + "print(readings)\n"


def _list(values: Sequence[float]) -> str:
    """Numbers as Python; what is not finite has no literal."""
    return f"[{', '.join(str(value) if isfinite(value) else f'float({str(value)!r})' for value in values)}]"
