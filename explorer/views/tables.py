"""The same values as tables to sort and to download. Every column has one type: ids are whole numbers that may be
missing, text is text. pandas is imported by the first table that is made, not by the pages that offer one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorer.by_hand import Worked
from explorer.learning import Snapshot
from explorer.reasons import why
from explorer.sampling import Sampled
from explorer.types import IGNORE, Bools, Candidate, Example, Message, SamplingSettings, Scores, Step, Stream
from explorer.views.candidates import filter_name
from explorer.views.compared import SHIFTS, Line
from explorer.views.grid import Axes
from explorer.views.roles import LOOKS, Say

if TYPE_CHECKING:
    import pandas as pd
    from pandas.arrays import IntegerArray

    from explorer.exercises import Cell


def stream_table(stream: Stream, say: Say) -> pd.DataFrame:
    """One row a position of what a stack reads; documents, segments and pads only where there are any."""
    return _frame(_stream_columns(stream, say))


def _stream_columns(stream: Stream, say: Say) -> dict[str, Any]:
    words = {role: say(LOOKS[role].word) for role in set(stream.roles)}
    columns: dict[str, Any] = {
        say(Message("position")): _whole(range(len(stream))),
        say(Message("piece")): list(stream.visible),
        say(Message("in the vocabulary")): list(stream.pieces),
        say(Message("id")): _whole(stream.ids),
        say(Message("role")): [words[role] for role in stream.roles],
        say(Message("attention mask")): _whole(stream.attention_mask),
        say(Message("position id")): _whole(stream.position_ids),
    }
    if stream.token_types is not None:
        columns[say(Message("segment"))] = _whole(stream.token_types)
    if stream.documents is not None:
        columns[say(Message("document"))] = _whole(stream.documents)
    return columns


def example_table(example: Example, say: Say, scores: Scores | None = None) -> pd.DataFrame:
    """One row a position, of an encoder beside a decoder first: what is read there, and for outputs the label as passed
    and as compared (missing where there is no loss), the loss where scores are given, and the reason in words."""
    outputs = _output_table(example, say, scores)
    return outputs if example.encoder is None or example.decoder is None else _both(example.encoder, outputs, say)


def _both(encoder: Stream, outputs: pd.DataFrame, say: Say) -> pd.DataFrame:
    """The rows of both stacks, told apart by the first column; words that only outputs have are empty above."""
    import pandas as pd

    read = stream_table(encoder, say)
    table = pd.concat([read, outputs], ignore_index=True)
    words = [say(Message("must say")), say(Message("why"))]
    table[words] = table[words].fillna("")
    stacks = [say(Message("encoder"))] * len(read) + [say(Message("decoder"))] * len(outputs)
    table.insert(0, say(Message("stack")), stacks)
    return table


def _output_table(example: Example, say: Say, scores: Scores | None) -> pd.DataFrame:
    n = len(example.output)
    columns = _stream_columns(example.output, say)
    predicts = {target.position: example.label_visible[target.label_index] for target in example.targets}
    columns[say(Message("label, as passed"))] = _whole(example.labels)
    columns[say(Message("label, as compared"))] = _whole(example.compared, missing=IGNORE)
    columns[say(Message("must say"))] = [predicts.get(t, "") for t in range(n)]
    if scores is not None:
        losses = np.full(n, np.nan)
        losses[list(predicts)] = scores.losses
        columns[say(Message("loss"))] = losses
    columns[say(Message("why"))] = [say(why(example, t)) for t in range(n)]
    return _frame(columns)


def top_table(example: Example, scores: Scores, say: Say) -> pd.DataFrame:
    """One row a target: what the output has read last, what it must say, its loss and probability, and the model's
    most probable tokens with theirs."""
    targets = example.targets
    columns: dict[str, Any] = {
        say(Message("output")): _whole([target.position for target in targets]),
        say(Message("reads")): [target.reads for target in targets],
        say(Message("must say")): [target.predicts for target in targets],
        say(Message("loss")): scores.losses,
        say(Message("probability")): np.full(len(targets), np.nan) if scores.squared else np.exp(-scores.losses),
    }
    for place in range(scores.top_ids.shape[1]):
        pairs = zip(scores.top_pieces, scores.top_probabilities[:, place].tolist(), strict=True)
        columns[str(place + 1)] = [f"{pieces[place]}  {p:.3f}" for pieces, p in pairs]
    return _frame(columns)


def candidate_table(
    candidates: Sequence[Candidate], settings: SamplingSettings, say: Say, sampled: Sampled | None = None
) -> pd.DataFrame:
    """One row a candidate: probability before and after the filters, and which filter cut it; with `sampled` also the
    probability after each of them."""
    cut = [filter_name(one.removed_by, settings, say) if one.removed_by else "" for one in candidates]
    columns: Mapping[str, Any] = {
        say(Message("rank")): _whole([one.rank for one in candidates], missing=0),
        say(Message("piece")): [one.piece for one in candidates],
        say(Message("id")): _whole([one.id for one in candidates]),
        say(Message("before")): [one.p_model for one in candidates],
        **_stages(candidates, settings, say, sampled),
        say(Message("after")): [one.p_final for one in candidates],
        say(Message("cut by")): cut,
    }
    return _frame(columns)


def _stages(
    candidates: Sequence[Candidate], settings: SamplingSettings, say: Say, sampled: Sampled | None
) -> Mapping[str, list[float]]:
    stages = () if sampled is None else sampled.stages[1:]
    return {
        filter_name(stage.name, settings, say): [float(stage.probabilities[one.id]) for one in candidates]
        for stage in stages
    }


def families_table(lines: Sequence[Line], say: Say) -> pd.DataFrame:
    """One row a family: its outputs, those with loss, who shifts, passes in use; missing where there is no Example."""
    made = [line.example for line in lines]
    columns: dict[str, Any] = {
        say(Message("Family")): [say(line.title) for line in lines],
        say(Message("model")): ["" if each is None else each.model for each in made],
        say(Message("outputs")): _whole([None if each is None else len(each.output) for each in made]),
        say(Message("targets")): _whole([None if each is None else each.n_targets for each in made]),
        say(Message("Who shifts")): ["" if each is None else say(SHIFTS[each.shift]) for each in made],
        say(Message("Passes in use")): [say(line.passes) for line in lines],
    }
    return _frame(columns)


def pair_table(a: Example, b: Example, say: Say) -> pd.DataFrame:
    """The rows of two Examples, one after the other."""
    import pandas as pd

    tables = [example_table(each, say) for each in (a, b)]
    for name, table in zip("AB", tables, strict=True):
        table.insert(0, "", name)
    return pd.concat(tables, ignore_index=True)


def worked_frame(worked: Worked, tokens: Sequence[str], say: Say) -> pd.DataFrame:
    """One row a token that could come (V): from its logit to what it adds to the loss."""
    columns: dict[str, Any] = {
        say(Message("token")): list(tokens),
        say(Message("logit")): worked.logits,
        say(Message("minus the largest")): worked.lowered,
        say(Message("power of e")): worked.powers,
        say(Message("probability")): worked.probabilities,
        say(Message("target")): worked.target,
        say(Message("target × −ln p")): worked.terms,
    }
    return _frame(columns)


def steps_table(steps: Sequence[Step], say: Say) -> pd.DataFrame:
    """One row a token that was written: its probability in the model and after all filters, and the entropy."""
    columns: dict[str, Any] = {
        say(Message("step")): _whole(range(1, len(steps) + 1)),
        say(Message("id")): _whole([step.chosen for step in steps]),
        say(Message("piece")): [step.piece for step in steps],
        say(Message("before")): [step.p_model for step in steps],
        say(Message("after")): [step.p_final for step in steps],
        say(Message("entropy")): [step.entropy for step in steps],
    }
    return _frame(columns)


def curves_table(seen: Snapshot, say: Say) -> pd.DataFrame:
    """Both losses of a training, one row a step at which one of them was measured."""
    import pandas as pd

    columns = {
        say(Message("training loss")): pd.Series(seen.training.losses, index=seen.training.steps),
        say(Message("held-out loss")): pd.Series(seen.held_out.losses, index=seen.held_out.steps),
    }
    return _frame(columns).sort_index().rename_axis(say(Message("step"))).reset_index()


def answers_table(cells: Sequence[Cell], say: Say) -> pd.DataFrame:
    """One row a cell of an exercise: its right answer and the reason."""
    columns = {
        say(Message("cell")): [say(cell.name) for cell in cells],
        say(Message("right answer")): [cell.right for cell in cells],
        say(Message("why")): [say(cell.why) for cell in cells],
    }
    return _frame(columns)


def weights_table(weights: NDArray[np.floating], axes: Axes, say: Say, mask: Bools | None = None) -> pd.DataFrame:
    """One row a cell (Q,K): who looks, who is looked at, the number, and whether the mask leaves it open."""
    query, key = (at.ravel() for at in np.indices(weights.shape))
    shown = np.ones(weights.shape, dtype=bool) if mask is None else mask
    rows, columns = _numbers(axes.rows, len(weights)), _numbers(axes.columns, weights.shape[1])
    found: dict[str, Any] = {
        say(Message("query")): rows[query],
        say(Message("looks")): np.array(axes.queries, dtype=object)[query],
        say(Message("key")): columns[key],
        say(Message("is looked at")): np.array(axes.keys, dtype=object)[key],
        say(Message("weight")): weights.ravel().astype(np.float64),
        say(Message("open")): shown.ravel(),
    }
    return _frame(found)


def _numbers(names: Sequence[str], count: int) -> NDArray[np.int64]:
    """The positions that stand before the names of an axis."""
    return np.array([int(name) for name in names] if names else range(count), dtype=np.int64)


def csv(table: pd.DataFrame) -> bytes:
    """The table as UTF-8 with a byte order mark, which spreadsheets need to show Korean; text stays as it is."""
    return table.to_csv(index=False).encode("utf-8-sig")


def _frame(columns: Mapping[str, Any]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(columns)


def _whole(values: Sequence[int | None] | np.ndarray | range, missing: int | None = None) -> IntegerArray:
    """Whole numbers that may be missing, so that Arrow has one type and sorting stays numeric."""
    from pandas.arrays import IntegerArray

    whole = [None if value == missing else value for value in values]
    gaps = np.array([value is None for value in whole], dtype=bool)
    return IntegerArray(np.array([value or 0 for value in whole], dtype=np.int64), gaps)
