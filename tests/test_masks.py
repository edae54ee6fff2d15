"""Masks: literal matrices and counts, the rules against brute force, the words for a cell, masks by name."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.mask_kinds import KINDS, LONGEST, build
from explorer.masks import (
    Rules,
    allowed,
    block,
    causal,
    cross,
    document_numbers,
    document_positions,
    empty_rows,
    full,
    hidden,
    padding,
    positions,
    prefix,
    reason,
    row_note,
    rules_of,
    with_padding,
)
from explorer.types import IGNORE, Example, InputProblem, Masks, Role, Stream, read_only


def rows(mask) -> list[str]:
    return ["".join(str(int(cell)) for cell in row) for row in mask]


def test_five_positions_as_the_reference_counts_them() -> None:
    assert allowed(full(5)) == 25
    assert allowed(causal(5)) == 15
    assert rows(prefix(5, 3)) == ["11100", "11100", "11100", "11110", "11111"]
    assert allowed(prefix(5, 3)) == 18


def test_ten_positions_with_a_prefix_of_six() -> None:
    assert allowed(prefix(10, 6)) == 70


def test_a_prefix_of_nothing_or_of_one_is_causal_and_of_everything_is_full() -> None:
    assert np.array_equal(prefix(4, 0), causal(4))
    assert np.array_equal(prefix(4, 1), causal(4))
    assert np.array_equal(prefix(4, 4), full(4))


def test_padding_closes_columns_and_leaves_the_pads_own_row() -> None:
    assert rows(padding([1, 1, 0])) == ["110", "110", "110"]
    assert rows(with_padding(causal(3), [1, 1, 0])) == ["100", "110", "110"]


def test_cross_has_target_rows_and_source_columns() -> None:
    assert rows(cross(2, 3)) == ["111", "111"]
    assert rows(cross(2, 3, [1, 1, 0])) == ["110", "110"]


def test_packed_documents_of_three_and_two() -> None:
    documents = document_numbers([3, 2])
    assert documents.tolist() == [0, 0, 0, 1, 1]
    assert rows(block(documents)) == ["10000", "11000", "11100", "00010", "00011"]
    assert (allowed(causal(5)), allowed(block(documents))) == (15, 9)
    assert allowed(block(documents, causal=False)) == 13
    assert document_positions(documents).tolist() == [0, 1, 2, 0, 1]
    assert document_positions([]).tolist() == []


def test_left_padding_leaves_six_cells_and_two_rows_without_any() -> None:
    keep = [0, 0, 1, 1, 1]
    mask = with_padding(causal(5), keep)
    assert rows(mask) == ["00000", "00000", "00100", "00110", "00111"]
    assert allowed(mask) == 6
    assert empty_rows(mask).tolist() == [True, True, False, False, False]
    assert positions(keep)[2:].tolist() == [0, 1, 2]


def test_hidden_says_the_opposite_of_allowed() -> None:
    assert rows(hidden(causal(3))) == ["011", "001", "000"]


# -- why a cell is open or closed ------------------------------------------------------------------------------------

PREFIX = Rules(5, 5, causal=True, prefix=3)
PACKED = Rules(5, 5, causal=True, documents=document_numbers([3, 2]))
PADDED = Rules(3, 3, keep=read_only([1, 1, 0], np.bool_))
CROSS = Rules(2, 3, keep=read_only([1, 1, 0], np.bool_), cross=True)


@pytest.mark.parametrize(
    ("rules", "cell", "words"),
    [
        (Rules(3, 3), (0, 2), "Open: position 2 comes after position 0, and here everyone looks both ways."),
        (Rules(3, 3), (1, 1), "Open: position 1 looks at itself."),
        (Rules(3, 3, causal=True), (2, 0), "Open: position 0 comes before position 2."),
        (Rules(3, 3, causal=True), (0, 2), "Closed: position 2 comes after position 0, and nobody looks ahead."),
        (PREFIX, (0, 2), "Open: position 2 lies in the prefix, which is read both ways."),
        (PREFIX, (2, 3), "Closed: position 3 is in the target, and the prefix never sees the target."),
        (PREFIX, (3, 4), "Closed: position 4 comes after position 3, and nobody looks ahead."),
        (PACKED, (3, 2), "Closed: positions 3 and 2 belong to different documents."),
        (PADDED, (0, 2), "Closed: position 2 is padding, and nobody looks at padding."),
        (CROSS, (1, 2), "Closed: position 2 is padding, and nobody looks at padding."),
        (CROSS, (0, 1), "Open: every target position may look at every real token of the source."),
    ],
)
def test_the_reason_names_what_opens_or_closes_the_cell(rules, cell, words) -> None:
    assert str(reason(rules, *cell)) == words


def test_a_row_that_may_look_at_nothing_and_a_pads_own_row_are_explained() -> None:
    rules = build("causal", 5, pad=[0, 0, 1, 1, 1])
    assert str(row_note(rules, 0)).startswith("Position 0 may look at nothing: its weights are 0/0, not a number")
    assert row_note(rules, 2) is None
    assert str(row_note(PADDED, 2)).startswith("Position 2 is padding: its row is computed all the same")
    assert row_note(CROSS, 1) is None


# -- against brute force ---------------------------------------------------------------------------------------------


@st.composite
def any_rules(draw) -> Rules:
    n = draw(st.integers(1, 12))
    is_cross = draw(st.booleans())
    k = draw(st.integers(1, 12)) if is_cross else n
    keep = draw(st.none() | st.lists(st.booleans(), min_size=k, max_size=k))
    kept = None if keep is None else read_only(keep, np.bool_)
    if is_cross:
        return Rules(n, k, keep=kept, cross=True)
    looks_back = draw(st.booleans())
    documents = draw(st.none() | st.lists(st.integers(0, 3), min_size=n, max_size=n))
    numbers = None if documents is None else read_only(documents, np.int64)
    return Rules(n, n, looks_back, draw(st.integers(0, n)) if looks_back else 0, numbers, kept)


def may_look(rules: Rules, i: int, j: int) -> bool:
    """One cell by definition, without arrays."""
    if rules.keep is not None and not rules.keep[j]:
        return False
    if rules.documents is not None and rules.documents[i] != rules.documents[j]:
        return False
    return not rules.causal or j <= i or j < rules.prefix


@given(any_rules())
def test_mask_and_reasons_agree_with_the_definition_in_every_cell(rules: Rules) -> None:
    for i in range(rules.queries):
        for j in range(rules.keys):
            is_open = may_look(rules, i, j)
            assert rules.mask[i, j] == is_open
            assert str(reason(rules, i, j)).startswith("Open:" if is_open else "Closed:")
        silent = not any(may_look(rules, i, j) for j in range(rules.keys))
        assert empty_rows(rules.mask)[i] == silent
    assert allowed(rules.mask) + int(hidden(rules.mask).sum()) == rules.queries * rules.keys


@given(st.lists(st.booleans(), max_size=20))
def test_positions_count_the_real_tokens(keep: list[bool]) -> None:
    found = positions(keep)
    assert found[np.array(keep, dtype=bool)].tolist() == list(range(sum(keep)))


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6))
def test_each_document_starts_at_position_zero(lengths: list[int]) -> None:
    expected = [t for length in lengths for t in range(length)]
    assert document_positions(document_numbers(lengths)).tolist() == expected


# -- the masks of an Example -----------------------------------------------------------------------------------------


def stream(keep: list[int], documents: list[int] | None = None) -> Stream:
    n = len(keep)
    names = tuple(f"t{i}" for i in range(n))
    return Stream(np.arange(n), names, names, (Role.KEPT,) * n, keep, np.arange(n), documents=documents)


def example(masks: Masks, encoder: Stream | None = None, decoder: Stream | None = None) -> Example:
    n = len(decoder if decoder is not None else encoder)
    return Example("any", "any", encoder, decoder, [IGNORE] * n, ("",) * n, "none", masks)


KEEP = [1, 1, 1, 1, 0]
DOCUMENTS = [0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    ("mask", "documents", "expected"),
    [
        (causal(5), None, (True, 0, False)),
        (causal(5), DOCUMENTS, (True, 0, False)),
        (block(DOCUMENTS), DOCUMENTS, (True, 0, True)),
        (prefix(5, 3), None, (True, 3, False)),
    ],
)
def test_the_rules_of_a_decoder_are_found_in_its_mask(mask, documents, expected) -> None:
    closed = with_padding(mask, KEEP)
    rules = rules_of(example(Masks(decoder=closed), decoder=stream(KEEP, documents)), "decoder")
    assert (rules.causal, rules.prefix, rules.documents is not None) == expected
    assert np.array_equal(rules.mask, closed)


def test_a_left_padded_prefix_of_one_real_token_is_found() -> None:
    keep = [0, 0, 1, 1]
    rules = rules_of(example(Masks(decoder=with_padding(prefix(4, 3), keep)), decoder=stream(keep)), "decoder")
    assert (rules.prefix, str(reason(rules, 2, 3))[:6]) == (3, "Closed")


def test_encoder_and_cross_masks_are_full_but_for_the_pads() -> None:
    masks = Masks(padding(KEEP), causal(2), cross(2, 5, KEEP))
    found = example(masks, stream(KEEP), stream([1, 1]))
    for kind, is_cross in (("encoder", False), ("cross", True)):
        rules = rules_of(found, kind)
        assert (rules.causal, rules.cross) == (False, is_cross)
        assert np.array_equal(rules.mask, getattr(masks, kind))


def test_a_mask_that_no_rule_makes_or_that_is_not_there_is_an_error() -> None:
    odd = causal(3).copy()
    odd[2, 0] = False
    with pytest.raises(ValueError, match="follows no known rule"):
        rules_of(example(Masks(decoder=odd), decoder=stream([1, 1, 1])), "decoder")
    with pytest.raises(ValueError, match="no cross attention"):
        rules_of(example(Masks(decoder=causal(3)), decoder=stream([1, 1, 1])), "cross")


# -- masks by name ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "length", "options", "expected"),
    [
        ("full", 5, {}, full(5)),
        ("full", 2, {"keys": 3}, full(2, 3)),
        ("causal", 5, {}, causal(5)),
        ("causal", 5, {"pad": [0, 0, 1, 1, 1]}, with_padding(causal(5), [0, 0, 1, 1, 1])),
        ("prefix", 5, {"prefix": 3}, prefix(5, 3)),
        ("padding", 3, {"pad": [0, 1, 1]}, padding([0, 1, 1])),
        ("cross", 2, {"keys": 3, "pad": [1, 1, 0]}, cross(2, 3, [1, 1, 0])),
        ("block", 5, {"documents": [3, 2]}, block([0, 0, 0, 1, 1])),
    ],
)
def test_build_by_name(kind, length, options, expected) -> None:
    assert np.array_equal(build(kind, length, **options).mask, expected)


@pytest.mark.parametrize(
    ("kind", "length", "options", "words"),
    [
        ("round", 5, {}, "There is no mask round; there are: full, causal, prefix, padding, cross, block."),
        ("full", 0, {}, "length is 0, but must lie between 1 and 2048."),
        ("full", LONGEST + 1, {}, "length is 2049, but must lie between 1 and 2048."),
        ("cross", 2, {"keys": 0}, "keys is 0, but must lie between 1 and 2048."),
        ("prefix", 5, {}, "A prefix mask needs a value for prefix."),
        ("prefix", 5, {"prefix": 6}, "prefix is 6, but must lie between 0 and 5."),
        ("prefix", 5, {"prefix": -1}, "prefix is -1, but must lie between 0 and 5."),
        ("padding", 3, {}, "A padding mask needs a value for pad."),
        ("padding", 3, {"pad": [1, 1]}, "pad has 2 entries, but 3 positions are looked at; give one for each."),
        (
            "cross",
            5,
            {"keys": 3, "pad": [1] * 5},
            "pad has 5 entries, but 3 positions are looked at; give one for each.",
        ),
        ("padding", 3, {"pad": [1, 1, 2]}, "pad has the entry 2, but takes only 1 (real) and 0 (padding)."),
        ("block", 5, {}, "A block mask needs a value for documents."),
        (
            "block",
            5,
            {"documents": [3, 1]},
            "The documents have 4 positions together, but the length is 5; make them equal.",
        ),
        ("block", 5, {"documents": [5, 0]}, "documents is 0, but must lie between 1 and 5."),
        ("causal", 5, {"prefix": 2}, "A causal mask takes no prefix; leave it out."),
        ("causal", 5, {"keys": 4}, "A causal mask takes no keys; leave it out."),
    ],
)
def test_a_bad_mask_is_refused_with_the_value(kind, length, options, words) -> None:
    with pytest.raises(InputProblem) as problem:
        build(kind, length, **options)
    assert str(problem.value) == words


def test_every_kind_has_words_and_takes_only_options_that_build_knows() -> None:
    for kind in KINDS.values():
        assert str(kind.title)
        assert str(kind.about)
        assert set(kind.takes) <= {"prefix", "keys", "documents"}
