"""The token rows: one column a position; what goes in, the label as passed, the label as compared, the loss.

One accessible table for each stack. Column t of the labels belongs to output t. Hover and style hang on classes, so
that a thousand columns stay light.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np

from explorer.comparison import Columns
from explorer.reasons import why, why_label
from explorer.types import IGNORE, Example, Message, Role, Scores, Stream
from explorer.views.columns import column_widths
from explorer.views.roles import LOOKS, Say, role_class
from explorer.views.style import attribute, bytes_of, clicks

MOST_LINES = 12
"""With more targets than this, the line of a shift shows only while its column is pointed at."""

NO_COLUMNS = Columns()

NAMES = {
    "loss": Message("the model shifts by one"),
    "none": Message("in the same place"),
    "decoder_input": Message("in the same place"),
}


def token_rows(
    example: Example,
    say: Say,
    *,
    scores: Scores | None = None,
    expect_loss: bool = False,
    clickable: bool = False,
    marked: Columns = NO_COLUMNS,
    brief: bool = False,
) -> str:
    """The example as HTML: a table for the encoder where there are two stacks, and the one whose outputs are compared.

    expect_loss keeps the loss row's height while scores are not there yet. clickable marks the input cells with
    data-click: "pos:4" for position 4 of the stack with the outputs, "source:4" for an encoder beside a decoder.
    marked: columns whose position gets a sign. brief leaves out the labels as they are passed.
    """
    tables = [_OutputTable(example, say, scores, expect_loss, clickable, marked.output, brief).html()]
    if example.encoder is not None and example.decoder is not None:
        tables.insert(0, _source_table(example.encoder, say, clickable, marked.source))
    return f'<div class="xp">{"".join(tables)}</div>'


def _box(caption: str, classes: str, widths: Sequence[int], body: Iterable[str]) -> str:
    """A table in its own scroll box."""
    columns = "".join(f'<col class="w{width}">' for width in widths)
    return (
        f'<div class="rows" tabindex="0" role="region"{attribute("aria-label", caption)}><table class="{classes}">'
        f'<caption class="said">{escape(caption)}</caption><colgroup><col class="names">{columns}</colgroup>'
        f"{''.join(body)}</table></div>"
    )


def _row(kind: str, name: str, cells: Iterable[str], note: str = "") -> str:
    small = f"<small>{escape(note)}</small>" if note else ""
    return f'<tr class="{kind}"><th scope="row">{escape(name)}{small}</th>{"".join(cells)}</tr>'


def _head(stream: Stream, say: Say, marked: frozenset[int]) -> str:
    """The positions; under them what else a model is told of each token, where it says anything."""
    breaks = _breaks(stream)
    signs = [f"<mark>≠ {t}</mark>" if t in marked else str(t) for t in range(len(stream))]
    cells = (f'<th scope="col"{breaks[t]}>{sign}</th>' for t, sign in enumerate(signs))
    rows = [_row("position", say(Message("position")), cells)]
    told = [
        (Message("position id"), stream.position_ids, np.arange(len(stream))),
        (Message("segment"), stream.token_types, np.zeros(len(stream))),
        (Message("attention mask"), stream.attention_mask, np.ones(len(stream))),
    ]
    rows += [
        _row("told", say(name), (f"<td{breaks[t]}>{value}</td>" for t, value in enumerate(values.tolist())))
        for name, values, usual in told
        if values is not None and not np.array_equal(values, usual)
    ]
    return f"<thead>{''.join(rows)}</thead>"


def _breaks(stream: Stream) -> list[str]:
    """Class attribute of the columns where another document begins."""
    if stream.documents is None:
        return [""] * len(stream)
    begins = np.diff(stream.documents, prepend=stream.documents[:1]) != 0
    return [' class="begins"' if begin else "" for begin in begins.tolist()]


def _inputs(stream: Stream, say: Say, click: str | None, extra: Sequence[str]) -> Iterable[str]:
    """Piece over id, painted in its role; extra: more classes of each cell."""
    words = {role: say(LOOKS[role].word) for role in set(stream.roles)}
    rows = zip(stream.visible, stream.pieces, stream.ids.tolist(), stream.roles, extra, strict=True)
    for t, (visible, piece, id, role, more) in enumerate(rows):
        title = attribute("title", _about(t, visible, piece, words[role]))
        content = f"<b>{escape(visible)}</b><i>{id}</i>"
        if click is None:
            yield f'<td class="{role_class(role)}{more}"{title}>{content}</td>'
        else:
            yield f'<td class="{role_class(role)}{more}"><div{title}{clicks(f"{click}:{t}")}>{content}</div></td>'


def _about(position: int, visible: str, piece: str, word: str) -> str:
    """The hover of an input cell: position, whole piece, role; the vocabulary's own string; bytes of its characters."""
    lines = [f"{position}  {visible}  {word}"]
    if piece != visible:
        lines.append(piece)
    if not visible.isascii() and (found := bytes_of(visible)):
        lines.append(found)
    return "\n".join(lines)


def _source_table(stream: Stream, say: Say, clickable: bool, marked: frozenset[int]) -> str:
    cells = _inputs(stream, say, "source" if clickable else None, [""] * len(stream))
    row = _row("input", say(Message("encoder input")), cells)
    caption = say(Message("What the encoder reads, position by position"))
    return _box(caption, "source", column_widths(stream.visible), [_head(stream, say, marked), f"<tbody>{row}</tbody>"])


@dataclass(frozen=True)
class _OutputTable:
    """The stack whose outputs are compared with the labels; T columns."""

    example: Example
    say: Say
    scores: Scores | None
    expect_loss: bool
    clickable: bool
    marked: frozenset[int]
    brief: bool

    def html(self) -> str:
        example, say = self.example, self.say
        stream, shift = example.output, example.shift
        caption = say(Message("Input, labels and loss, position by position"))
        click = "pos" if self.clickable else None
        passed = [
            self._gap if shift == "decoder_input" else "",
            _row("passed", say(Message("label, as passed")), self._passed()),
            self._gap,
        ]
        body = [
            _row("input", self._input_name, _inputs(stream, say, click, self._marks), self._input_note),
            *([] if self.brief else passed),
            _row("compared", say(Message("label, as compared")), self._compared(), say(NAMES[shift])),
            self._loss_row(),
        ]
        lines = " lines" if example.n_targets <= MOST_LINES else ""
        classes = "brief" if self.brief else f"shift-{shift}{lines}"
        return _box(caption, classes, self._widths, [_head(stream, say, self.marked), "<tbody>", *body, "</tbody>"])

    @property
    def _gap(self) -> str:
        cells = f'<td class="frozen"></td><td colspan="{len(self.example.output)}"></td>'
        return f'<tr class="gap" aria-hidden="true">{cells}</tr>'

    @property
    def _input_name(self) -> str:
        two = self.example.decoder is not None and self.example.encoder is not None
        return self.say(Message("decoder input") if two else Message("input"))

    @property
    def _input_note(self) -> str:
        return self.say(Message("the labels, moved right by one")) if self.example.shift == "decoder_input" else ""

    @cached_property
    def _pieces_compared(self) -> list[str]:
        shown = list(self.example.label_visible)
        return [*shown[1:], ""][: len(shown)] if self.example.shift == "loss" else shown

    @cached_property
    def _widths(self) -> list[int]:
        return column_widths(self.example.output.visible, self.example.label_visible, self._pieces_compared)

    @cached_property
    def _marks(self) -> list[str]:
        """Classes of each column with loss: "h" draws its line on hover, nN tells the width of the next column."""
        following = [*self._widths[1:], 0]
        loss = (self.example.compared != IGNORE).tolist()
        return [f" h n{n}" if has and n else " h" if has else "" for has, n in zip(loss, following, strict=True)]

    def _passed(self) -> Iterable[str]:
        example, marks = self.example, self._marks
        used = {target.label_index for target in example.targets}
        for index, (label, shown) in enumerate(zip(example.labels.tolist(), example.label_visible, strict=True)):
            title = attribute("title", self.say(why_label(example, index)))
            yield _label(label, shown, marks[index], title, index in used)

    def _compared(self) -> Iterable[str]:
        example, marks = self.example, self._marks
        for t, (label, shown) in enumerate(zip(example.compared.tolist(), self._pieces_compared, strict=True)):
            title = attribute("title", self.say(why(example, t)))
            yield f"<td{title}></td>" if label == IGNORE else _label(label, shown, marks[t], title, True)

    def _loss_row(self) -> str:
        if self.scores is None and not self.expect_loss:
            return ""
        cells = [f'<td class="{mark.strip()}"></td>' if mark else "<td></td>" for mark in self._marks]
        if self.scores is not None:
            for target, loss in zip(self.example.targets, self.scores.losses.tolist(), strict=True):
                cells[target.position] = self._loss(target.predicts, loss, self._marks[target.position])
        return _row("losses", self.say(Message("loss")), cells)

    def _loss(self, predicts: str, loss: float, mark: str) -> str:
        if not math.isfinite(loss):
            odd = escape(self.say(Message("not a number")))
            return f'<td class="bar{mark}">{odd}</td>'
        given = {"loss": f"{loss:.4f}", "piece": predicts}
        words = Message("Loss {loss}: {piece} had probability {p}.", {**given, "p": f"{math.exp(-loss):.4f}"})
        if self.scores is not None and self.scores.squared:
            said = self.scores.top_pieces[0][0]
            words = Message("Squared error {loss}: the head said {said}, not {piece}.", {**given, "said": said})
        height = f' style="--h:{loss / self._highest:.3f}"'
        return f'<td class="bar{mark}"{height}{attribute("title", self.say(words))}>{loss:.2f}</td>'

    @cached_property
    def _highest(self) -> float:
        """The loss that fills the row's height; at least 1 nat, so that small losses look small."""
        assert self.scores is not None  # noqa: S101 - for the type checker
        finite = self.scores.losses[np.isfinite(self.scores.losses)]
        return float(max(1.0, finite.max(initial=0.0)))


def _label(label: int, shown: str, mark: str, title: str, used: bool) -> str:
    """A label cell: quiet when ignored, outlined when an output is compared with it."""
    if label == IGNORE:
        return f'<td class="quiet{mark}"{title}>−100</td>'
    return f'<td class="{"label" if used else "unused"}{mark}"{title}><b>{escape(shown)}</b><i>{label}</i></td>'


def roles_shown(example: Example) -> list[Role]:
    """The roles on screen, for the legend."""
    streams = [stream for stream in (example.encoder, example.decoder) if stream is not None]
    return [role for stream in streams for role in stream.roles]
