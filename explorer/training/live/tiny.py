"""A tiny model of a task, with random weights, as the rest of the app knows models: `Loaded`, with a lock."""

from __future__ import annotations

import inspect

from explorer.models.loading import ONE_AT_A_TIME, Facts, Loaded
from explorer.models.tokenizer import HubTokenizer
from explorer.objectives import objective
from explorer.training.live.tasks import LiveTask
from explorer.training.live.words import STYLES
from explorer.training.networks import set_dropout
from explorer.types import ModelId


def tiny_model(task: LiveTask, words: HubTokenizer, seed: int) -> Loaded:
    """The model, without dropout: what is seen of it must not flicker, and nothing is read often enough to need it."""
    import torch
    import transformers

    ids = STYLES[task.kind].ids
    config = transformers.AutoConfig.for_model(task.kind, vocab_size=words.size, **task.shape, **ids)
    config._attn_implementation = "eager"
    # torch has one source of chance for the whole process, as transformers has one switch for tying weights.
    with ONE_AT_A_TIME, torch.random.fork_rng():
        torch.manual_seed(seed)
        module = getattr(transformers, task.model)(config)
    set_dropout(module, 0.0)
    facts = Facts(
        ModelId(words.name, "cpu", "float32"),
        objective(task.objective).stack,
        frozenset({"language model"}),
        sum(weight.numel() for weight in module.parameters()),
        words.max_length,
        words.size,
        int(config.num_hidden_layers),
        int(config.num_attention_heads),
        (),
        frozenset(),
    )
    accepts = frozenset(inspect.signature(module.forward).parameters)
    return Loaded(facts, module.eval(), 4 * facts.parameters, accepts, words=words)
