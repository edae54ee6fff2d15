"""The ready tasks: which tiny model learns which objective from which texts, and how well it must do within a minute.

The models are transformers' own classes, small enough for one core. Papers: Vaswani et al. 2017, Ouyang et al. 2022,
Lewis et al. 2019, Devlin et al. 2018, Radford et al. 2018.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.training.live.sources import Cycles, Numbers, Poem, Reversal, Source, Tale
from explorer.training.live.texts import AZALEAS, HOUSE, STAR
from explorer.types import AttentionKind, Message


@dataclass(frozen=True)
class LiveTask:
    """objective: its key; kind, model, shape: transformers' model_type, class and config; source: text -> its texts;
    rows: of a batch; rate: the learning rate at the start; hidden: the share of tokens hidden at the start, None where
    nothing is hidden; score, goal: what is measured on held-out texts, and the share that a minute must reach; looks:
    the attention that is shown; mistakes: those that suit it; ready: titles and texts to learn from, where none are
    made; probe: tokens of the text that is drawn, at most."""

    title: Message
    family: str
    objective: str
    kind: str
    model: str
    shape: Mapping[str, Any]
    source: Callable[[str], Source]
    score: Message
    goal: float
    looks: AttentionKind
    mistakes: tuple[str, ...]
    rows: int = 32
    rate: float = 3e-3
    hidden: float | None = None
    ready: tuple[tuple[Message, str], ...] = ()
    probe: int = 16

    @property
    def judged(self) -> bool:
        """Whether there is one right answer."""
        return self.objective != "causal_lm"

    @property
    def text(self) -> str:
        """What is learned from at the start; empty where texts are made."""
        return self.ready[0][1] if self.ready else ""

    @property
    def heads(self) -> tuple[int, int]:
        """Layers, and heads in each, of the attention that is shown."""
        layers, heads = HEADS[self.kind]
        return self.shape[layers], self.shape[heads]


HEADS = {
    "gpt2": ("n_layer", "n_head"),
    "bert": ("num_hidden_layers", "num_attention_heads"),
    "bart": ("decoder_layers", "decoder_attention_heads"),
    "marian": ("decoder_layers", "decoder_attention_heads"),
}
"""Names of both in transformers' configs."""


HALVES = {
    "d_model": 64,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 128,
    "decoder_ffn_dim": 128,
    "max_position_embeddings": 64,
}
GPT = {"n_embd": 64, "n_layer": 2, "n_head": 4, "n_inner": 128, "n_positions": 96}

TASKS: dict[str, LiveTask] = {
    "numbers": LiveTask(
        Message("Numbers into Korean"),
        "Transformer",
        "seq2seq",
        "marian",
        "MarianMTModel",
        # One head of cross-attention, which then shows the alignment by itself.
        HALVES
        | {"activation_function": "relu", "scale_embedding": True, "static_position_embeddings": True}
        | {"decoder_attention_heads": 1},
        lambda text: Numbers(),
        Message("numbers never trained on, translated without a mistake"),
        0.9,
        "cross",
        ("pads_in_loss", "end_masked"),
    ),
    "reversal": LiveTask(
        Message("Letters from behind"),
        "GPT",
        "sft",
        "gpt2",
        "GPT2LMHeadModel",
        GPT,
        lambda text: Reversal(),
        Message("words never trained on, turned round without a mistake"),
        0.9,
        "decoder",
        ("causal_mask_off", "double_shift", "pads_in_loss", "end_masked"),
    ),
    "cycles": LiveTask(
        Message("Filling gaps"),
        "BART",
        "denoising",
        "bart",
        "BartForConditionalGeneration",
        HALVES,
        lambda text: Cycles(),
        Message("damaged texts restored without a mistake"),
        0.9,
        "cross",
        ("pads_in_loss", "end_masked"),
        hidden=0.3,
    ),
    "poem": LiveTask(
        Message("A poem with hidden words"),
        "BERT",
        "masked_lm",
        "bert",
        "BertForPreTraining",
        {
            "hidden_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "intermediate_size": 128,
            "max_position_embeddings": 128,
        },
        Poem,
        Message("hidden words named right"),
        0.8,
        "encoder",
        ("next_sentence_flipped",),
        hidden=0.15,
        ready=((Message("The Star"), STAR), (Message("Azaleas, in Korean"), AZALEAS)),
    ),
    "tale": LiveTask(
        Message("A text, letter by letter"),
        "GPT",
        "causal_lm",
        "gpt2",
        "GPT2LMHeadModel",
        GPT,
        Tale,
        Message("letters it writes that belong to words of the text"),
        0.8,
        "decoder",
        ("causal_mask_off", "double_shift"),
        rows=16,
        probe=24,
        ready=((Message("The house that Jack built"), HOUSE),),
    ),
}
