"""What an encoder says at its gaps: one forward pass that reads both ways. N gaps, V vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer.models.forward import check_length, require_language_model, running, tensors
from explorer.models.loading import Loaded

if TYPE_CHECKING:
    from explorer.models.caches import Logits


def gap_logits(loaded: Loaded, ids: Sequence[int], positions: Sequence[int]) -> Logits:
    """(N,V): the logits at these positions of the text `ids`. Raises InputProblem where the model has no head, or the
    text is too long."""
    require_language_model(loaded)
    check_length(loaded, len(ids))
    with running(loaded):
        output = loaded.module(**tensors(loaded, {"input_ids": np.array([ids], dtype=np.int64)}))
        logits = output["prediction_logits"] if "prediction_logits" in output else output["logits"]
        return logits[0, list(positions)].float().cpu().numpy()  # type: ignore[no-any-return]
