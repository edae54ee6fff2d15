"""Where models run and in which precision: chosen by itself, told to the person, changed on request."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from explorer.types import InputProblem, ModelId

if TYPE_CHECKING:
    import torch

DTYPES = ("float32", "bfloat16", "float16")
SHARE = 0.6
"""The share of a device's memory that models may take together."""


@cache
def devices() -> tuple[str, ...]:
    """What this machine has, the fastest first; "cpu" is always among them."""
    import torch

    found = ["cuda"] if torch.cuda.is_available() else []
    found += ["mps"] if torch.backends.mps.is_available() else []
    return (*found, "cpu")


@cache
def budget(device: str) -> int:
    """How many bytes of models may be loaded there at once. EXPLORER_MEMORY (in GB) overrules it."""
    import torch

    given = os.environ.get("EXPLORER_MEMORY")
    if given:
        return int(float(given) * 10**9)
    if device == "cuda":
        whole = torch.cuda.get_device_properties(0).total_memory
    elif device == "mps":
        whole = torch.mps.recommended_max_memory()
    else:
        whole = _installed()
    return int(whole * SHARE)


def choose(name: str, parameters: int, device: str | None = None, dtype: str | None = None) -> ModelId:
    """The fastest device and float32, or bfloat16 where float32 would not fit. Raises InputProblem for a device that
    this machine lacks, or a dtype that is none or that the device has not."""
    if device is not None and device not in devices():
        given = {"device": device, "devices": ", ".join(devices())}
        raise InputProblem("There is no device {device} here; there are: {devices}.", given)
    if dtype is not None and dtype not in DTYPES:
        raise InputProblem(
            "{dtype} is no precision; choose one of: {dtypes}.", {"dtype": dtype, "dtypes": ", ".join(DTYPES)}
        )
    where = device or devices()[0]
    if dtype is not None and not able(where, dtype):
        raise InputProblem(
            "The device {device} cannot multiply in {dtype}. Choose another precision.",
            {"device": where, "dtype": dtype},
        )
    fits = 4 * parameters <= budget(where)
    return ModelId(name, where, dtype or ("float32" if fits else "bfloat16"))


@cache
def able(device: str, dtype: str) -> bool:
    """Whether the device multiplies in this precision."""
    import torch

    try:
        one = torch.ones(1, 1, device=device, dtype=torch_dtype(ModelId("", device, dtype)))
        return bool((one @ one).item() == 1)
    except (RuntimeError, TypeError):
        return False


def describe(model: ModelId) -> str:
    """The device and precision by name, for example "NVIDIA H200, float32"."""
    import torch

    names = {"cpu": "CPU", "mps": "Apple GPU (MPS)"}
    return f"{names.get(model.device) or torch.cuda.get_device_name()}, {model.dtype}"


def torch_dtype(model: ModelId) -> torch.dtype:
    """The dtype as torch has it."""
    import torch

    return {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[model.dtype]


def _installed() -> int:
    """Bytes of memory in this machine; 8 GB where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8 * 10**9
