"""What a tiny model writes: the most probable token each time, many texts side by side, everything read anew.

The texts are short, so a cache would cost more than it saves. Alphabet: B texts, S tokens so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


def write(
    model: Any, prompts: Sequence[Sequence[int]], end: int | None, most: int, sources: Sequence[Sequence[int]] = ()
) -> list[list[int]]:
    """For each prompt what follows, at most `most` ids, up to and with `end`; sources: what an encoder reads."""
    import torch

    ids, lengths = _padded(prompts)
    given: dict[str, Any] = {}
    with torch.inference_mode():
        if sources:
            read, sizes = _padded(sources)
            mask = (torch.arange(read.shape[1])[None] < sizes[:, None]).long()
            given = {"encoder_outputs": model.get_encoder()(read, attention_mask=mask), "attention_mask": mask}
        at, over = torch.arange(len(ids)), torch.zeros(len(ids), dtype=torch.bool)
        for _ in range(most):
            name = "decoder_input_ids" if sources else "input_ids"
            logits = model(**given, **{name: ids}, use_cache=False).logits  # (B,S,V)
            chosen = logits[at, lengths - 1].argmax(-1)
            ids = torch.nn.functional.pad(ids, (0, 1))
            ids[at, lengths] = torch.where(over, ids[at, lengths], chosen)
            lengths = torch.where(over, lengths, lengths + 1)
            over |= chosen == (-1 if end is None else end)
            if over.all():
                break
    return [
        row[len(prompt) : length] for row, prompt, length in zip(ids.tolist(), prompts, lengths.tolist(), strict=True)
    ]


def _padded(rows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """(B,S) filled up with 0, which nobody looks at from before it, and the lengths (B,)."""
    import torch

    tensors = [torch.tensor(list(row)) for row in rows]
    lengths = torch.tensor([len(row) for row in tensors])
    return torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True), lengths
