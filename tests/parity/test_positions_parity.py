"""The table of positions against that of transformers, which puts all sines first."""

import numpy as np
import torch
from transformers import MarianConfig, MarianMTModel

from explorer.position_maps import sinusoids


def test_marian_has_the_same_numbers_in_another_order() -> None:
    shape = {"encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2, "decoder_attention_heads": 2}
    config = MarianConfig(vocab_size=8, d_model=32, max_position_embeddings=40, pad_token_id=0, **shape)
    torch.manual_seed(0)
    theirs = MarianMTModel(config).get_encoder().embed_positions.weight.detach().numpy()
    ours = sinusoids(40, 32)
    np.testing.assert_allclose(theirs, np.concatenate([ours[:, 0::2], ours[:, 1::2]], axis=1), atol=1e-6)
