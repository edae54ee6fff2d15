"""Lines over the tokens of a text: log probability and perplexity as it grows; seconds of each step."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from explorer.types import Message
from explorer.views.roles import Say
from explorer.views.said import said_table, told_points
from explorer.views.style import attribute
from explorer.whole_text import Running

WIDE, HIGH = 600, 120
"""Size of a picture in its own units; it takes the width that there is."""


def running_lines(found: Running, say: Say) -> str:
    """Two pictures side by side: the log probability of all so far, which can only fall, and the perplexity."""
    log_p = line_picture({"": found.log_probability}, Message("log p of the text so far"), say)
    perplexity = line_picture({"": found.perplexity}, Message("perplexity of the text so far"), say)
    return f'<div class="xp lines">{log_p}{perplexity}</div>'


def line_picture(
    lines: dict[str, NDArray[np.float64]],
    title: Message,
    say: Say,
    places: int = 1,
    axis: tuple[str, str] | None = None,
) -> str:
    """One line for each name over its tokens, counted from 1, with the lowest and the highest value at the side. What
    is no finite number is left out. axis: what stands at both ends instead of the numbers of the tokens."""
    values = np.concatenate(list(lines.values()))
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    longest = max(len(line) for line in lines.values())
    drawn = "".join(
        f'<polyline class="l{number}" points="{_points(line, low, high, longest)}"></polyline>'
        for number, line in enumerate(lines.values())
    )
    words = escape(say(title))
    first, last = axis or ("1", str(longest))
    ends = "".join(f"<span>{_number(value, places)}</span>" for value in (high, low))
    keys = "".join(f'<li class="l{k}">{escape(name)}</li>' for k, name in enumerate(lines) if name)
    legend = f"<ul>{keys}</ul>" if keys else ""
    return (
        f'<figure class="line"><figcaption>{words}{legend}</figcaption><div class="plot"><div class="ends">{ends}</div>'
        f'<svg viewBox="0 0 {WIDE} {HIGH}" preserveAspectRatio="none" role="img"{attribute("aria-label", say(title))}>'
        f'{drawn}</svg></div><div class="axis"><span>{first}</span><span>{last}</span></div>'
        f"{_aloud(lines, longest, say(title), say, places)}</figure>"
    )


def _aloud(lines: dict[str, NDArray[np.float64]], longest: int, caption: str, say: Say, places: int) -> str:
    rows = (
        [str(k + 1), *(_number(float(line[k]), places) if k < len(line) else "–" for line in lines.values())]
        for k in told_points(longest)
    )
    return said_table(caption, [say(Message("token")), *(name or caption for name in lines)], rows)


def _points(line: NDArray[np.float64], low: float, high: float, longest: int) -> str:
    span = (high - low) or 1.0
    across = WIDE / max(1, longest - 1)
    points: Sequence[str] = [
        f"{k * across:.1f},{HIGH - 4 - (HIGH - 8) * (float(value) - low) / span:.1f}"
        for k, value in enumerate(line)
        if np.isfinite(value)
    ]
    # One point alone is drawn as a short line.
    return " ".join(points if len(points) > 1 else [*points, *(f"8,{point.split(',')[1]}" for point in points)])


def _number(value: float, places: int) -> str:
    return f"{value:,.{places}f}".replace("-", "−")
