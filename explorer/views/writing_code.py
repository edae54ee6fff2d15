"""Plain Python with transformers that writes the same text as the page: the same filters, the same draws.

It reads everything again for each token, which is slow and short. The page keeps what it has read, so the last digits
of its numbers may differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from explorer.example import Loading
from explorer.sampling import OFF
from explorer.types import SamplingSettings

CLASSES = {
    "repetition_penalty": "RepetitionPenaltyLogitsProcessor",
    "temperature": "TemperatureLogitsWarper",
    "top_k": "TopKLogitsWarper",
    "top_p": "TopPLogitsWarper",
    "min_p": "MinPLogitsWarper",
    "typical_p": "TypicalLogitsWarper",
}

LOOP = """\
for step, (filters, seed) in enumerate(plan):
{slide}    with torch.no_grad():
        logits = model({inputs}).logits[:, -1].double()
    chances = LogitsProcessorList(filters)({read}, logits).softmax(-1)[0].numpy()
    # The tokens laid end to end, the most probable first: a number between 0 and 1 falls on one of them.
    order = np.argsort(-chances, kind="stable")
    ends = np.cumsum(chances[order])
    number = np.random.default_rng([seed, step]).random()
    chosen = {chosen}
    shares.append(chances[chosen])  # the probability of the token after all filters
    ids = torch.cat([ids, torch.tensor([[chosen]])], dim=1)
print(tokenizer.decode(ids[0, {begun}:], skip_special_tokens=True))
"""

SLIDE = """\
    # Whenever its {limit} positions were used up, the model left half of them behind.
    read = ids[:, max(0, (ids.shape[1] - {limit}) // {half} + 1) * {half} :]
"""

DRAWN = 'order[np.searchsorted(ends, number * ends[-1], side="right")]'


def writing_code(
    place: Loading,
    begun: Sequence[int],
    used: Sequence[SamplingSettings],
    source: Sequence[int] | None = None,
    taken: Mapping[int, int] | None = None,
    *,
    limit: int | None = None,
    dtype: str = "float32",
) -> str:
    """The code. place: how the model is loaded; begun: the ids that the decoder starts from;
    used: the settings of each step; source: what the encoder reads, None where there is no encoder; taken: by step,
    the ids that a person took instead of the draw; limit: how many positions the model has; dtype: the
    precision of its weights."""
    slide = "" if limit is None or len(begun) + len(used) <= limit else SLIDE.format(limit=limit, half=limit // 2)
    read = "read" if slide else "ids"
    auto = "AutoModelForCausalLM" if source is None else "AutoModelForSeq2SeqLM"
    lines = [
        *place.imports,
        *_imports(auto, used),
        *place.before,
        "",
        f"tokenizer = AutoTokenizer.from_pretrained({place.given})",
        f"model = {auto}.from_pretrained({place.given}).to(torch.{dtype}).eval()",
        *([] if source is None else [f"source = torch.tensor([{list(source)}])"]),
        f"ids, shares = torch.tensor([{list(begun)}]), []",
        "# For each step its filters and its seed.",
        f"plan = {_plan(used)}",
        *(["# By step, the tokens that were taken by hand.", f"taken = {dict(taken)}"] if taken else []),
        LOOP.format(
            slide=slide,
            inputs=read if source is None else f"source, decoder_input_ids={read}",
            read=read,
            begun=len(begun),
            chosen=f"taken.get(step, {DRAWN})" if taken else DRAWN,
        ),
    ]
    return "\n".join(lines)


def _imports(auto: str, used: Sequence[SamplingSettings]) -> list[str]:
    kinds = {name for settings in used for name, _ in _filters(settings)}
    names = sorted([auto, "AutoTokenizer", "LogitsProcessorList", *(CLASSES[name] for name in kinds)])
    return ["import numpy as np", "import torch", f"from transformers import {', '.join(names)}"]


def _plan(used: Sequence[SamplingSettings]) -> str:
    """Steps one after the other, equal ones counted."""
    parts = []
    for settings, run in groupby(used):
        made = ", ".join(f"{CLASSES[name]}({value})" for name, value in _filters(settings))
        parts.append(f"[([{made}], {settings.seed})] * {len(list(run))}")
    return " + ".join(parts) or "[]"


def _filters(settings: SamplingSettings) -> list[tuple[str, float]]:
    """The filters that are on, in their order; the most probable token alone is top-k 1."""
    greedy = settings.greedy or settings.temperature == 0
    names = ("repetition_penalty",) if greedy else settings.order
    found = [(name, getattr(settings, name)) for name in names if getattr(settings, name) != OFF[name]]
    return [*found, ("top_k", 1)] if greedy else found
