"""sft: the response is found by characters, in plain text and in conversations, and every trap is really built."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from explorer.objectives.base import Texts
from explorer.objectives.conversation import Reply, Turn, chatml, parse_turns, plain, templated
from explorer.objectives.sft import OBJECTIVE, Settings, build
from explorer.settings import parse_settings
from explorer.types import IGNORE, Example, InputProblem, Role
from tests.fakes import LetterTokenizer

LETTERS = LetterTokenizer()
GPT2 = "openai-community/gpt2"
CAPITAL = ("Q: What is the capital of France?\nA:", " Paris.")
TURNS = (Turn("user", "Hi"), Turn("assistant", "Ho"), Turn("user", "By"), Turn("assistant", "Ci"))
MESSAGES = json.dumps([{"role": turn.role, "content": turn.content} for turn in TURNS])


@dataclass(frozen=True)
class Chatty(LetterTokenizer):
    """Letters with a chat template: <s>role content</s>. marks: it tells the replies itself; alternates: it refuses
    a second message of the same role; fickle: what it writes for a turn depends on what follows."""

    chat_template: str | None = "own"
    header: bool = True
    marks: bool = False
    alternates: bool = False
    fickle: bool = False

    def render_chat(
        self, messages: Sequence[Mapping[str, str]], *, template: str | None = None, generation_prompt: bool = False
    ) -> str:
        roles = [message["role"] for message in messages]
        if self.alternates and any(a == b for a, b in pairwise(roles)):
            raise InputProblem("The chat template refuses: {words}.", {"words": "roles must alternate"})
        text = "".join(f"<s>{message['role']} {message['content']}</s>\n" for message in messages)
        text += "<s>assistant " if generation_prompt and self.header else ""
        return f"{len(messages)}{text}" if self.fickle else text

    def chat_spans(
        self, messages: Sequence[Mapping[str, str]], *, template: str | None = None
    ) -> tuple[tuple[int, int], ...]:
        spans, text = [], ""
        for message in messages:
            start = len(text) + len(f"<s>{message['role']} ")
            text += f"<s>{message['role']} {message['content']}</s>\n"
            if self.marks and message["role"] == "assistant":
                spans.append((start, len(text) - 1))
        return tuple(spans)


def example(prompt: str, response: str | None = None, tokenizer=LETTERS, **settings) -> Example:
    return build(Texts(prompt, target=response), tokenizer, Settings(**settings), np.random.default_rng(0))


def chat(messages: str, tokenizer=LETTERS, **settings) -> Example:
    return build(Texts(messages=messages), tokenizer, Settings(**settings), np.random.default_rng(0))


def said(made: Example) -> str:
    return " ".join(map(str, made.warnings))


def test_the_response_and_its_end_are_targets() -> None:
    made = example("a b", " c")
    assert made.decoder.ids.tolist() == [11, 12, 13, 4]
    assert made.labels.tolist() == [IGNORE, IGNORE, 13, 4]
    assert made.decoder.roles == (Role.PROMPT, Role.PROMPT, Role.RESPONSE, Role.SPECIAL)
    assert [(t.position, t.reads_id, t.predicts_id) for t in made.targets] == [(1, 12, 13), (2, 13, 4)]
    assert made.warnings == ()


def test_an_end_that_is_there_is_not_written_twice() -> None:
    assert example("a b", " c</s>").decoder.ids.tolist() == [11, 12, 13, 4]


def test_without_an_end_token_the_model_does_not_learn_to_stop() -> None:
    made = example("a b", " c", add_eos=False)
    assert made.labels.tolist() == [IGNORE, IGNORE, 13]
    assert said(made) == "No end token is supervised, so the model does not learn where to stop."


def test_pads_are_no_ends() -> None:
    made = example("a", " b", pad_to=5)
    assert made.decoder.ids.tolist() == [11, 12, 4, 0, 0]
    assert made.labels.tolist() == [IGNORE, 12, 4, IGNORE, IGNORE]


def test_masking_eos_by_id() -> None:
    made = example("a", " b", mask_eos=True)
    assert made.labels.tolist() == [IGNORE, 12, IGNORE]
    assert "never learns to stop" in said(made)


def test_shifted_twice() -> None:
    made = example("a b", " c d", shift_twice=True)
    assert [(t.position, t.predicts_id) for t in made.targets] == [(0, 13), (1, 14), (2, 4)]


def test_an_empty_response_is_told() -> None:
    made = example("a b")
    assert made.labels.tolist() == [IGNORE, IGNORE, 4]
    assert said(made) == "The response is empty."


def test_cutting_away_the_whole_response_is_told() -> None:
    made = example("a b c d", " e", max_length=3)
    assert made.n_targets == 0
    assert "The cut leaves nothing of reply 1." in said(made)
    assert "0 targets" in said(made)


def test_cutting_the_end_is_told() -> None:
    made = example("a b", " c d e", max_length=4)
    assert made.labels.tolist() == [IGNORE, IGNORE, 13, 14]
    assert "No end token is supervised" in said(made)


def test_a_straddling_token_stays_supervised_and_is_told() -> None:
    made = example("a <extra", "_id_0> b")
    assert made.labels.tolist() == [IGNORE, 99, 12, 4]
    assert "Token 1, <extra_id_0>, straddles the seam" in said(made)


def test_the_response_marker() -> None:
    made = example("a R: b R: c d", response_marker="R:")
    assert [t.predicts for t in made.targets] == ["c", "d", "</s>"]
    with pytest.raises(InputProblem, match="The response marker Answer: does not occur"):
        example("a R: b", response_marker="Answer:")


@pytest.mark.parametrize("texts", [Texts(""), Texts(" ", target="\n"), Texts("", messages=" ")])
def test_no_text_is_asked_for(texts: Texts) -> None:
    with pytest.raises(InputProblem, match="There is no text"):
        build(texts, LETTERS, Settings(), np.random.default_rng(0))


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ('[{"role": "user" "content"}]', "The messages are not valid JSON: line 1, column 18: "),
        ('[\n{"role"', "The messages are not valid JSON: line 2, column 8: "),
        ("[" * 100_000, "The messages are JSON that nobody can read"),
        ("1" * 5000, "The messages are JSON that nobody can read"),
        ('{"role": "user"}', "The messages must be a list such as"),
        ("[]", "The messages must be a list such as"),
        ('["hello"]', "Message 1 must be an object with role and content."),
        ('[{"role": "user"}]', "Message 1 must be an object with role and content."),
        ('[{"role": "bot", "content": "a"}]', "Message 1 has the role bot, but must have one of: system, user"),
        ('[{"role": ["user"], "content": "a"}]', "Message 1 has the role ['user'], but"),
        ('[{"role": "user", "content": 3}]', "The content of message 1 must be text in quotes."),
    ],
)
def test_bad_messages_are_named_in_words(messages: str, words: str) -> None:
    with pytest.raises(InputProblem) as problem:
        chat(messages)
    assert str(problem.value).startswith(words)


def test_plain_lines() -> None:
    found = plain(TURNS[:2], "</s>")
    assert found.text == "User: Hi\nAssistant: Ho</s>\n"
    assert found.replies == (Reply(19, 26, True),)
    assert found.text[19:26] == " Ho</s>"


def test_chatml_lines() -> None:
    found = chatml(TURNS[:2])
    assert found.text == "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHo<|im_end|>\n"
    assert [found.text[r.start : r.end] for r in found.replies] == ["Ho<|im_end|>"]


@pytest.mark.parametrize("header", [True, False])
def test_replies_are_found_turn_by_turn(header: bool) -> None:
    found = templated(TURNS, Chatty(header=header))
    assert [found.text[r.start : r.end] for r in found.replies] == ["Ho</s>", "Ci</s>"]
    assert all(reply.closed for reply in found.replies)
    assert "rendering turn by turn" in str(found.warnings[0])


def test_replies_that_the_template_marks_need_no_search() -> None:
    found = templated(TURNS, Chatty(marks=True))
    assert [found.text[r.start : r.end] for r in found.replies] == ["Ho</s>", "Ci</s>"]
    assert found.warnings == ()


def test_a_template_that_allows_neither_is_told() -> None:
    made = chat(MESSAGES, Chatty(fickle=True))
    assert made.n_targets == 0
    assert "nothing is supervised" in said(made)
    assert "0 targets" in said(made)


def test_a_refusing_template_is_quoted() -> None:
    twice = json.dumps([{"role": "user", "content": "a"}] * 2)
    with pytest.raises(InputProblem, match="roles must alternate"):
        chat(twice, Chatty(alternates=True))


def test_all_replies_or_the_last() -> None:
    messages = MESSAGES.replace("Hi", "a").replace("Ho", "b").replace("By", "c").replace("Ci", "d")
    both, last = (chat(messages, Chatty(marks=True), mode=mode) for mode in ("all", "last"))
    assert [t.predicts for t in both.targets] == ["b", "</s>", "d", "</s>"]
    assert [t.predicts for t in last.targets] == ["d", "</s>"]


def test_a_conversation_without_reply_is_told() -> None:
    made = chat('[{"role": "user", "content": "a"}]', Chatty())
    assert made.n_targets == 0
    assert "No message has the role assistant" in said(made)


def test_control_tokens_in_a_message_are_told() -> None:
    made = chat('[{"role": "user", "content": "a </s> b"}, {"role": "assistant", "content": "c"}]', Chatty(marks=True))
    assert said(made) == "The user's text spells out </s>, which is read as a control token."


def test_templates_for_a_model_without_one() -> None:
    automatic = chat(MESSAGES)
    assert "letters has no chat template, so the messages are plain lines" in said(automatic)
    with pytest.raises(InputProblem) as problem:
        chat(MESSAGES, template="model")
    assert str(problem.value) == "letters has no chat template. Choose the template chatml or plain."
    assert "does not know the marks of ChatML" in said(chat(MESSAGES, template="chatml"))
    assert parse_turns(MESSAGES) == TURNS


@pytest.mark.models
class TestGpt2:
    def test_capital(self, tokenizer) -> None:
        for response in (" Paris.", " Paris.<|endoftext|>"):
            made = example(CAPITAL[0], response, tokenizer(GPT2))
            assert len(made.decoder) == 15
            assert made.labels.tolist() == [IGNORE] * 12 + [6342, 13, 50256]
            assert [(t.position, t.predicts_id) for t in made.targets] == [(11, 6342), (12, 13), (13, 50256)]
            assert made.warnings == ()

    def test_the_seam_inside_a_token(self, tokenizer) -> None:
        made = example("Answer: ", "yes", tokenizer(GPT2))
        assert made.decoder.ids.tolist() == [33706, 25, 3763, 50256]
        assert made.labels.tolist() == [IGNORE, IGNORE, 3763, 50256]
        assert "Token 2, ·yes, straddles the seam" in said(made)

    def test_the_prompt_tokenized_alone_loses_the_answer(self, tokenizer) -> None:
        made = example("Answer: ", "yes", tokenizer(GPT2), prompt_alone=True)
        assert made.labels.tolist() == [IGNORE, IGNORE, IGNORE, 50256]
        assert "Response tokens without their label: 1;" in said(made)
        same = example(*CAPITAL, tokenizer(GPT2), prompt_alone=True)
        assert same.labels.tolist() == [IGNORE] * 12 + [6342, 13, 50256]
        assert "the same place" in said(same)

    def test_a_marker_is_found_by_characters(self, tokenizer) -> None:
        made = example("Is it?\n### Answer: yes", None, tokenizer(GPT2), response_marker="### Answer:")
        assert [t.predicts_id for t in made.targets] == [3763, 50256]

    def test_two_turns_in_plain_lines(self, tokenizer) -> None:
        messages = MESSAGES.replace("Ho", "Hello").replace("By", "Bye").replace("Ci", "Ciao")
        made = chat(messages, tokenizer(GPT2), template="plain")
        ids = [12982, 25, 15902, 198, 48902, 25, 18435, 50256, 198, 12982, 25, 47843, 198, 48902, 25, 327, 13481]
        assert made.decoder.ids.tolist() == [*ids, 50256, 198]
        assert np.flatnonzero(made.labels != IGNORE).tolist() == [6, 7, 15, 16, 17]

    def test_two_turns_in_chatml(self, tokenizer) -> None:
        messages = MESSAGES.replace("Ho", "Hello")
        made = chat(messages, tokenizer(GPT2), template="chatml")
        assert made.labels[28:36].tolist() == [15496, 27, 91, 320, 62, 437, 91, 29]
        assert (made.labels[:28] == IGNORE).all()
        assert made.labels[36] == IGNORE
        assert "No end token" not in said(made)

    def test_too_long_is_told_before_any_model_runs(self, tokenizer) -> None:
        made = example("word " * 1100, "a", tokenizer(GPT2))
        assert (len(made.decoder), made.n_targets) == (1024, 0)
        assert "1024" in said(made)

    def test_ready_examples_have_targets(self, tokenizer) -> None:
        for ready in OBJECTIVE.examples:
            settings = parse_settings(Settings, ready.settings)
            assert build(ready.texts, tokenizer(GPT2), settings, np.random.default_rng(0)).n_targets


CHATML = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
MARKED = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% if m['role'] == 'assistant' %}"
    "{% generation %}{{ m['content'] }}<|im_end|>{% endgeneration %}{% else %}{{ m['content'] }}<|im_end|>{% endif %}\n"
    "{% endfor %}"
)
STRICT = (
    "{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate') }}{% endif %}"
    "{{ m['content'] }}{% endfor %}"
)


@pytest.mark.models
class TestRealTemplates:
    """gpt2's vocabulary with ChatML's two marks as control tokens 50257 and 50258, and templates run by Jinja."""

    def made(self, folder, chat_template: str, messages: str = MESSAGES, **settings) -> Example:
        from transformers import AutoTokenizer

        from explorer.models.tokenizer import HubTokenizer

        loaded = AutoTokenizer.from_pretrained(folder / GPT2)
        loaded.add_special_tokens({"additional_special_tokens": ["<|im_start|>", "<|im_end|>"]})
        loaded.chat_template = chat_template
        return chat(messages, HubTokenizer(loaded, "gpt2 for chat"), **settings)

    @pytest.mark.parametrize("template", [CHATML, MARKED])
    def test_the_replies_and_their_ends_are_targets(self, models_folder, template: str) -> None:
        made = self.made(models_folder, template)
        replies = [(t.predicts_id, t.predicts) for t in made.targets]
        assert replies == [(28900, "Ho"), (50258, "<|im_end|>"), (34, "C"), (72, "i"), (50258, "<|im_end|>")]
        assert ("does not mark the replies" in said(made)) == (template is CHATML)
        assert "No end token" not in said(made)

    def test_the_written_chatml_is_the_same(self, models_folder) -> None:
        own, written = (self.made(models_folder, CHATML, template=name) for name in ("model", "chatml"))
        assert own.decoder.ids.tolist() == written.decoder.ids.tolist()
        assert own.labels.tolist() == written.labels.tolist()

    @pytest.mark.parametrize(
        ("roles", "words"),
        [(("system", "user"), "System role not supported"), (("user", "user"), "Roles must alternate")],
    )
    def test_a_template_refuses_in_its_own_words(self, models_folder, roles, words) -> None:
        messages = json.dumps([{"role": role, "content": "Hi"} for role in roles])
        with pytest.raises(InputProblem, match=words):
            self.made(models_folder, STRICT, messages)
