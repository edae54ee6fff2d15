"""`python -m explorer`: the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TextIO

from explorer.cli import examples, inside, numbers, train, vocabulary
from explorer.cli.answer import Answer, as_json
from explorer.cli.arguments import Misuse, Parser
from explorer.types import InputProblem

USERS_ERROR = 2
LONGEST = 600
"""Characters of an error; a value that was typed may be of any length."""


def parser() -> Parser:
    """All commands with their arguments."""
    about = "What each Transformer family is fed in training, and where its loss lies."
    made = Parser(prog="python -m explorer", description=about)
    commands = made.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for module in (vocabulary, examples, inside, numbers, train):
        module.add(commands)
    for command in commands.choices.values():
        command.add_argument("--json", action="store_true", help="print one JSON object")
    return made


def main(argv: Sequence[str]) -> int:
    """Runs one command; the exit code. Never leaves the process. A user's error is one line on stderr."""
    try:
        given = parser().parse_words(argv)
        answer: Answer = given.answer(given)
        for line in [as_json(answer)] if given.json else answer.lines():
            _write(sys.stdout, line)
    except SystemExit as done:  # argparse leaves so after --help
        return int(done.code or 0)
    except (InputProblem, Misuse) as problem:
        _write(sys.stderr, _one_line(str(problem)))
        return USERS_ERROR
    return 0


def _one_line(told: str) -> str:
    """The words without line breaks, and without the middle of what is too long."""
    line = " ".join(told.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"


def _write(stream: TextIO, line: str) -> None:
    """One line, with escapes for what the stream's encoding lacks."""
    encoding = stream.encoding or "utf-8"
    stream.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def run() -> int:
    """`main` for a terminal, where whoever reads may stop reading, or the person may stop the command."""
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at its end, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return code


if __name__ == "__main__":
    sys.exit(run())
