"""House rules: what whoever runs the app allows its visitors, from the environment. All of it is allowed at first.

Which models may be named (EXPLORER_ANY_MODEL), whether the Hub is asked (EXPLORER_OFFLINE) and how much memory models
may take (EXPLORER_MEMORY) are read where models are: see explorer.models.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from explorer.messages import Message

TEXT = 20_000
"""The most characters that a page reads of one text unless the host says less."""

NO = {"0", "false", "no", "off"}


@dataclass(frozen=True)
class Rules:
    """training: whether visitors may train in the page; uploads: whether they may upload files; longest: characters
    that a page reads of one text; status: whether the status page is there; language: the code of the language to begin
    with, None for the browser's."""

    training: bool = True
    uploads: bool = True
    longest: int = TEXT
    status: bool = True
    language: str | None = None


def rules() -> Rules:
    """What the environment says now. A value that cannot be used counts as not given."""
    return Rules(
        training=_allowed("EXPLORER_TRAINING"),
        uploads=_allowed("EXPLORER_UPLOADS"),
        longest=_longest(os.environ.get("EXPLORER_LONGEST_TEXT", "")),
        status=_allowed("EXPLORER_STATUS"),
        language=os.environ.get("EXPLORER_LANGUAGE", "").strip().lower() or None,
    )


def forbidden(what: Message, variable: str) -> Message:
    """Why something is not there."""
    return Message("{what} is switched off on this server ({variable}=0).", {"what": what, "variable": variable})


def _allowed(variable: str) -> bool:
    return os.environ.get(variable, "").strip().lower() not in NO


def _longest(given: str) -> int:
    return min(int(given), TEXT) if given.strip().isdecimal() and int(given) > 0 else TEXT
