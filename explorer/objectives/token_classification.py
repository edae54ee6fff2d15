"""Tagging every word, such as names in a text (Devlin et al. 2018, section 5.3; the scheme is IOB2, Tjong Kim Sang and
De Meulder 2003, section 2.2).

A word may become several pieces. Its first piece carries its tag; the others carry none, or, with `pieces` at all, the
tag that continues it (B-PER goes on as I-PER). Pieces are matched to words by characters, so that it works for every
tokenizer; a word of which nothing is left has no piece, and this is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer import masks
from explorer.objectives.assemble import characters, read, remarks, row, token_types
from explorer.objectives.base import Objective, ReadyExample, TextBox, Texts
from explorer.objectives.next_token import pad_to_knob
from explorer.settings import knob
from explorer.tokens import Tokenizer
from explorer.types import IGNORE, Encoding, Example, InputProblem, Ints, Masks, Message, read_only


@dataclass(frozen=True)
class Settings:
    """Settings of token_classification."""

    pieces: str = knob(
        "first",
        Message("Tagged pieces"),
        help=Message("Which pieces of a word carry its tag: the first alone, or all of them."),
        choices={"first": Message("first piece"), "all": Message("all pieces")},
    )
    tags: str = knob(
        "",
        Message("Tags in order"),
        help=Message(
            "For instance O,B-PER,I-PER; their ids count from 0. Empty takes the model's own order where it knows all "
            "tags of the text, and else numbers them as they come."
        ),
        rare=True,
    )
    pad_to: int = pad_to_knob()


def build(texts: Texts, tokenizer: Tokenizer, settings: Settings, rng: np.random.Generator) -> Example:
    """One tag for each word; nobody shifts. Uses no randomness. Raises InputProblem where counts do not match."""
    encoding = read(texts.text, tokenizer)
    given = _tags(encoding.text, texts.target)
    used = (*given, *map(continued, given if settings.pieces == "all" else ()))
    known = tag_order(settings.tags, used, tokenizer.classes)
    words = words_of(encoding)
    names = _labels(words, given, every=settings.pieces == "all")
    tokens = row(encoding).pad(settings.pad_to, tokenizer)
    names += ("",) * (len(tokens) - len(names))
    stream = tokens.stream(token_types=token_types(encoding) if tokenizer.token_types else None)
    cautions, notes = remarks(encoding)
    lost = [word for number, word in enumerate(encoding.text.split()) if number not in words]
    return Example(
        OBJECTIVE.key,
        tokenizer.name,
        stream,
        None,
        read_only([known.index(name) if name else IGNORE for name in names], np.int64),
        names,
        "none",
        Masks(encoder=masks.padding(stream.attention_mask)),
        classes=known,
        warnings=(*cautions, *_without_tokens(lost), *(() if any(names) else (NOTHING,))),
        notes=(_numbered(known), *notes),
    )


def tag_order(typed: str, used: Sequence[str], own: Sequence[str]) -> tuple[str, ...]:
    """All tags in the order of their numbers: as `typed` with commas between, else the model's `own` where it knows all
    that are `used`, else as they come. Raises InputProblem for a tag that is not among those typed.

    >>> tag_order("", ["B-PER", "O"], ["O", "B-MISC", "B-PER"]), tag_order("", ["NOUN"], ["O", "B-PER"])
    (('O', 'B-MISC', 'B-PER'), ('NOUN',))
    """
    known = tuple(tag.strip() for tag in typed.split(",") if tag.strip())
    for tag in used if known else ():
        if tag not in known:
            raise InputProblem("The tag {tag} is not among the tags: {names}.", {"tag": tag, "names": ", ".join(known)})
    return known or (tuple(own) if set(used) <= set(own) else tag_names(used))


NOTHING = Message("0 targets: no word has a token, so there is no loss to average (it would be NaN).")


def tag_names(given: Sequence[str]) -> tuple[str, ...]:
    """Every tag once: O first where tags begin or continue names, then B- and I- of each kind as it comes.

    >>> tag_names(["B-PER", "I-PER", "O", "I-ORG"])
    ('O', 'B-PER', 'I-PER', 'B-ORG', 'I-ORG')
    >>> tag_names(["DET", "NOUN", "DET"])
    ('DET', 'NOUN')
    """
    found: dict[str, None] = {}
    if any(tag[:2] in {"B-", "I-"} for tag in given):
        found["O"] = None
    for tag in given:
        both = ("B-" + tag[2:], "I-" + tag[2:]) if tag[:2] in {"B-", "I-"} else (tag,)
        found |= dict.fromkeys(both)
    return tuple(found)


def continued(tag: str) -> str:
    """The tag of the further pieces of a word.

    >>> continued("B-ORG"), continued("I-ORG"), continued("O")
    ('I-ORG', 'I-ORG', 'O')
    """
    return "I-" + tag[2:] if tag.startswith("B-") else tag


def words_of(encoding: Encoding) -> Ints:
    """(T,): the number of the word, between white space, that each token belongs to; -1 for none. Raises InputProblem
    where the tokenizer does not tell the characters of a token."""
    number = np.full(len(encoding.text) + 1, -1)
    for word, found in enumerate(re.finditer(r"\S+", encoding.text)):
        number[found.start() : found.end()] = word
    first, after = characters(encoding)
    # A token may hold the space before its word, so its last character tells.
    inside = (first >= 0) & (after > first) & ~encoding.special
    return np.where(inside, number[np.maximum(after - 1, 0)], -1)


def _tags(text: str, target: str | None) -> list[str]:
    """One tag for each word. Raises InputProblem with both counts."""
    words, tags = text.split(), (target or "").split()
    if not tags:
        raise InputProblem("There are no tags. Type one for each word, with spaces between, for example B-PER O O.")
    if len(words) != len(tags):
        raise InputProblem(
            "There are {words} words but {tags} tags. Type one tag for each word, with spaces between.",
            {"words": len(words), "tags": len(tags)},
        )
    return tags


def _labels(words: Ints, tags: Sequence[str], *, every: bool) -> tuple[str, ...]:
    """(T,): the name of the tag that each token carries, "" for none."""
    names, seen = [], set()
    for word in words.tolist():
        if word < 0:
            names.append("")
        elif word not in seen:
            names.append(tags[word])
        else:
            names.append(continued(tags[word]) if every else "")
        seen.add(word)
    return tuple(names)


def _without_tokens(words: Sequence[str]) -> tuple[Message, ...]:
    """Words of which no token is left; their tags are in no label."""
    if not words:
        return ()
    shown = ", ".join(ascii(word)[1:-1] if not word.isprintable() else word for word in words[:5])
    return (
        Message("{count} words have no token, so their tags are lost: {words}.", {"count": len(words), "words": shown}),
    )


def _numbered(known: Sequence[str]) -> Message:
    names = ", ".join(f"{number} {tag}" for number, tag in enumerate(known))
    return Message("The labels are numbers of tags: {names}.", {"names": names})


OBJECTIVE = Objective(
    key="token_classification",
    title=Message("Tagging words"),
    question=Message("Which tag does each word have?"),
    page="fine_tuning",
    family="BERT",
    stack="encoder",
    paper="Devlin et al. 2018, section 5.3",
    boxes=(
        TextBox("text", Message("Words")),
        TextBox("target", Message("One tag for each word")),
    ),
    examples=(
        ReadyExample(
            Message("Names"), Texts("Euisuk Chung works at Google", target="B-PER I-PER O O B-ORG"), {"pieces": "first"}
        ),
        ReadyExample(Message("All pieces tagged"), Texts("Newtown Council", target="B-ORG I-ORG"), {"pieces": "all"}),
        ReadyExample(Message("Word classes"), Texts("The cat sleeps", target="DET NOUN VERB"), {"pieces": "first"}),
        ReadyExample(
            Message("A long name in pieces"),
            Texts("Schwarzenegger lives in California", target="B-PER O O B-LOC"),
            {"pieces": "first"},
        ),
    ),
    Settings=Settings,
    model="dslim/bert-base-NER",
    build=build,
)
