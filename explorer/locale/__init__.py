"""Where the languages live: a catalogue xx.po and lessons/xx for each, and how messages are found in the code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

FOLDER = Path(__file__).parent
KEYWORDS: dict[str, None] = {"Message": None, "InputProblem": None, "t": None}
"""The calls whose first argument is a sentence for a person."""


def extracted(root: Path = FOLDER.parents[1]) -> Iterator[tuple[str, str, int]]:
    """Every message of the code as (sentence, file, line)."""
    from babel.messages.extract import extract_from_file

    files = [root / "app.py", *sorted((root / "pages").glob("*.py")), *sorted((root / "explorer").rglob("*.py"))]
    for path in files:
        # babel warns of every f-string inside a call, also where it is a value and not the sentence.
        with redirect_stderr(StringIO()):
            found = extract_from_file("python", path, KEYWORDS)
        for line, sentence, *_ in found:
            # A plural form would be a tuple; the app has none, its numbers stand beside the words.
            yield str(sentence), path.relative_to(root).as_posix(), line
