"""What a head looks at: the Example that is read for it, the figures of one head, and code that gives its weights.

Attention weights are those of Vaswani et al. 2017, section 3.2.1: after the softmax, before any dropout. Alphabet: Q
queries, K keys.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.example import Loading
from explorer.objectives import Stack, Texts, objective
from explorer.objectives.assemble import read, remarks
from explorer.settings import parse_settings
from explorer.sights import Choice, of_the_text, sight
from explorer.tokens import Tokenizer
from explorer.types import AttentionKind, Bools, Example, ModelId

Weights = NDArray[np.floating]

PLAIN: dict[Stack, tuple[str, dict[str, str]]] = {
    "encoder": ("masked_lm", {"rate": "0"}),
    "decoder": ("causal_lm", {}),
    "encoder-decoder": ("seq2seq", {}),
}
"""The objective, and the settings, that feed each stack a text as it is."""

KINDS: dict[Stack, tuple[AttentionKind, ...]] = {
    "encoder": ("encoder",),
    "decoder": ("decoder",),
    "encoder-decoder": ("encoder", "decoder", "cross"),
}
"""The kinds of attention that each stack has."""


def example_for(stack: Stack, texts: Texts, tokenizer: Tokenizer) -> Example:
    """The texts as a model with this stack reads them: nothing hidden, nothing damaged. An encoder may read a pair,
    an encoder-decoder needs a target. What an objective says about targets is left out; what was cut, and how the
    text was read, is told. Raises InputProblem."""
    key, settings = PLAIN[stack]
    chosen = objective(key)
    pair = texts.text_b if texts.text_b and texts.text_b.strip() else None
    given = replace(texts, text_b=pair)
    made = chosen.build(given, tokenizer, parse_settings(chosen.Settings, settings), np.random.default_rng(0))
    if stack == "encoder-decoder":
        return made
    warnings, notes = remarks(read(texts.text, tokenizer, pair))
    return replace(made, warnings=warnings, notes=notes)


@dataclass(frozen=True)
class HeadFigures:
    """One head on one text. least and most: the smallest and largest sum of a row; query and key: the pair with the
    largest weight; entropy: the mean over the rows, in nats; even: the same if each row were spread evenly over what
    it may look at. Rows that may look at nothing do not count."""

    least: float
    most: float
    query: int
    key: int
    largest: float
    entropy: float
    even: float


def head_figures(weights: Weights, mask: Bools | None = None) -> HeadFigures:
    """The figures of one head's weights (Q,K); mask (Q,K): False is closed. At least one row must have an open cell.

    >>> found = head_figures(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[True, False], [True, True]]))
    >>> round(found.entropy, 4), round(found.even, 4), (found.query, found.key), (found.least, found.most)
    (0.3466, 0.3466, (0, 0), (1.0, 1.0))
    """
    open_cells = np.ones(weights.shape, dtype=bool) if mask is None else mask
    looks = np.asarray(open_cells.any(axis=1))
    rows = np.where(looks[:, None], weights, 0.0).astype(np.float64)
    sums = rows[looks].sum(axis=1)
    query, key = np.unravel_index(int(rows.argmax()), rows.shape)
    return HeadFigures(
        float(sums.min()),
        float(sums.max()),
        int(query),
        int(key),
        float(rows[query, key]),
        float(_entropies(rows[looks]).mean()),
        float(np.log(open_cells[looks].sum(axis=1)).mean()),
    )


def _entropies(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """(Q,) in nats, of each row divided by its sum, for a part of a row or a maximum of heads does not add up to 1; a
    weight of 0 adds nothing."""
    totals = rows.sum(axis=1, keepdims=True)
    shares = np.divide(rows, totals, out=np.zeros_like(rows), where=totals > 0)
    logs = np.log(shares, out=np.zeros_like(rows), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=1), dtype=np.float64)


def most_seen(row: Weights, count: int = 5) -> tuple[int, ...]:
    """The keys that get the largest weights of a row (K,), largest first; of equal ones the first.

    >>> most_seen(np.array([0.1, 0.6, 0.1, 0.2]), 3)
    (1, 3, 0)
    """
    return tuple(int(key) for key in np.argsort(-row, kind="stable")[:count])


def attention_code(
    example: Example, model: ModelId, kind: AttentionKind, choice: Choice, place: Loading | None = None
) -> str:
    """Plain Python (torch, transformers) that feeds the model exactly this Example and prints the weights that are
    chosen. place: how the model is loaded, by default by its name."""
    both = example.encoder is not None and example.decoder is not None
    name = {"cross": "cross_attentions"}.get(kind, f"{kind}_attentions") if both else "attentions"
    place = place or Loading.by_name(model.name)
    return "\n".join(
        [
            *place.imports,
            "import torch",
            "from transformers import AutoModel",
            *place.before,
            "",
            *example.code_of_inputs(labels=False),
            "# the default, sdpa, works the weights out but does not give them",
            "model = AutoModel.from_pretrained(",
            f'    {place.given}, attn_implementation="eager", dtype=torch.{model.dtype}',
            ").eval()  # no dropout",
            "with torch.no_grad():",
            "    output = model(**inputs, output_attentions=True)",
            *_code_of_choice(f"output.{name}", choice),
            *_code_of_part(example, kind, choice),
            "print(weights, weights.sum(dim=-1))  # (queries, keys), and the sum of each row",
            "",
        ]
    )


def _code_of_choice(layers: str, choice: Choice) -> list[str]:
    """The lines that make one matrix of weights (Q,K) of all layers and heads."""
    layer, head = choice.layer, choice.head
    if choice.how == "head":
        return [f"weights = {layers}[{layer}][0, {head}].double()  # layer {layer}, head {head}"]
    if choice.how == "mean":
        return [f"weights = {layers}[{layer}][0].double().mean(dim=0)  # over the heads of layer {layer}"]
    if choice.how == "maximum":
        return [f"weights = {layers}[{layer}][0].double().amax(dim=0)  # over the heads of layer {layer}"]
    return [
        "# rollout: the means of the heads, half and half with the residual path, multiplied layer by layer",
        f"stay = torch.eye({layers}[0].shape[-1], dtype=torch.float64)",
        "weights = stay",
        f"for heads in {layers}[: {layer + 1}]:",
        "    weights = 0.5 * (heads[0].double().mean(dim=0) + stay) @ weights",
    ]


def _code_of_part(example: Example, kind: AttentionKind, choice: Choice) -> list[str]:
    """The lines that leave out what is not shown, none where all is."""
    queries = example.encoder if kind == "encoder" else example.decoder
    keys = example.decoder if kind == "decoder" else example.encoder
    assert queries is not None and keys is not None  # noqa: S101 - for the type checker
    whole = np.zeros((1, 1, len(queries), len(keys)))
    found = sight(whole, whole[0, 0] == 0, Choice(hide=choice.hide, pair=choice.pair), queries, keys)
    if found.weights.shape == whole.shape[2:]:
        return []
    lines = [f"rows, columns = {found.rows.tolist()}, {found.columns.tolist()}  # what is shown"]
    if choice.hide:
        text = np.flatnonzero(of_the_text(keys)).tolist()
        lines.append(f"weights = weights / weights[:, {text}].sum(dim=-1, keepdim=True)  # without special tokens")
    return [*lines, "weights = weights[rows][:, columns]"]
