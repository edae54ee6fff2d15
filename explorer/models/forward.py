"""One forward pass over an Example: scores at its targets, attention weights, the masks that were really used.

Numbers leave as numpy float32; a model in lower precision is turned into float32 here, once. Alphabet: B batch (1),
T source or only sequence, S target, V vocabulary, L layers, H heads, Q queries, K keys, N targets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorer.models.loading import Loaded
from explorer.models.tasks import require_task, task_scores
from explorer.models.vocabulary import tokenizer
from explorer.tokens import visible_pieces
from explorer.types import TASKS, Attention, AttentionKind, Example, InputProblem, Scores, Stream

if TYPE_CHECKING:
    import torch

LARGEST = 2**30
"""Bytes of attention weights that one picture may ask for."""

FAST, OPEN = "sdpa", "eager"
"""How attention is worked out: fast, or so that its weights can be seen."""


def score(loaded: Loaded, example: Example, top: int) -> Scores:
    """What the model says at each target. Raises InputProblem where it has no head, or cannot read the example."""
    import torch

    if example.objective in TASKS:
        require_task(loaded, example)
    else:
        require_language_model(loaded)
    with running(loaded):
        output = loaded.module(**inputs(loaded, example))
        if example.objective in TASKS:
            return task_scores(loaded, output, example, top)
        logits = output["prediction_logits"] if "prediction_logits" in output else output["logits"]  # (1,T,V)
        at = [target.position for target in example.targets]
        rows = logits[0, at].float().log_softmax(-1)  # (N,V)
        wanted = torch.tensor([target.predicts_id for target in example.targets], device=rows.device, dtype=torch.long)
        losses = -rows.gather(1, wanted[:, None])[:, 0]
        best = rows.topk(min(top, rows.shape[-1]))
        ids = best.indices.cpu().numpy()
        sentence = _next_sentence(output, example)
        words = loaded.words or tokenizer(loaded.facts.model.name)
        return Scores(
            loaded.facts.model,
            losses.cpu().double().numpy(),
            ids,
            best.values.exp().cpu().double().numpy(),
            tuple(visible_pieces(row, words) for row in ids.tolist()),
            sentence,
            None if sentence is None else -float(np.log(sentence[example.extra["next_sentence_label"]])),
        )


def attention(loaded: Loaded, example: Example) -> dict[AttentionKind, Attention]:
    """The weights of every layer and head; each row sums to 1. Raises InputProblem where they would be too many."""
    _check_weights(loaded, example)
    with running(loaded, OPEN):
        output = loaded.module(**inputs(loaded, example), output_attentions=True)
    names: dict[AttentionKind, str] = dict.fromkeys(kinds(example), "attentions")
    if len(names) > 1:
        names = {"encoder": "encoder_attentions", "decoder": "decoder_attentions", "cross": "cross_attentions"}
    found: dict[AttentionKind, Attention] = {}
    for kind, name in names.items():
        queries, keys = sides(example, kind)
        weights = np.stack([layer[0].float().cpu().numpy() for layer in output[name]])  # (L,H,Q,K)
        found[kind] = Attention(weights, queries.visible, keys.visible, kind)
    return found


def kinds(example: Example) -> tuple[AttentionKind, ...]:
    """The kinds of attention that the example's stacks have."""
    if example.encoder is not None and example.decoder is not None:
        return ("encoder", "decoder", "cross")
    return ("decoder",) if example.encoder is None else ("encoder",)


def sides(example: Example, kind: AttentionKind) -> tuple[Stream, Stream]:
    """The streams that look and that are looked at."""
    looking = example.encoder if kind == "encoder" else example.decoder
    seen = example.decoder if kind == "decoder" else example.encoder
    if looking is None or seen is None:
        raise ValueError(f"{example.objective} has no {kind} attention")
    return looking, seen


def require_language_model(loaded: Loaded) -> None:
    """Raises InputProblem where the checkpoint has no language-model head."""
    if "language model" not in loaded.facts.parts:
        raise InputProblem(
            "{model} has no language-model head in its checkpoint, so it predicts no tokens. Choose a model that has "
            "one.",
            {"model": loaded.facts.model.name},
        )


@contextmanager
def running(loaded: Loaded, how: str = FAST) -> Iterator[None]:
    """One forward pass at a time, no gradients, attention worked out in the given way."""
    import torch

    with loaded.lock, torch.inference_mode():
        if loaded.module.config._attn_implementation != how:
            loaded.module.set_attn_implementation(how)
        yield


def inputs(loaded: Loaded, example: Example) -> dict[str, torch.Tensor]:
    """`example.model_inputs()` as tensors, without the labels and what this model's forward does not take. Raises
    InputProblem for a sequence or a token that the model has no room for."""
    for stream in (example.encoder, example.decoder):
        if stream is not None:
            check_stream(loaded, stream)
    given = {name: value for name, value in example.model_inputs().items() if name not in {"labels", *example.extra}}
    return tensors(loaded, {name: value for name, value in given.items() if name in loaded.accepts})


def tensors(loaded: Loaded, arrays: Mapping[str, NDArray[Any]]) -> dict[str, torch.Tensor]:
    """Arrays on the model's device; a float mask in the model's own precision, whose lowest number closes a cell."""
    import torch

    device, dtype = loaded.facts.model.device, loaded.module.dtype
    found = {}
    for name, array in arrays.items():
        tensor = torch.from_numpy(np.array(array)).to(device)
        if tensor.is_floating_point():
            tensor = torch.where(tensor < 0, torch.finfo(dtype).min, 0.0).to(dtype)
        found[name] = tensor
    return found


def check_length(loaded: Loaded, length: int) -> None:
    """Raises InputProblem where the model takes no sequence of this length."""
    facts = loaded.facts
    if facts.limit is not None and length > facts.limit:
        raise InputProblem(
            "The text has {count} tokens, but {model} takes at most {limit}. Shorten it.",
            {"count": length, "model": facts.model.name, "limit": facts.limit},
        )


def check_stream(loaded: Loaded, stream: Stream) -> None:
    """Raises InputProblem unless the model can read the stream: its length, its ids, and what they mean to it."""
    check_length(loaded, max(len(stream), int(stream.position_ids.max(initial=-1)) + 1))
    name = loaded.facts.model.name
    words = loaded.words or tokenizer(name)
    for id, piece in zip(stream.ids.tolist(), stream.pieces, strict=True):
        if id >= loaded.facts.vocabulary:
            raise InputProblem(
                "The token {piece} has the id {id}, but {model} has weights for the ids 0 to {last} only. "
                "Choose another model, or a text without this token.",
                {"piece": piece, "id": id, "model": name, "last": loaded.facts.vocabulary - 1},
            )
        if words.piece(id) != piece:
            raise InputProblem(
                "The example was made with another tokenizer: its id {id} is {piece}, but for {model} it is {other}.",
                {"id": id, "piece": piece, "model": name, "other": words.piece(id)},
            )


def _check_weights(loaded: Loaded, example: Example) -> None:
    facts = loaded.facts
    cells = sum(len(queries) * len(keys) for queries, keys in (sides(example, kind) for kind in kinds(example)))
    if 4 * facts.layers * facts.heads * cells > LARGEST:
        raise InputProblem(
            "The attention weights of {count} tokens would take {size} MB. Shorten the text.",
            {"count": len(example.output), "size": 4 * facts.layers * facts.heads * cells // 10**6},
        )


def _next_sentence(output: Any, example: Example) -> tuple[float, float] | None:
    """The probabilities of "B follows A" (label 0) and "B is random" (label 1), where both sides have them."""
    if "next_sentence_label" not in example.extra or "seq_relationship_logits" not in output:
        return None
    follows, random = output["seq_relationship_logits"][0].float().softmax(-1).tolist()
    return follows, random
