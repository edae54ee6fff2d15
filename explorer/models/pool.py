"""The models in memory: each loaded once for everyone, the one used longest ago given up when memory runs short."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from explorer.models.device import budget
from explorer.models.loading import Loaded, load
from explorer.models.places import Progress
from explorer.standing import ModelStanding
from explorer.types import ModelId

Load = Callable[[ModelId, Progress | None], Loaded]


class Pool:
    """Loaded models, at most `budget(device)` bytes on each device (one may always stay, however large).

    A model that is given up while another thread uses it lives until that thread is done.
    """

    def __init__(self, load: Load = load, budget: Callable[[str], int] = budget) -> None:
        self._load, self._budget = load, budget
        self._models: OrderedDict[ModelId, Loaded] = OrderedDict()
        self._loading: dict[ModelId, Lock] = {}
        self._lock = Lock()

    @property
    def models(self) -> tuple[ModelId, ...]:
        """What is in memory now, the one used last at the end."""
        with self._lock:
            return tuple(self._models)

    @property
    def standing(self) -> tuple[ModelStanding, ...]:
        """The same with their bytes and their lines."""
        with self._lock:
            found = tuple(self._models.items())
        return tuple(ModelStanding(model, each.size, each.lock.busy, each.lock.waiting) for model, each in found)

    def get(self, model: ModelId, progress: Progress | None = None) -> Loaded:
        """The loaded model. Threads that ask for one that is being loaded wait for it. Raises InputProblem."""
        found = self._touch(model)
        if found is not None:
            return found
        with self._lock:
            turn = self._loading.setdefault(model, Lock())
        with turn:
            found = self._touch(model)
            if found is None:
                found = self._load(model, progress)
                self._keep(model, found)
        return found

    def _touch(self, model: ModelId) -> Loaded | None:
        with self._lock:
            found = self._models.get(model)
            if found is not None:
                self._models.move_to_end(model)
            return found

    def _keep(self, model: ModelId, loaded: Loaded) -> None:
        with self._lock:
            self._models[model] = loaded
            same = [each for each in self._models if each.device == model.device]
            used = sum(self._models[each].size for each in same)
            for each in same[:-1]:
                if used <= self._budget(model.device):
                    break
                used -= self._models.pop(each).size
