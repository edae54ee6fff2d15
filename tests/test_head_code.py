"""The code of a head that was trained on the page, run as it stands: it says what the page says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.decoding import ENDS
from explorer.example import Loading
from explorer.linear_head import Head
from explorer.models import runtime, tokenizer
from explorer.objectives import Texts
from explorer.views.head_code import own_head_code
from tests.examples import make

CASES = {
    "sequence_classification": (Texts("a cat", target="positive"), 2),
    "token_classification": (Texts("a cat", target="O B-X"), 2),
    "question_answering": (Texts("who", text_b="a cat", target="cat"), 2),
}


@pytest.mark.parametrize("objective", CASES)
def test_the_code_says_what_the_head_says(tiny_models: Path, objective: str) -> None:
    texts, columns = CASES[objective]
    name = "tiny/bert-body"
    made = make(objective, tokenizer(name), texts)
    states = runtime().features(runtime().identify(name), made)
    size = states.shape[1]
    rng = np.random.default_rng(0)
    names = ENDS if objective == "question_answering" else ("x", "y")
    drawn = (rng.normal(size=(size, columns)), rng.normal(size=columns), rng.normal(size=size), rng.uniform(1, 2, size))
    head = Head(*drawn, names)
    said = head.output(states, made)
    left: dict = {}
    exec(own_head_code(made, head, Loading(repr(str(tiny_models / name)))), left)
    np.testing.assert_allclose(left["logits"].numpy(), said.logits, atol=1e-5)
    np.testing.assert_allclose(left["chances"].numpy(), said.probabilities, atol=1e-5)
