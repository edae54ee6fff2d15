"""What holds for every objective, whatever is typed and however it is set: tested on real tokenizers where they are."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.objectives import Objective, Texts, objectives
from explorer.objectives.denoising import sentence_numbers
from explorer.settings import knobs
from explorer.tokens import SpecialIds, Tokenizer, encode
from explorer.types import IGNORE, Encoding, Example, InputProblem, Role, Stream
from tests.fakes import LetterTokenizer
from tests.rebuild import filled, fits
from tests.typed import HARD, SIX_HUNDRED, settings_of, texts_of

FEWEST_BUILT = 300
"""Of 1,000 drawn inputs, at least so many must become an Example and not a refusal."""


FAKE_SPECIALS = SpecialIds(cls=1, sep=2, mask=3, pad=0, bos=1, eos=2, unk=6, decoder_start=2)
FAKES = {"google-bert/bert-base-uncased": LetterTokenizer(template=True)}
FAKES["facebook/bart-base"] = LetterTokenizer(template=True, special=FAKE_SPECIALS, token_types=False)


@pytest.fixture(scope="session")
def suited(request: pytest.FixtureRequest) -> Callable[[Objective], Tokenizer]:
    """objective -> its model's real tokenizer, or one of letters where the folder is not there."""
    if not os.environ.get("EXPLORER_MODELS"):
        return lambda item: FAKES.get(item.model, LetterTokenizer())
    load = request.getfixturevalue("tokenizer")
    return lambda item: load(item.model)


@pytest.mark.parametrize("key", list(objectives()))
def test_whatever_is_typed(key: str, suited: Callable[[Objective], Tokenizer]) -> None:
    item = objectives()[key]
    tokenizer, built = suited(item), []

    @settings(max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(texts_of(item), settings_of(item), st.integers(0, 2**32 - 1))
    def check(texts: Texts, chosen: object, seed: int) -> None:
        built.append(holds(item, tokenizer, texts, chosen, seed))

    check()
    assert sum(built) >= FEWEST_BUILT


@pytest.mark.parametrize("key", list(objectives()))
def test_hard_texts(key: str, suited: Callable[[Objective], Tokenizer]) -> None:
    item = objectives()[key]
    for text in HARD:
        assert text != SIX_HUNDRED or holds(item, suited(item), long(item), item.Settings(), 0)
        for chosen in each_choice(item):
            for target in (None, "a", text) if "target" in {box.name for box in item.boxes} else (None,):
                holds(item, suited(item), Texts(text, target=target), chosen, 3)


def long(item: Objective) -> Texts:
    """Six hundred words where the objective has its longest text."""
    if item.key == "question_answering":
        return Texts("what?", SIX_HUNDRED, "river.")
    return Texts(SIX_HUNDRED, target="positive" if item.key == "sequence_classification" else SIX_HUNDRED)


def each_choice(item: Objective) -> list[object]:
    """The settings' defaults, and each choice of each setting with the defaults of the others."""
    several = {name: how.choices for name, how in knobs(item.Settings).items() if how.choices is not None}
    return [item.Settings(), *(item.Settings(**{name: one}) for name, choices in several.items() for one in choices)]


def holds(item: Objective, tokenizer: Tokenizer, texts: Texts, chosen: object, seed: int) -> bool:
    """Checks everything that must hold; False where the input is refused, which must happen in words, and again."""
    found = outcome(item, tokenizer, texts, chosen, seed)
    again = outcome(item, tokenizer, texts, chosen, seed)
    if isinstance(found, str) or isinstance(again, str):
        assert found == again != ""
        return False
    assert fingerprint(found) == fingerprint(again)
    for stream in (found.encoder, found.decoder):
        assert stream is None or not len(stream) or 0 <= stream.ids.min() <= stream.ids.max() < tokenizer.size
    assert found.n_targets or any("0 targets" in str(warning) for warning in found.warnings)
    check_targets(found)
    check_masks(found, chosen)
    ORIGINALS[item.key](found, tokenizer, texts, chosen)
    return True


def outcome(item: Objective, tokenizer: Tokenizer, texts: Texts, chosen: object, seed: int) -> Example | str:
    try:
        return item.build(texts, tokenizer, chosen, np.random.default_rng(seed))
    except InputProblem as problem:
        return str(problem)


def fingerprint(example: Example) -> list[object]:
    """All of an Example as plain values; every sentence is put together, so that its placeholders are tried."""
    streams = [stream for stream in (example.encoder, example.decoder) if stream is not None]
    arrays = [*example.model_inputs().items()]
    masks = [example.masks.encoder, example.masks.decoder, example.masks.cross]
    return [
        [(name, array.shape, array.tobytes()) for name, array in arrays],
        [(stream.visible, stream.roles) for stream in streams],
        [mask if mask is None else mask.tobytes() for mask in masks],
        example.label_visible,
        [str(message) for message in (*example.warnings, *example.notes)],
    ]


def check_targets(example: Example) -> None:
    """`targets` against the definition of each way to shift."""
    labels, ids = example.labels.tolist(), example.output.ids.tolist()
    if "start_positions" in example.extra:
        ends = [example.extra[name] for name in ("start_positions", "end_positions")]
        expected = [(t, ids[t], column) for column, t in enumerate(ends)]
    elif example.shift == "loss":
        expected = [(t, ids[t], labels[t + 1]) for t in range(len(ids) - 1) if labels[t + 1] != IGNORE]
    else:
        expected = [(t, ids[t], labels[t]) for t in range(len(ids)) if labels[t] != IGNORE]
    assert [(target.position, target.reads_id, target.predicts_id) for target in example.targets] == expected
    assert [bool(shown) for shown in example.label_visible] == [label != IGNORE for label in labels]
    if example.shift == "decoder_input":
        assert ids[1:] == labels[:-1]


def check_masks(example: Example, chosen: object) -> None:
    """The masks against a rule for each cell: row i looks at column j."""
    encoder, decoder, masks = example.encoder, example.decoder, example.masks
    if encoder is None:
        assert masks.encoder is None
        assert masks.cross is None
    else:
        i, j = np.indices((len(encoder), len(encoder)))
        assert np.array_equal(masks.encoder, encoder.attention_mask[j] == 1)
    if decoder is None:
        assert masks.decoder is None
        return
    i, j = np.indices((len(decoder), len(decoder)))
    assert np.array_equal(masks.decoder, RULES.get(example.objective, causal)(example, chosen, i, j))
    if encoder is not None:
        i, j = np.indices((len(decoder), len(encoder)))
        assert np.array_equal(masks.cross, encoder.attention_mask[j] == 1)


def causal(example: Example, chosen: object, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    return (j <= i) & (example.output.attention_mask[j] == 1)


def prefix(example: Example, chosen: object, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    targets = np.flatnonzero(example.labels != IGNORE)
    return (j <= i) | (j < (targets[0] if len(targets) else len(example.labels)))


def documents(example: Example, chosen, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    of = example.output.documents
    return (j <= i) & ((of[i] == of[j]) | (not chosen.isolate))


RULES = {"prefix_lm": prefix, "packed_lm": documents}


def whole(text: str, tokenizer: Tokenizer, pair: str | None = None) -> Encoding:
    return encode(text, tokenizer, pair, max_length=tokenizer.max_length)


def specials(stream: Stream) -> Counter[int]:
    return Counter(id for id, role in zip(stream.ids.tolist(), stream.roles, strict=True) if role is Role.SPECIAL)


def hides_in_place(example: Example, tokenizer: Tokenizer, texts: Texts, chosen: object) -> None:
    """masked_lm: a label is the original id, what has none is untouched, specials have none."""
    pair = texts.text_b if texts.text_b and texts.text_b.strip() else None
    original = whole(texts.text, tokenizer, pair)
    stream, n = example.encoder, len(original)
    labels, chosen_here = example.labels[:n], example.labels[:n] != IGNORE
    assert np.array_equal(labels[chosen_here], original.ids[chosen_here])
    assert np.array_equal(stream.ids[:n][~chosen_here], original.ids[~chosen_here])
    assert not (chosen_here & original.special).any()
    assert (example.labels[n:] == IGNORE).all()
    assert all(role is Role.PAD for role in stream.roles[n:])
    ways = (Role.MASKED, Role.RANDOM, Role.UNCHANGED)
    assert [role in ways for role in stream.roles[:n]] == chosen_here.tolist()


def continues(example: Example, tokenizer: Tokenizer, texts: Texts, chosen: object) -> None:
    """Decoders alone: a label is the id that stands there; pads have none."""
    labels, ids = example.labels, example.output.ids
    assert np.array_equal(labels[labels != IGNORE], ids[labels != IGNORE])
    assert (labels[example.output.attention_mask == 0] == IGNORE).all()


def denoises(example: Example, tokenizer: Tokenizer, texts: Texts, chosen) -> None:
    """denoising: the labels are the whole original, and the damaged text is it with tokens hidden, gone or moved."""
    if texts.target and texts.target.strip():
        assert example.labels.tolist() == whole(texts.target, tokenizer).ids.tolist()
        assert example.encoder.ids.tolist() == whole(texts.text, tokenizer).ids.tolist()
        return
    original = whole(texts.text, tokenizer)
    ids = original.ids.tolist()
    assert example.labels.tolist() == ids
    inside = np.flatnonzero(~original.special | original.typed)
    start, end = (int(inside[0]), int(inside[-1]) + 1) if len(inside) else (len(ids), len(ids))
    numbers = sentence_numbers(original)[start:end]
    sentences = [original.ids[start:end][numbers == n].tolist() for n in range(int(numbers.max(initial=-1)) + 1)]
    assert fits(example.encoder, chosen.kind, ids[:start], sentences, ids[end:])
    assert specials(example.encoder) == Counter(original.ids[original.special].tolist())


def corrupts(example: Example, tokenizer: Tokenizer, texts: Texts, chosen: object) -> None:
    """span_corruption: input and target together are the text."""
    if texts.target and texts.target.strip():
        assert example.labels.tolist() == whole(texts.target, tokenizer).ids.tolist()
        return
    original = whole(texts.text, tokenizer)
    assert filled(example) == original.ids.tolist()
    assert specials(example.encoder) == Counter(original.ids[original.special].tolist())
    assert example.labels[-1] == tokenizer.special.eos


def answers(example: Example, tokenizer: Tokenizer, texts: Texts, chosen) -> None:
    """seq2seq: the labels are the answer."""
    labels = whole(texts.target or "", tokenizer).ids.tolist()
    if chosen.start == "bos" and whole("", tokenizer).ids[:1].tolist() == [tokenizer.special.bos]:
        labels = labels[1:]
    assert example.labels.tolist() == labels
    source = whole(texts.text, tokenizer).ids.tolist()
    assert example.encoder.ids.tolist()[: len(source)] == source


def tags(example: Example, tokenizer: Tokenizer, texts: Texts, chosen) -> None:
    """token_classification: the input is the text, and the labels are the tags of its words in their order."""
    original = whole(texts.text, tokenizer)
    assert example.encoder.ids.tolist()[: len(original)] == original.ids.tolist()
    labelled = [name for name in example.label_visible if name]
    assert set(labelled) <= {*texts.target.split(), *(f"I-{tag[2:]}" for tag in texts.target.split())}
    assert [example.classes[label] for label in example.labels if label != IGNORE] == labelled
    if chosen.pieces == "first":
        assert len(labelled) <= len(texts.target.split())


def classifies(example: Example, tokenizer: Tokenizer, texts: Texts, chosen) -> None:
    """sequence_classification: one label, at one end of the text; with one class alone it is a number."""
    assert example.n_targets == 1
    pads = [role is Role.PAD for role in example.output.roles]
    assert example.targets[0].position in {0, pads.count(False) - 1}
    label = example.value if len(example.classes) == 1 else example.extra["class"]
    assert example.model_inputs()["labels"].tolist() == [np.float32(label)]


def finds(example: Example, tokenizer: Tokenizer, texts: Texts, chosen) -> None:
    """question_answering: start and end are inside the context, or both on [CLS]."""
    start, end = example.extra["start_positions"], example.extra["end_positions"]
    cls = example.output.ids.tolist().index(tokenizer.special.cls)
    assert start <= end
    assert start == end == cls or cls < start


ORIGINALS = {
    "masked_lm": hides_in_place,
    "causal_lm": continues,
    "packed_lm": continues,
    "prefix_lm": continues,
    "sft": continues,
    "denoising": denoises,
    "span_corruption": corrupts,
    "seq2seq": answers,
    "token_classification": tags,
    "sequence_classification": classifies,
    "question_answering": finds,
}
