"""Examples with ids to read by eye, and a reader that gives HTML back as tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser

import numpy as np
import pytest

from explorer.types import IGNORE, Example, Masks, ModelId, Role, Scores, Stream


@dataclass
class Cell:
    """A th or td: its attributes and those of what is inside, and the text."""

    tag: str
    attributes: dict[str, str]
    inside: list[dict[str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join(text for text in self.texts if text.strip())

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())


class Reader(HTMLParser):
    """Collects every row of every table, and every tag that was opened."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[tuple[str, list[Cell]]] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.cell: Cell | None = None
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        attributes = {name: value or "" for name, value in attrs}
        self.tags.append((tag, attributes))
        if tag == "tr":
            self.rows.append((attributes.get("class", ""), []))
        elif tag in {"th", "td"}:
            self.cell = Cell(tag, attributes)
            self.rows[-1][1].append(self.cell)
        elif self.cell is not None:
            self.cell.inside.append(attributes)

    def handle_endtag(self, tag):
        if tag in {"th", "td"}:
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell.texts.append(data)

    def row(self, kind: str) -> list[Cell]:
        """The cells of the first row of that class, without its name."""
        return next(cells for name, cells in self.rows if name == kind)[1:]

    @property
    def kinds(self) -> list[str]:
        return [name for name, _ in self.rows]


def stream(visible: list[str], ids: list[int], roles: list[Role], **more) -> Stream:
    given = {"attention_mask": np.ones(len(ids)), "position_ids": np.arange(len(ids))} | more
    return Stream(np.array(ids), tuple(visible), tuple(visible), tuple(roles), **given)


@pytest.fixture(scope="session")
def read() -> Callable[[str], Reader]:
    return Reader


@pytest.fixture(scope="session")
def sft() -> Example:
    """A : Paris . <eos>, the first two are the prompt; GPT-2's ids."""
    visible, ids = ["A", ":", "·Paris", ".", "<|endoftext|>"], [32, 25, 6342, 13, 50256]
    roles = [Role.PROMPT, Role.PROMPT, Role.RESPONSE, Role.RESPONSE, Role.SPECIAL]
    mask = np.tril(np.ones((5, 5), dtype=bool))
    labels = np.array([IGNORE, IGNORE, 6342, 13, 50256])
    shown = ("", "", "·Paris", ".", "<|endoftext|>")
    return Example("sft", "gpt2", None, stream(visible, ids, roles), labels, shown, "loss", Masks(decoder=mask))


@pytest.fixture(scope="session")
def masked() -> Example:
    """[CLS] the [MASK] sat hello mat [SEP]: cat is hidden, on became hello, mat was chosen and left."""
    visible = ["[CLS]", "the", "[MASK]", "sat", "hello", "mat", "[SEP]"]
    ids = [101, 1996, 103, 2938, 7592, 13523, 102]
    roles = [Role.SPECIAL, Role.KEPT, Role.MASKED, Role.KEPT, Role.RANDOM, Role.UNCHANGED, Role.SPECIAL]
    labels = np.array([IGNORE, IGNORE, 4937, IGNORE, 2006, 13523, IGNORE])
    shown = ("", "", "cat", "", "on", "mat", "")
    full = Masks(encoder=np.ones((7, 7), dtype=bool))
    types = np.array([0, 0, 0, 0, 0, 0, 1])
    return Example(
        "masked_lm", "bert", stream(visible, ids, roles, token_types=types), None, labels, shown, "none", full
    )


@pytest.fixture(scope="session")
def taught() -> Example:
    """Source "x y </s>", labels "u v </s>", decoder input "<pad> u v"."""
    source = stream(["x", "y", "</s>"], [7, 8, 1], [Role.KEPT, Role.KEPT, Role.SPECIAL])
    target = stream(["<pad>", "u", "v"], [0, 9, 10], [Role.SPECIAL, Role.KEPT, Role.KEPT])
    masks = Masks(np.ones((3, 3), bool), np.tril(np.ones((3, 3), bool)), np.ones((3, 3), bool))
    labels = np.array([9, 10, 1])
    return Example("seq2seq", "t5", source, target, labels, ("u", "v", "</s>"), "decoder_input", masks)


@pytest.fixture(scope="session")
def hostile() -> Example:
    """Pieces that would break a page which does not escape them."""
    visible = ["<img src=x onerror=alert(1)>", 'a"b', "'", "$5", "**b**", "</td><script>alert(1)</script>", "&lt;"]
    ids = list(range(7))
    mask = np.tril(np.ones((7, 7), dtype=bool))
    return Example(
        "causal_lm",
        "gpt2",
        None,
        stream(visible, ids, [Role.KEPT] * 7),
        np.array(ids),
        tuple(visible),
        "loss",
        Masks(decoder=mask),
    )


@pytest.fixture(scope="session")
def scored() -> Callable[[Example, list[float]], Scores]:
    """Scores with the given losses; the top 2 are the same everywhere."""

    def make(example: Example, losses: list[float]) -> Scores:
        n = len(losses)
        top = np.tile([5, 6], (n, 1)), np.tile([0.5, 0.25], (n, 1)), tuple(("five", "six") for _ in losses)
        return Scores(ModelId(example.model), np.array(losses), *top)

    return make
