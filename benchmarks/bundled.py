"""What the models that come with the app reach on texts that training never saw: every bar, from the shipped weights.

    python benchmarks/bundled.py --corpus ../shared/corpus [--models FOLDER] [NAME ...] [--cards] [--device D]

One line a figure, `name value bound ok|short`, baselines without a bound; exit code 1 where one is short. FOLDER holds
one folder a model, named as its recipe. --cards writes the figures into the model cards.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from explorer.models.places import bundled
from explorer.training.evaluation import Figure
from explorer.training.recipes import RECIPES
from explorer.training.shipping import finish, measure
from explorer.types import InputProblem


def line(name: str, figure: Figure) -> str:
    """The figure as the other benchmarks print theirs."""
    title = f"{name}: {figure.name}".replace(" ", "_")
    if figure.bar is None:
        return f"{title} {figure.value:.3f}"
    return f"{title} {figure.value:.3f} {figure.bar:g} {'ok' if figure.holds else 'short'}"


def arguments() -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser(description="The figures of the bundled models.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(RECIPES))
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--models", type=Path, default=bundled())
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--cards", action="store_true", help="write the figures into the model cards")
    return parser.parse_args()


def main() -> int:
    """Measures every model that is there."""
    given, found = arguments(), []
    for name, recipe in RECIPES.items():
        folder = given.models / name
        if (given.names and name not in given.names) or not (folder / "model.safetensors").is_file():
            continue
        work = finish if given.cards else measure
        for figure in work(recipe, folder, given.corpus, given.device):
            print(line(name, figure), flush=True)
            found.append(figure)
    if not found:
        print(f"There is no model in {given.models}.", file=sys.stderr)
    return 0 if found and all(figure.holds for figure in found) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except InputProblem as problem:
        sys.exit(str(problem))
