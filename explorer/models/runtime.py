"""What the rest of the app asks of models: a few calls, numpy in and out, no tensor and no module ever leaves.

The local runtime is the only one now. Another could answer the same calls from other processes: every argument and
result is a plain value, and a KV cache is known to the outside only by its `Handle`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache as once
from typing import TYPE_CHECKING

from explorer.models import device
from explorer.models.catalog import canonical, check_allowed
from explorer.models.checkpoint import read_checkpoint
from explorer.models.places import Place, Progress
from explorer.models.sources import weights_folder
from explorer.types import Attention, AttentionKind, Bools, Example, HeadOutput, InputProblem, ModelId, Scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from explorer.influence import Influence
    from explorer.memory_mask import LeftOut
    from explorer.models.caches import Caches, Handle, Logits
    from explorer.models.inside import CacheFacts, Lens
    from explorer.models.loading import Facts
    from explorer.models.pool import Pool
    from explorer.position_maps import PositionTable
    from explorer.standing import ModelStanding


class Runtime:
    """Safe for many threads: passes of a model wait their turn (`turns`), memory is bounded by `Pool` and `Caches`."""

    def __init__(self, pool: Pool, caches: Caches) -> None:
        self._pool, self._caches = pool, caches

    def identify(
        self, name: str, device_name: str | None = None, dtype: str | None = None, progress: Progress | None = None
    ) -> ModelId:
        """The model with a device and precision, chosen by itself where none is given. Downloads its weights if need
        be. Raises InputProblem where it has none, or this host does not allow it."""
        full = canonical(name)
        check_allowed(full)
        checkpoint = read_checkpoint(Place("cache", weights_folder(full, progress)))
        return device.choose(full, checkpoint.parameters, device_name, dtype)

    def load(self, model: ModelId, progress: Progress | None = None) -> Facts:
        """Puts the model into memory (if it is not there) and tells what it is. Raises InputProblem."""
        return self._pool.get(model, progress).facts

    @property
    def loaded(self) -> tuple[ModelId, ...]:
        """The models in memory now."""
        return self._pool.models

    @property
    def standing(self) -> tuple[ModelStanding, ...]:
        """The models in memory with their bytes and the lines before them."""
        return self._pool.standing

    @property
    def cache_bytes(self) -> int:
        """Bytes of all KV caches."""
        return self._caches.size

    @property
    def open_caches(self) -> int:
        """How many KV caches are kept."""
        return len(self._caches)

    def score(self, model: ModelId, example: Example, top: int = 5) -> Scores:
        """Loss and most probable tokens at each target. Raises InputProblem where the model has no such head, the
        text is too long, or the example was made with another tokenizer."""
        from explorer.models.forward import score

        return score(self._pool.get(model), example, top)

    def head(self, model: ModelId, example: Example) -> HeadOutput:
        """What the head of fine-tuning says at every position, not at the targets alone. Raises InputProblem as
        `score`."""
        from explorer.models.tasks import head_output

        return head_output(self._pool.get(model), example)

    def features(self, model: ModelId, example: Example) -> NDArray[np.float32]:
        """(T,D): the body's last states, which a head reads. Raises InputProblem as `score`."""
        from explorer.models.tasks import features

        return features(self._pool.get(model), example)

    def attention(self, model: ModelId, example: Example) -> dict[AttentionKind, Attention]:
        """What every head looks at, for each kind of attention that the model has. Raises InputProblem as `score`."""
        from explorer.models.forward import attention

        return attention(self._pool.get(model), example)

    def influence(
        self, model: ModelId, example: Example, kind: AttentionKind, progress: Progress | None = None
    ) -> Influence:
        """How much each output changes when each token of the keys is replaced. Raises InputProblem as `score`."""
        from explorer.models.influence import influence

        return influence(self._pool.get(model), example, kind, progress)

    def left_out(self, model: ModelId, example: Example, pads: int) -> LeftOut:
        """Cross-attention of an encoder-decoder with `pads` pads in the source, with and without its padding mask.
        Raises InputProblem as `score`."""
        from explorer.models.left_out import left_out

        return left_out(self._pool.get(model), example, pads)

    def positions(self, model: ModelId) -> tuple[PositionTable, ...]:
        """How the model tells positions apart: its tables, biases or angles."""
        from explorer.models.positions import positions

        return positions(self._pool.get(model))

    def captured_masks(self, model: ModelId, example: Example) -> dict[AttentionKind, Bools]:
        """(L,Q,K): the mask that each layer really used, True = may attend. Raises InputProblem as `score`."""
        from explorer.models.used_masks import used_masks

        return used_masks(self._pool.get(model), example)

    def vectors(
        self, model: ModelId, example: Example, kind: AttentionKind, layer: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Queries (H,Q,D) and keys (H,K,D) of one layer as they are multiplied. Raises InputProblem as `score`."""
        from explorer.models.used_masks import caught

        found = caught(self._pool.get(model), example)[kind][layer]
        return found.queries, found.keys

    def gaps(self, model: ModelId, ids: Sequence[int], positions: Sequence[int]) -> Logits:
        """(N,V): what an encoder says at some positions of a text. Raises InputProblem as `score`."""
        from explorer.models.gaps import gap_logits

        return gap_logits(self._pool.get(model), ids, positions)

    def prefill(
        self, model: ModelId, ids: Sequence[int], source_ids: Sequence[int] | None = None
    ) -> tuple[Handle, Logits]:
        """Reads the decoder's `ids` (and the encoder's `source_ids`, once). Returns a handle and the logits (V,) after
        the last id. Raises InputProblem where the model cannot write on or the text is too long."""
        if not ids:
            raise InputProblem("There is nothing to start from. Type a prompt.")
        loaded = self._pool.get(model)
        source = None if source_ids is None else tuple(source_ids)
        handle = self._caches.open(loaded, tuple(ids), source)
        return handle, self._caches.read(loaded, handle)

    def advance(self, handle: Handle, id: int) -> tuple[Handle, Logits]:
        """Reads one id more; the handle that was given stays what it was. Raises InputProblem at the model's limit."""
        from explorer.models.caches import longer

        loaded = self._pool.get(handle.model)
        further = longer(loaded, handle, id)
        return further, self._caches.read(loaded, further)

    def rewind(self, handle: Handle, length: int) -> tuple[Handle, Logits]:
        """Goes back to the first `length` ids (at least 1) and the logits after them."""
        if not 1 <= length <= len(handle):
            raise ValueError(f"cannot rewind {len(handle)} ids to {length}")
        return self.turn(handle, handle.ids[:length])

    def turn(self, handle: Handle, ids: Sequence[int]) -> tuple[Handle, Logits]:
        """Goes on with other ids than the handle's: a branch. Only what its cache does not share with them is read.
        Raises InputProblem for ids that the model has not, or too many of them."""
        from explorer.models.caches import check_ids

        loaded, other = self._pool.get(handle.model), replace(handle, ids=tuple(ids))
        check_ids(loaded, other.ids)
        return other, self._caches.read(loaded, other)

    def advance_attending(self, handle: Handle, id: int) -> tuple[Handle, Logits, NDArray[np.float32]]:
        """`advance`, and the weights (L,H,K) with which the new position looks at all that was read, itself too."""
        from explorer.models.caches import longer

        loaded = self._pool.get(handle.model)
        further = longer(loaded, handle, id)
        return further, *self._caches.read_attending(loaded, further)

    def attention_row(self, handle: Handle) -> NDArray[np.float32]:
        """(L,H,K): what the last position looks at; that one position is read again."""
        return self._caches.read_attending(self._pool.get(handle.model), handle)[1]

    def lens(self, handle: Handle, last: int) -> Lens:
        """What each layer would say at the `last` positions. Raises InputProblem where the last norm is not known."""
        from explorer.models.inside import lens

        return lens(self._pool.get(handle.model), handle, last)

    def cache_facts(self, handle: Handle) -> CacheFacts:
        """Shapes and bytes of what is kept for a text, layer by layer."""
        return self._caches.facts(handle)

    def fork(self, handle: Handle) -> Handle:
        """A handle for the same text whose cache is its own: to read other texts beside it."""
        return self._caches.fork(handle)

    def read_rows(self, handle: Handle, rows: Sequence[tuple[int, ...]]) -> Logits:
        """(B,V): the logits after each of several texts of one length, read side by side; all stand behind the
        encoder's text of `handle`, if there is one. Quick where each goes on from one of those read last."""
        return self._caches.read_rows(self._pool.get(handle.model), handle, rows)

    def close(self, handle: Handle) -> None:
        """Frees the cache. The handle stays usable, but the next step reads everything again."""
        self._caches.close(handle)


@once
def runtime() -> Runtime:
    """The runtime of this process."""
    from explorer.models.caches import Caches
    from explorer.models.pool import Pool

    return Runtime(Pool(), Caches())
