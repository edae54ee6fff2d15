"""Training live without a thread: what is drawn, what mistakes do to it, what is written, how well it is learned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from explorer.collation import collate, row_of
from explorer.influence import outside
from explorer.learning import NONE, Dials
from explorer.models.influence import influence
from explorer.training.live.examples import Examples
from explorer.training.live.learner import Learner
from explorer.training.live.mistakes import MISTAKES, with_pads
from explorer.training.live.sources import Numbers, Reversal, english, korean
from explorer.training.live.tasks import TASKS, LiveTask
from explorer.training.live.writing import write
from explorer.types import IGNORE, InputProblem

SMALL = {"n_embd": 32, "n_layer": 1, "n_head": 2, "n_inner": 64, "n_positions": 32}
POEM = "the cat sat\non the mat\nthe dog ran\nto the tree\na bird sang\nabout me"


def turned(low: int, high: int) -> LiveTask:
    """Words of few letters from behind, by a model that learns them in seconds."""
    return replace(TASKS["reversal"], shape=SMALL, source=lambda text: Reversal(lengths=(low, high)), rate=1e-2)


def learned(task: LiveTask, steps: int, mistake: str = NONE, text: str = "") -> Learner:
    torch.set_num_threads(1)
    learner, dials = Learner(task, text), Dials(task.rate, task.hidden, mistake)
    for _ in range(steps):
        learner.step(dials)
    learner.look(dials)
    return learner


@pytest.fixture(scope="module")
def examples() -> Examples:
    return Examples(turned(3, 3), "", 0)


class TestTexts:
    @pytest.mark.parametrize(
        ("number", "words", "said"),
        [
            (1, "one", "일"),
            (10, "ten", "십"),
            (19, "nineteen", "십구"),
            (40, "forty", "사십"),
            (100, "one hundred", "백"),
            (1000, "one thousand", "천"),
            (2001, "two thousand one", "이천일"),
            (9999, "nine thousand nine hundred ninety nine", "구천구백구십구"),
        ],
    )
    def test_a_number_in_words(self, number: int, words: str, said: str) -> None:
        assert (english(number), korean(number)) == (words, said)

    @pytest.mark.parametrize("source", [Numbers(), Reversal()])
    def test_what_is_measured_was_never_trained_on(self, source) -> None:
        rng = np.random.default_rng(0)
        trained, kept = ({source.draw(rng, held).texts.text for _ in range(100)} for held in (False, True))
        assert len(kept) > 5
        assert not trained & kept

    def test_no_word_of_a_task_is_unknown(self) -> None:
        for task in TASKS.values():
            examples = Examples(task, task.text, 0)
            unknown = examples.words.special.unk
            assert all(unknown not in example.labels for example in examples.held_out)

    def test_a_short_text_is_refused_with_its_length(self) -> None:
        with pytest.raises(InputProblem, match="14 characters, but at least 384"):
            Examples(TASKS["tale"], "I ate an apple", 0)
        with pytest.raises(InputProblem, match="1 lines, but at least 4"):
            Examples(TASKS["poem"], "I ate an apple", 0)

    def test_more_words_are_hidden_from_the_next_batch_on(self) -> None:
        examples = Examples(TASKS["poem"], TASKS["poem"].text, 0)
        few, many = (examples.batch(Dials(0.001, hidden)).targets for hidden in (0.15, 0.6))
        assert many > 2.5 * few


class TestMistakes:
    """On `abc=` and its answer: a b c = c b a </s>."""

    def changed(self, examples: Examples, mistake: str):
        return examples.mistaken(examples.probe, Dials(0.001, None, mistake))

    def test_without_one_the_response_is_learned_and_nothing_else(self, examples: Examples) -> None:
        example = self.changed(examples, NONE)
        a, b, c, _, *answer = example.output.ids.tolist()
        assert example.compared.tolist() == [IGNORE, IGNORE, IGNORE, c, b, a, 0, IGNORE]
        assert answer == [c, b, a, 0]

    def test_the_mask_is_open(self, examples: Examples) -> None:
        assert self.changed(examples, "causal_mask_off").masks.decoder.all()

    def test_labels_shifted_twice_skip_a_token(self, examples: Examples) -> None:
        example = self.changed(examples, "double_shift")
        a, b, c = example.output.ids[:3].tolist()
        assert example.compared.tolist() == [IGNORE, IGNORE, c, b, a, 0, IGNORE, IGNORE]

    def test_the_end_is_not_learned(self, examples: Examples) -> None:
        example = self.changed(examples, "end_masked")
        assert example.n_targets == 3
        assert 0 not in example.compared

    def test_the_next_sentence_label_is_the_other_one(self) -> None:
        examples = Examples(replace(TASKS["poem"], hidden=0.3), POEM, 0)
        wrong = self.changed(examples, "next_sentence_flipped").extra["next_sentence_label"]
        assert wrong == 1 - examples.probe.extra["next_sentence_label"]

    def test_pads_get_labels_behind_the_last_target_only(self, examples: Examples) -> None:
        short, long = (row_of(Examples(turned(n, n), "", 0).probe) for n in (2, 4))
        batch = collate([short, long], examples.words)
        found = with_pads(batch, 0).compared
        assert (found[1] == batch.compared[1])[:-1].all()
        assert found[0].tolist() == [*batch.compared[0, :5].tolist(), 0, 0, 0, 0, 0]

    @pytest.mark.parametrize("key", TASKS)
    def test_each_task_has_mistakes_that_leave_it_targets(self, key: str) -> None:
        task = TASKS[key]
        examples = Examples(task, task.text, 0)
        for mistake in task.mistakes:
            assert mistake in MISTAKES
            assert examples.batch(Dials(task.rate, task.hidden, mistake)).targets > 0


class TestLearning:
    def test_the_loss_falls_and_what_was_seen_before_stays(self) -> None:
        task = turned(3, 3)
        learner, dials = Learner(task), Dials(task.rate)
        learner.look(dials)
        learner.step(dials)
        first = learner.snapshot()
        for _ in range(20):
            learner.step(dials)
        learner.look(dials)
        last = learner.snapshot()
        assert (first.step, len(first.training), len(first.held_out)) == (1, 1, 1)
        assert last.step == 21
        assert last.look.held_out < first.look.held_out - 0.1
        with pytest.raises(ValueError, match="read-only"):
            first.training.losses[0] = 0.0
        with pytest.raises(ValueError, match="read-only"):
            last.look.attention["decoder"].weights[0] = 0.0

    def test_a_fresh_model_is_near_an_even_guess(self) -> None:
        learner = learned(TASKS["numbers"], 0)
        assert abs(learner.snapshot().look.held_out - np.log(learner.examples.words.size)) < 0.5

    def test_the_same_seed_learns_the_same(self) -> None:
        one, two = (learned(turned(3, 3), 3).snapshot() for _ in range(2))
        assert one.training.losses.tolist() == two.training.losses.tolist()

    @pytest.mark.parametrize("key", ["numbers", "reversal"])
    def test_what_is_written_is_what_generate_writes(self, key: str) -> None:
        learner = learned(TASKS[key], 0)
        module, example = learner.loaded.module, learner.examples.held_out[0]
        end = learner.examples.end
        if example.encoder is None:
            prompt = example.output.ids[:4].tolist()
            ours = write(module, [prompt], end, 6)[0]
            theirs = module.generate(torch.tensor([prompt]), max_new_tokens=6, do_sample=False, pad_token_id=0)
            assert [*prompt, *ours] == theirs[0].tolist()
            return
        source = example.encoder.ids.tolist()
        ours = write(module, [[0]], end, 6, [source])[0]
        module.generation_config.forced_eos_token_id = None
        theirs = module.generate(torch.tensor([source]), max_new_tokens=6, do_sample=False, num_beams=1)
        assert [0, *ours] == theirs[0].tolist()

    def test_texts_of_many_lengths_are_written_as_one_by_one(self) -> None:
        module = learned(turned(2, 5), 5).loaded.module
        prompts = [[2, 3, 1], [4, 5, 6, 7, 1], [8, 1]]
        assert write(module, prompts, 0, 5) == [write(module, [prompt], 0, 5)[0] for prompt in prompts]


class TestSymptoms:
    """Each mistake in a shortened form; the numbers are far from the bounds."""

    def test_without_a_mistake_it_is_learned(self) -> None:
        look = learned(turned(3, 3), 150).snapshot().look
        assert look.score > 0.8
        assert look.ended == 1.0

    def test_with_the_mask_off_the_loss_falls_and_nothing_can_be_written(self) -> None:
        seen = learned(turned(2, 6), 150, "causal_mask_off").snapshot()
        assert seen.training.last < 0.1
        assert seen.look.held_out > seen.training.last + 1
        assert seen.look.score < 0.2

    def test_the_future_leaks_where_the_mask_is_off_and_nowhere_else(self) -> None:
        for mistake, leaks in ((NONE, False), ("causal_mask_off", True)):
            learner = learned(turned(3, 3), 20, mistake)
            example = learner.examples.mistaken(learner.examples.probe, Dials(0.001, None, mistake))
            found = influence(learner.loaded, example, "decoder")
            closed, beyond, _ = outside(found, learner.examples.probe.masks)
            assert closed == 28
            assert (beyond > 0) is leaks

    def test_with_two_shifts_the_loss_falls_and_tokens_are_left_out(self) -> None:
        seen = learned(turned(3, 3), 150, "double_shift").snapshot()
        assert seen.training.last < 0.5
        assert seen.look.score == 0.0

    def test_with_pads_the_loss_looks_better_than_it_is(self) -> None:
        seen = learned(turned(2, 6), 40, "pads_in_loss").snapshot()
        assert seen.training.last < 0.8 * seen.look.held_out

    def test_without_the_end_nothing_ends(self) -> None:
        look = learned(turned(3, 3), 150, "end_masked").snapshot().look
        assert look.ended == 0.0
        assert look.score == 0.0
        assert sum(sample.written.startswith(sample.wanted) for sample in look.samples) >= 2

    def test_with_labels_flipped_the_head_says_the_opposite(self) -> None:
        task = replace(TASKS["poem"], rate=3e-3)
        right, wrong = (
            learned(task, 120, mistake, POEM).snapshot().look for mistake in (NONE, "next_sentence_flipped")
        )
        assert right.follows > 0.75
        assert wrong.follows < 0.25


@pytest.mark.slow
@pytest.mark.parametrize("key", TASKS)
def test_a_minute_is_enough(key: str) -> None:
    """60 seconds of one core, whatever else the machine does."""
    torch.set_num_threads(1)
    task = TASKS[key]
    learner, dials = Learner(task, task.text), Dials(task.rate, task.hidden)
    while learner.seconds < 58 and learner.snapshot().reached is None:
        for _ in range(50):
            learner.step(dials)
        learner.look(dials)
    seen = learner.snapshot()
    assert seen.look.score >= task.goal, f"{seen.look.score:.2f} after {seen.seconds:.0f} s and {seen.step} steps"
    assert seen.seconds <= 60


@pytest.mark.slow
def test_cross_attention_becomes_an_alignment() -> None:
    """Each part of the Korean number looks at the English word that says it: three ten looks at thirty twice."""
    learner = learned(TASKS["numbers"], 400)
    weights = learner.snapshot().look.attention["cross"]
    probe = learner.examples.probe
    assert probe.label_visible == ("칠", "천", "사", "백", "삼", "십", "이", "</s>")
    assert weights.keys == ("seven", "thousand", "four", "hundred", "thirty", "two", "</s>")
    looked_at = weights.weights[0, 0].argmax(axis=1)
    assert (looked_at == [0, 1, 2, 3, 4, 4, 5, 6]).mean() >= 0.7
