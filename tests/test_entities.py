"""Tags merged into names, and names compared."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.entities import Agreement, Entity, agreement, merged, tags_of_words


@pytest.mark.parametrize(
    ("tags", "names"),
    [
        ("", []),
        ("O O", []),
        ("B-PER", [("PER", 0, 0, True)]),
        ("B-PER I-PER O B-ORG", [("PER", 0, 1, True), ("ORG", 3, 3, True)]),
        ("B-PER B-PER", [("PER", 0, 0, True), ("PER", 1, 1, True)]),
        ("B-PER I-PER B-PER I-PER", [("PER", 0, 1, True), ("PER", 2, 3, True)]),
        ("I-LOC I-LOC O", [("LOC", 0, 1, False)]),
        ("O I-LOC", [("LOC", 1, 1, False)]),
        ("B-PER I-ORG I-ORG", [("PER", 0, 0, True), ("ORG", 1, 2, False)]),
        ("B-PER O I-PER", [("PER", 0, 0, True), ("PER", 2, 2, False)]),
        ("DET NOUN B- I-", []),
        ("B-work-of-art I-work-of-art", [("work-of-art", 0, 1, True)]),
    ],
)
def test_tags_become_names(tags, names) -> None:
    assert merged(tags.split()) == tuple(Entity(*name) for name in names)


def test_the_reference_sentence() -> None:
    """Steve Jobs founded Apple in California . with the tags of the pieces, Job ##s being one word."""
    words = np.array([-1, 0, 1, 1, 2, 3, 4, 5, 6, -1])
    said = ["O", "B-PER", "I-PER", "I-PER", "O", "B-ORG", "O", "B-LOC", "O", "O"]
    tags = tags_of_words(words, said, 7)
    assert tags == ("B-PER", "I-PER", "O", "B-ORG", "O", "B-LOC", "O")
    assert merged(tags) == (Entity("PER", 0, 1), Entity("ORG", 3, 3), Entity("LOC", 5, 5))


def test_a_word_without_a_piece_has_no_tag_and_ends_a_name() -> None:
    tags = tags_of_words(np.array([0, 2]), ["B-PER", "I-PER"], 3)
    assert tags == ("B-PER", "", "I-PER")
    assert merged(tags) == (Entity("PER", 0, 0), Entity("PER", 2, 2, begun=False))


def test_a_name_counts_only_whole_and_of_the_right_kind() -> None:
    wanted = ["B-PER", "I-PER", "O", "B-LOC", "O", "B-ORG"]
    said = ["B-PER", "I-PER", "O", "B-ORG", "O", "B-ORG"]
    assert agreement(wanted, said) == Agreement(wanted=3, found=3, right=2)
    assert agreement(wanted, said).f1 == pytest.approx(2 / 3)
    assert agreement(["O"], ["O"]).f1 is None
    assert agreement(wanted, ["O"] * 6).f1 == 0


TAGS = st.lists(st.sampled_from(["O", "", "B-X", "I-X", "B-Y", "I-Y"]))


@given(TAGS)
def test_names_cover_each_tagged_word_once_and_in_order(tags) -> None:
    found = merged(tags)
    covered = [word for each in found for word in range(each.first, each.last + 1)]
    assert covered == [word for word, tag in enumerate(tags) if tag[:2] in {"B-", "I-"}]
    assert all({tags[word][2:] for word in range(each.first, each.last + 1)} == {each.kind} for each in found)
    assert all(tag[0] == "I" for each in found for tag in tags[each.first + 1 : each.last + 1])
    assert sum(tag.startswith("B-") for tag in tags) == sum(each.begun for each in found)


@given(TAGS)
def test_what_is_compared_with_itself_is_right(tags) -> None:
    assert agreement(tags, tags).f1 in {None, 1.0}
