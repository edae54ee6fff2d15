"""Where a training runs: bfloat16 only where the hardware multiplies it."""

from __future__ import annotations

import pytest
import torch

from explorer.training.machine import choose_machine
from explorer.types import InputProblem


@pytest.mark.parametrize("able", [False, True])
def test_a_processor_gets_bf16_only_if_it_multiplies_it(monkeypatch, able: bool) -> None:
    for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        monkeypatch.setattr(torch.cpu, name, lambda: able)
    machine = choose_machine("cpu")
    assert (machine.device, machine.bf16, machine.workers) == ("cpu", able, 1)
    assert str(machine).endswith("bfloat16" if able else "float32")
    with machine.autocast():
        product = torch.ones(2, 2) @ torch.ones(2, 2)
    assert product.dtype is (torch.bfloat16 if able else torch.float32)


def test_workers_are_as_asked() -> None:
    assert choose_machine("cpu", 0).workers == 0
    assert choose_machine("cpu", 3).workers == 3


def test_a_device_that_is_not_here_is_told() -> None:
    with pytest.raises(InputProblem, match=r"no device abacus here; there are: .*cpu"):
        choose_machine("abacus")
