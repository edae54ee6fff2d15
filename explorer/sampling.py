"""From logits to one token: filters in a stated order, what each keeps and cuts, and the draw. Pure functions.

The filters mean what they mean in transformers: repetition penalty (Keskar et al. 2019, section 4.1), temperature,
top-k (Fan et al. 2018, section 5.4), top-p (Holtzman et al. 2020, section 3.1), min-p (Nguyen et al. 2024), typical-p
(Meister et al. 2023, section 3). We compute in float64, and forgive round-off where a mass meets its bound. Alphabet:
V vocabulary. A cut token has the logit -inf.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.draw import falling
from explorer.streams import freeze
from explorer.types import Candidate, InputProblem, Ints, Message, SamplingSettings, Stage, check_range

Floats = NDArray[np.float64]

MODEL, GREEDY = "model", "greedy"
"""Names of the stages that are no filters: what the model says, and the choice of the most probable token."""

ROUND_OFF = 1e-9
"""How far a sum of probabilities may miss its bound and still count as meeting it."""


@dataclass(frozen=True, eq=False)
class Sampled:
    """What the filters made of one row of logits.

    stages: the model's own distribution, then one for each filter that is on; logits (V,) after all of them; order:
    the names of all filters, on or off, in the order in which they are applied; entropy: of the model's own
    distribution, in nats; notes: what a reader should know.
    """

    stages: tuple[Stage, ...]
    logits: Floats
    order: tuple[str, ...]
    entropy: float
    notes: tuple[Message, ...] = ()

    def __post_init__(self) -> None:
        freeze(self, logits=np.float64)

    @property
    def model(self) -> Floats:
        """(V,): the probabilities before any filter."""
        return self.stages[0].probabilities

    @property
    def final(self) -> Floats:
        """(V,): the probabilities that the token is drawn from."""
        return self.stages[-1].probabilities

    @property
    def removed_mass(self) -> tuple[float, ...]:
        """For each stage, the share of the distribution before it that it cuts; 0 for the first."""
        pairs = zip(self.stages[:-1], self.stages[1:], strict=True)
        return (0.0, *(max(0.0, 1 - float(before.probabilities[after.kept].sum())) for before, after in pairs))

    def removed_by(self, id: int) -> str | None:
        """The stage that cut this token, None where it stays; "model" where the model itself rules it out."""
        return self.removed([id])[0]

    def removed(self, ids: ArrayLike) -> list[str | None]:
        """For each of several tokens the stage that cut it, None where it stays."""
        asked = np.asarray(ids, dtype=np.int64)
        found: list[str | None] = [None] * len(asked)
        for stage in reversed(self.stages):
            at = np.searchsorted(stage.kept, asked)
            for place in np.flatnonzero(stage.kept[np.minimum(at, len(stage.kept) - 1)] != asked):
                found[place] = stage.name
        return found


def apply(logits: ArrayLike, settings: SamplingSettings, seen: Sequence[int] = ()) -> Sampled:
    """The logits (V,) through the filters of `settings`; `seen`: the ids that the repetition penalty falls on.

    Greedy (or temperature 0) takes the most probable token after the repetition penalty; no other filter can cut it.
    Raises InputProblem for settings out of range, ids outside 0..V-1, logits without a largest finite value.

    >>> apply([3.0, 2.0, 1.0], SamplingSettings(temperature=0)).final.tolist()
    [1.0, 0.0, 0.0]
    """
    check(settings)
    values = _checked(logits, seen)
    greedy = settings.greedy or settings.temperature == 0
    stages = [_stage(MODEL, values)]
    surprise = _entropy(values, stages[0])
    for name in ("repetition_penalty", GREEDY) if greedy else settings.order:
        if name == GREEDY or getattr(settings, name) != OFF[name]:
            values = _filter(name, values, settings, seen)
            stages.append(_stage(name, values))
    values.flags.writeable = False
    return Sampled(tuple(stages), values, settings.order, surprise, _notes(settings, stages))


def candidates(
    sampled: Sampled, pieces: Callable[[Sequence[int]], Sequence[str]], top: int = 50, also: Sequence[int] = ()
) -> tuple[Candidate, ...]:
    """The `top` tokens that are most probable before or after the filters, and those of `also` (the one chosen);
    from the model's most probable on, equals by id. pieces: gives each id's own."""
    model, final = sampled.model, sampled.final
    weight = np.maximum(model, final)
    floor = np.partition(weight, -top)[-top] if 0 < top < len(weight) else 0.0
    best = falling(weight, np.flatnonzero(weight >= floor))[:top]
    ids = falling(model, np.union1d(best, np.asarray(also, dtype=np.int64)))
    columns = (model[ids].tolist(), final[ids].tolist(), sampled.removed(ids), _ranks(model, ids))
    told = zip(ids.tolist(), pieces(ids.tolist()), *columns, strict=True)
    return tuple(Candidate(*each) for each in told)


def _ranks(weight: Floats, ids: Ints) -> list[int]:
    """The place of each id among all, from 1; equals go by id."""
    before = falling(weight, np.flatnonzero(weight >= weight[ids].min()))
    places = np.empty(len(weight), dtype=np.int64)
    places[before] = np.arange(1, len(before) + 1)
    return places[ids].tolist()  # type: ignore[no-any-return]


def entropy(probabilities: ArrayLike) -> float:
    """In nats; a token that cannot be adds nothing.

    >>> round(entropy([0.5, 0.5, 0.0]), 4)
    0.6931
    """
    values = np.asarray(probabilities, dtype=np.float64)
    return max(0.0, -float(values @ np.log(np.where(values > 0, values, 1.0))))


# -- the filters: logits (V,) -> logits (V,) --------------------------------------------------------------------------


def repetition_penalty(logits: Floats, seen: Sequence[int], penalty: float) -> Floats:
    """Seen tokens become less likely, each once: positive logits are divided, negative ones multiplied.

    >>> repetition_penalty(np.array([3.0, -1.0, 0.5]), [0, 1, 1], 1.5).tolist()
    [2.0, -1.5, 0.5]
    """
    changed = logits.copy()
    at = np.unique(np.asarray(seen, dtype=np.int64))
    with np.errstate(over="ignore"):
        changed[at] = np.where(logits[at] < 0, logits[at] * penalty, logits[at] / penalty)
    return changed


def temperature(logits: Floats, value: float) -> Floats:
    """Every logit divided: below 1 sharper, above 1 flatter."""
    with np.errstate(over="ignore"):
        return np.asarray(logits / value, dtype=np.float64)


def top_k(logits: Floats, k: int) -> Floats:
    """The k largest; what equals the k-th stays too, as in transformers, so more than k may stay."""
    if k >= len(logits):
        return logits
    return np.where(logits >= np.partition(logits, -k)[-k], logits, -np.inf)


def top_p(logits: Floats, p: float) -> Floats:
    """From the most probable on, while the mass before a token is below p: the one that crosses p stays, and the
    first always does. Equals go by id."""
    probabilities = _probabilities(logits)
    # All tokens below this bound together are less than 1 - p, so the search is over before it comes to them.
    order = falling(probabilities, np.flatnonzero(probabilities >= (1 - p - ROUND_OFF) / len(logits)))
    before = np.cumsum(probabilities[order]) - probabilities[order]
    kept = order[: max(1, int(np.count_nonzero(before < p - ROUND_OFF)))]
    return _only(logits, kept)


def min_p(logits: Floats, share: float) -> Floats:
    """Those at least `share` times as probable as the most probable."""
    return np.where(logits >= logits.max() + np.log(share) - ROUND_OFF, logits, -np.inf)


def typical_p(logits: Floats, p: float) -> Floats:
    """Those whose surprise, -log of their probability, is nearest to the entropy, until they have the mass p: the one
    that crosses stays, and what is as near as the last one. The most probable token may be cut."""
    probabilities = _probabilities(logits)
    ids = np.flatnonzero(probabilities)
    far = np.abs(-np.log(probabilities[ids]) - entropy(probabilities))
    order = np.argsort(far, kind="stable")
    reached = np.cumsum(probabilities[ids[order]])
    last = min(int(np.count_nonzero(reached < p - ROUND_OFF)), len(ids) - 1)
    return _only(logits, ids[far <= far[order[last]] + ROUND_OFF])


OFF = {"repetition_penalty": 1.0, "temperature": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0, "typical_p": 1.0}
"""Every filter and the value at which it does nothing."""

CUTS: dict[str, Callable[[Floats, Any], Floats]] = {
    "top_k": top_k,
    "top_p": top_p,
    "min_p": min_p,
    "typical_p": typical_p,
}
"""The filters that cut tokens; the others change every logit and cut none."""


def _filter(name: str, logits: Floats, settings: SamplingSettings, seen: Sequence[int]) -> Floats:
    if name == GREEDY:
        return _only(logits, np.array([logits.argmax()]))
    value = getattr(settings, name)
    if name in CUTS:
        return CUTS[name](logits, value)
    changed = temperature(logits, value) if name == "temperature" else repetition_penalty(logits, seen, value)
    if not np.array_equal(np.isfinite(changed), np.isfinite(logits)):
        raise InputProblem("{name} is {value}, too extreme for these logits.", {"name": name, "value": value})
    return changed


def _only(logits: Floats, kept: Ints) -> Floats:
    left = np.full(len(logits), -np.inf)
    left[kept] = logits[kept]
    return left


def _probabilities(logits: Floats, kept: Ints | None = None) -> Floats:
    """kept: the ids that are not cut, where they are known; of a few only these are worked out."""
    if kept is None or 2 * len(kept) > len(logits):
        raised: Floats = logits - logits.max()
        np.exp(raised, out=raised)  # in its own place: a vocabulary is long, and each new array costs as much again
        raised /= raised.sum()
        return raised
    probabilities = np.zeros(len(logits))
    probabilities[kept] = _probabilities(logits[kept])
    return probabilities


def _stage(name: str, logits: Floats) -> Stage:
    kept = np.flatnonzero(logits > -np.inf)
    probabilities = _probabilities(logits, kept)
    kept.flags.writeable = probabilities.flags.writeable = False
    return Stage(name, kept, probabilities)


def _entropy(logits: Floats, model: Stage) -> float:
    """`entropy` of softmax(logits), without the logarithm of a whole vocabulary: log p is a logit less the largest one,
    plus log p of the most probable token."""
    at = model.kept if len(model.kept) < len(logits) else slice(None)
    below = model.probabilities[at] @ (logits[at] - logits.max())
    return max(0.0, -float(np.log(model.probabilities.max()) + below))


def _notes(settings: SamplingSettings, stages: Sequence[Stage]) -> tuple[Message, ...]:
    if settings.greedy:
        return (Message("Greedy: the most probable token is taken, nothing is drawn, the other filters do nothing."),)
    if settings.temperature == 0:
        return (Message("Temperature 0 is greedy: the most probable token is taken and nothing is drawn."),)
    kept = next((len(stage.kept) for stage in stages if stage.name == "top_k"), 0)
    if kept > settings.top_k:
        given = {"k": settings.top_k, "count": kept}
        return (
            Message("Top-k {k} keeps {count} tokens: those that are as probable as the last of them stay too.", given),
        )
    return ()


# -- what cannot be used ----------------------------------------------------------------------------------------------


def check(settings: SamplingSettings) -> SamplingSettings:
    """The settings themselves; InputProblem names a value that is out of range, or an order that is no order."""
    check_range("temperature", settings.temperature, low=0)
    check_range("top_k", settings.top_k, low=0)
    check_range("top_p", settings.top_p, 0, 1)
    check_range("min_p", settings.min_p, 0, 1)
    check_range("typical_p", settings.typical_p, 0, 1)
    check_range("seed", settings.seed, low=0)
    check_range("repetition_penalty", settings.repetition_penalty, low=0)
    if settings.repetition_penalty == 0:
        raise InputProblem("repetition_penalty is 0, but must be greater than 0; 1 turns it off.")
    on = {name for name, value in OFF.items() if getattr(settings, name) != value}
    if len(set(settings.order)) < len(settings.order) or not on <= set(settings.order) <= set(OFF):
        given = {"order": ", ".join(settings.order), "names": ", ".join(OFF)}
        raise InputProblem("The order is {order}, but must name each filter that is on once, out of: {names}.", given)
    return settings


def _checked(logits: ArrayLike, seen: Sequence[int]) -> Floats:
    values = np.array(logits, dtype=np.float64)
    if values.ndim != 1 or not len(values):
        raise InputProblem("The logits have the shape {shape}; give one row of numbers.", {"shape": values.shape})
    if not np.isfinite(values.max()):
        raise InputProblem("The largest of the logits is {value}, which is no finite number.", {"value": values.max()})
    for id in seen:
        if not 0 <= id < len(values):
            given = {"id": id, "last": len(values) - 1}
            raise InputProblem("The token {id} was seen, but the ids go from 0 to {last}.", given)
    return values
