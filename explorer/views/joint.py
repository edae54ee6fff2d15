"""GPT-1's loss of fine-tuning: where its two parts lie on the tokens, and what each adds."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from explorer.loss import joint_loss
from explorer.types import Message
from explorer.views.roles import Say
from explorer.views.style import attribute


def joint_picture(words: Sequence[str], task: float, language: float, weight: float, say: Say) -> str:
    """The input Start text Delim text Extract, the loss of the language model under every token that has a next, the
    loss of the task under the last; and both as one bar."""
    row = ["Start", *words, "Extract"]
    cells = "".join(
        f'<li><b>{escape(word)}</b><small class="{"task" if at == len(row) - 1 else "language"}">'
        f"{'L2' if at == len(row) - 1 else 'L1'}</small></li>"
        for at, word in enumerate(row)
    )
    total = joint_loss(task, language, weight)
    given = {"weight": weight, "task": task, "language": language, "total": total}
    parts = (("L2", task, "task"), (f"{weight:g} · L1", total - task, "language"))
    bars = "".join(f'<i class="{name}" style="--w:{value:.5f}"><b>{word}</b></i>' for word, value, name in parts)
    words_of = say(Message("L3 = L2 + {weight:g} · L1 = {task:.4f} + {weight:g} · {language:.4f} = {total:.4f}", given))
    return (
        f'<div class="xp joint"><ul>{cells}</ul><p>{escape(words_of)}</p>'
        f'<div class="blocks" role="img"{attribute("aria-label", words_of)}>{bars}</div></div>'
    )
