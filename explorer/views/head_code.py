"""Plain Python with torch that gives what a head of fine-tuning says of an Example."""

from __future__ import annotations

import numpy as np

from explorer.decoding import ENDS
from explorer.example import Loading
from explorer.linear_head import Head
from explorer.types import Example


def chances_code(example: Example) -> str:
    """The lines that follow the code of the Example: the probabilities of the model's own head."""
    if example.value is not None:
        return ""
    if example.objective == "question_answering":
        return "chances = rows.softmax(dim=-1).T  # (positions, start and end)\nprint(chances)\n"
    return "chances = output.logits[0].softmax(dim=-1)  # of the classes, in the order of the head\nprint(chances)\n"


def own_head_code(example: Example, head: Head, place: Loading) -> str:
    """The body of the model, and the head (D,C) that was trained on the page; what it shifts and scales the states by
    is worked into its weights."""
    weights = head.weights / head.scale[:, None]
    bias = head.bias - head.middle @ weights
    axis = 0 if head.names == ENDS else -1
    row = f"[{example.targets[0].position}]" if example.objective == "sequence_classification" else ""
    lines = [
        *place.imports,
        "import torch",
        "from transformers import AutoModel",
        *place.before,
        "",
        *example.code_of_inputs(labels=False),
        f"model = AutoModel.from_pretrained({place.given}).float().eval()",
        "with torch.no_grad():",
        f"    states = model(**inputs).last_hidden_state[0]{row}.double()",
        f"# A linear layer that was trained on the page: {', '.join(map(repr, head.names))}.",
        f"weights = torch.tensor({np.round(weights, 8).tolist()}, dtype=torch.float64)",
        f"bias = torch.tensor({bias.tolist()}, dtype=torch.float64)",
        "logits = states @ weights + bias",
        *([] if example.value is not None else [f"chances = logits.softmax(dim={axis})", "print(chances)"]),
        "print(logits)",
        "",
    ]
    return "\n".join(lines)
