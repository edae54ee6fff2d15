"""Where a training runs and in which precision: chosen by itself, told in the log."""

from __future__ import annotations

import os
import platform
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.models.device import devices
from explorer.types import InputProblem


@dataclass(frozen=True)
class Machine:
    """device: cpu, cuda or mps; bf16: whether matrices are multiplied in bfloat16; workers: processes for batches."""

    device: str
    bf16: bool
    workers: int

    def autocast(self) -> Any:
        """The precision, as a context for the forward pass."""
        import torch

        return torch.autocast(self.device, dtype=torch.bfloat16) if self.bf16 else nullcontext()

    def __str__(self) -> str:
        import torch

        name = torch.cuda.get_device_name() if self.device == "cuda" else f"{_processor()}, {os.cpu_count()} cores"
        return f"{name}, {'bfloat16' if self.bf16 else 'float32'}"


def choose_machine(device: str | None, workers: int | None = None) -> Machine:
    """The fastest device unless one is named. bfloat16 only where the hardware multiplies it: elsewhere it is many
    times slower than float32. Raises InputProblem for a device that this machine lacks."""
    where = device or devices()[0]
    if where not in devices():
        given = {"device": where, "devices": ", ".join(devices())}
        raise InputProblem("There is no device {device} here; there are: {devices}.", given)
    cores = os.cpu_count() or 1
    spare = 1 if where == "cpu" else min(cores - 1, 14)
    return Machine(where, _multiplies_bf16(where), spare if workers is None else workers)


def _multiplies_bf16(device: str) -> bool:
    import torch

    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    cpu: Any = torch.cpu
    return device == "cpu" and bool(cpu._is_avx512_bf16_supported() or cpu._is_amx_tile_supported())


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    names = [line for line in info.read_text().splitlines() if "model name" in line] if info.is_file() else []
    return names[0].partition(":")[2].strip() if names else platform.processor() or platform.machine()
