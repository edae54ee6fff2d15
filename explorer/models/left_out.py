"""What happens when cross-attention is not told which source positions are padding, measured on a real model.

The encoder hides the pads in both runs, so only `memory_key_padding_mask` (torch.nn.Transformer) or the mask that
transformers hands to cross-attention differs. Alphabet: T source with pads, S target.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.masks import causal, hidden
from explorer.memory_mask import LeftOut, Run
from explorer.models.forward import OPEN, check_length, inputs, running
from explorer.models.loading import Loaded
from explorer.types import Example

if TYPE_CHECKING:
    import torch

WIDE, HEADS, VOCABULARY, SOURCE, TARGET = 64, 4, 32, 5, 6
"""The small model, and the lengths of its texts."""

PAD = "∅"
"""What a pad is called."""


def left_out(loaded: Loaded, example: Example, pads: int) -> LeftOut:
    """An encoder-decoder on an Example, whose source gets `pads` pads. Raises InputProblem as `score`."""
    import torch

    if example.encoder is None or example.decoder is None:
        raise ValueError("cross-attention needs an encoder and a decoder")
    at = [target.position for target in example.targets]
    wanted = torch.tensor([target.predicts_id for target in example.targets])
    real_places = example.encoder.attention_mask == 1
    names = tuple(np.array(example.encoder.visible, dtype=object)[real_places])
    short = len(names)
    check_length(loaded, short + pads)
    pad = loaded.module.config.pad_token_id
    with running(loaded, OPEN):
        given = inputs(loaded, example)
        source = given["input_ids"][given["attention_mask"] == 1][None]
        ids = torch.nn.functional.pad(source, (0, pads), value=pad)
        real = torch.nn.functional.pad(torch.ones_like(source), (0, pads))

        def run(ids: torch.Tensor, mask: torch.Tensor, cross: torch.Tensor) -> Run:
            memory = loaded.module.get_encoder()(input_ids=ids, attention_mask=mask)
            output = loaded.module(
                encoder_outputs=memory,
                attention_mask=cross,
                decoder_input_ids=given["decoder_input_ids"],
                output_attentions=True,
            )
            logits = output.logits[0, at].float().cpu()
            return _run(logits, wanted, output.cross_attentions[-1][0].float().mean(0))

        alone = run(source, real[:, :short], real[:, :short])
        runs = alone, run(ids, real, real), run(ids, real, torch.ones_like(real))
    return LeftOut(short, (*names, *(PAD,) * pads), example.decoder.visible, *runs)


def small_left_out(pads: int, seed: int = 0) -> LeftOut:
    """A small torch.nn.Transformer with random weights: its numbers mean nothing, but what the mask does to them is
    what it does to any model."""
    import torch
    from torch import nn

    with torch.random.fork_rng(devices=[]), torch.inference_mode():
        torch.manual_seed(seed)
        embed, head = nn.Embedding(VOCABULARY, WIDE), nn.Linear(WIDE, VOCABULARY)
        model = nn.Transformer(WIDE, HEADS, 2, 2, 2 * WIDE, dropout=0.0, batch_first=True).eval()
        # Its fast path would drop the pads before they can do harm, and hide what is to be seen.
        model.encoder.use_nested_tensor = False
        source = torch.randint(1, VOCABULARY, (1, SOURCE))
        target = torch.randint(1, VOCABULARY, (1, TARGET + 1))
        padded = nn.functional.pad(source, (0, pads))  # id 0 is the pad
        forward = partial(_nn_run, _Small(embed, model, head), target)
        closed = padded == 0
        runs = forward(source, None, None), forward(padded, closed, closed), forward(padded, closed, None)
    names = tuple(f"s{t}" for t in range(SOURCE))
    return LeftOut(SOURCE, (*names, *(PAD,) * pads), tuple(f"t{t}" for t in range(TARGET)), *runs)


@dataclass(frozen=True, eq=False)
class _Small:
    """The parts of the small model."""

    embed: Any
    model: Any
    head: Any


def _nn_run(small: _Small, target: torch.Tensor, ids: torch.Tensor, own: Any, memory: Any) -> Run:
    """One pass; the weights of the last layer's cross-attention, which it does not give away by itself, are caught."""
    import torch

    last, caught = small.model.decoder.layers[-1].multihead_attn, []

    def ask(_: Any, given: Any, how: dict[str, Any]) -> Any:
        return given, how | {"need_weights": True}

    hooks = [
        last.register_forward_pre_hook(ask, with_kwargs=True),
        last.register_forward_hook(lambda _, __, found: caught.append(found[1])),
    ]
    future = torch.from_numpy(np.array(hidden(causal(TARGET))))
    states = small.model(
        small.embed(ids),
        small.embed(target[:, :-1]),
        tgt_mask=future,
        src_key_padding_mask=own,
        memory_key_padding_mask=memory,
    )
    for hook in hooks:
        hook.remove()
    return _run(small.head(states)[0], target[0, 1:], caught[0][0])


def _run(logits: torch.Tensor, wanted: torch.Tensor, weights: torch.Tensor) -> Run:
    losses = -logits.log_softmax(-1).gather(1, wanted[:, None])[:, 0]
    return Run(logits.numpy(), losses.double().numpy(), weights.cpu().numpy())
