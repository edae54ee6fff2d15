"""Attention and masks against torch: the worked example's numbers, scaled_dot_product_attention, nn.Transformer."""

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from explorer.attend import EXAMPLE, attend
from explorer.masks import block, causal, cross, full, hidden, padding, prefix


def test_the_example_is_what_torch_draws_with_seed_zero() -> None:
    drawn = torch.randn(1, 1, 4, 8, generator=torch.Generator().manual_seed(0))
    assert np.array_equal(drawn[0, 0].numpy(), EXAMPLE)


@pytest.mark.parametrize(
    "mask",
    [full(7), causal(7), prefix(7, 3), padding([1, 1, 0, 1, 1, 1, 0]), block([0, 0, 0, 1, 1, 2, 2]), cross(5, 7)],
    ids=["full", "causal", "prefix", "padding", "block", "cross"],
)
def test_weights_equal_those_of_torch(mask) -> None:
    rng = np.random.default_rng(3)
    queries, keys, values = rng.normal(size=(len(mask), 16)), rng.normal(size=(7, 16)), rng.normal(size=(7, 16))
    expected = scaled_dot_product_attention(
        *(torch.from_numpy(x)[None, None] for x in (queries, keys, values)), attn_mask=torch.from_numpy(mask)
    )
    assert np.allclose(attend(queries, keys, mask).weights @ values, expected[0, 0].numpy(), atol=1e-12)


def test_hidden_is_the_future_mask_of_nn_transformer() -> None:
    future = torch.nn.Transformer.generate_square_subsequent_mask(5)
    assert np.array_equal(hidden(causal(5)), torch.isneginf(future).numpy())


def transformer() -> torch.nn.Transformer:
    torch.manual_seed(1)
    return torch.nn.Transformer(
        16, 2, num_encoder_layers=2, num_decoder_layers=2, dim_feedforward=32, dropout=0.0, batch_first=True
    ).double()


def test_nn_transformer_obeys_our_masks_in_its_own_convention() -> None:
    """Closed cells change nothing: with the future and the source pads hidden, new values there leave the rest."""
    model = transformer()
    source, target = torch.randn(1, 6, 16).double(), torch.randn(1, 5, 16).double()
    keep = np.array([1, 1, 1, 1, 0, 0])
    pads = torch.from_numpy(hidden(padding(keep))[:1])  # (B,T), the same row for every query
    inputs = {
        "tgt_mask": torch.from_numpy(hidden(causal(5))),
        "src_key_padding_mask": pads,
        "memory_key_padding_mask": pads,
    }
    with torch.no_grad():
        before = model(source, target, **inputs)
        source[0, 4:] += 1
        target[0, 4] += 1
        after = model(source, target, **inputs)
        del inputs["memory_key_padding_mask"]
        leaking = model(source, target, **inputs)
    assert torch.equal(before[0, :4], after[0, :4])
    assert not torch.allclose(before[0, 4], after[0, 4])
    assert not torch.allclose(after[0, :4], leaking[0, :4])


def test_shapes_of_teacher_forcing() -> None:
    """B = 2, source 10, target 8: src (2,10) -> memory (2,10,512); tgt_in (2,8) -> (2,8,512) -> logits (2,8,8000)."""
    torch.manual_seed(0)
    size, vocabulary = 512, 8000
    embed, head = torch.nn.Embedding(vocabulary, size), torch.nn.Linear(size, vocabulary)
    model = torch.nn.Transformer(size, 8, 1, 1, 2048, dropout=0.0, batch_first=True)
    source, target = torch.randint(vocabulary, (2, 10)), torch.randint(vocabulary, (2, 8))
    with torch.no_grad():
        memory = model.encoder(embed(source))
        outputs = model.decoder(embed(target), memory, tgt_mask=torch.from_numpy(hidden(causal(8))))
        logits = head(outputs)
    assert (memory.shape, outputs.shape, logits.shape) == ((2, 10, 512), (2, 8, 512), (2, 8, 8000))
