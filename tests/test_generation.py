"""Writing token by token: the same seed the same text, back and forth, ends, limits, and bytes that are no text yet."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer import generation
from explorer.models import runtime, tokenizer
from explorer.types import InputProblem, ModelId, SamplingSettings

GPT2, T5, BART = ModelId("tiny/gpt2"), ModelId("tiny/t5"), ModelId("tiny/bart")
DRAWN = SamplingSettings(temperature=1.5, top_k=40, seed=7)
GREEDY = SamplingSettings(greedy=True)


@pytest.fixture(autouse=True)
def _tiny(tiny_models: Path) -> None:
    """All tests here write with the tiny models."""


def say(session: generation.Session, *ids: int) -> generation.Session:
    """Makes the session choose these ids: their logits are raised above all others."""
    for id in ids:
        logits = np.where(np.arange(len(session.logits)) == id, 100.0, session.logits).astype(np.float32)
        session = generation.step(replace(session, logits=logits), GREEDY)
    return session


def test_the_same_seed_writes_the_same_text() -> None:
    first, second = (generation.steps(generation.start(GPT2, "The cat"), DRAWN, 12) for _ in range(2))
    assert first.generation.ids == second.generation.ids
    assert first.text == second.text
    other = generation.steps(generation.start(GPT2, "The cat"), replace(DRAWN, seed=8), 12)
    assert other.generation.ids != first.generation.ids


def test_undo_and_step_again_is_the_same_token() -> None:
    session = generation.steps(generation.start(GPT2, "The cat"), DRAWN, 5)
    back = generation.undo(generation.undo(session))
    assert back.generation.ids == session.generation.ids[:3]
    assert np.abs(back.logits - generation.steps(generation.start(GPT2, "The cat"), DRAWN, 3).logits).max() < 1e-4
    assert generation.steps(back, DRAWN, 2).generation.ids == session.generation.ids


def test_undo_goes_back_to_the_prompt_and_no_further() -> None:
    start = generation.start(GPT2, "The cat")
    session = start
    for _ in range(3):
        session = generation.step(session, DRAWN)
    for _ in range(5):
        session = generation.undo(session)
    assert session.generation == start.generation
    assert session.handle == start.handle


def test_a_step_that_was_interrupted_leaves_the_session_as_it_was() -> None:
    session = generation.steps(generation.start(GPT2, "The cat"), DRAWN, 2)
    lost = generation.step(session, DRAWN)
    again = generation.step(session, DRAWN)
    assert again.generation.ids == lost.generation.ids
    assert np.abs(again.logits - lost.logits).max() < 1e-4


def test_changed_settings_act_on_the_distribution_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    session = generation.start(GPT2, "The cat")
    for name in ("prefill", "advance", "rewind"):
        monkeypatch.setattr(runtime(), name, lambda *_, **__: pytest.fail("the model was asked"))
    one, few = (generation.look(session, SamplingSettings(top_k=k)) for k in (1, 5))
    assert (np.count_nonzero(one.final), np.count_nonzero(few.final)) == (1, 5)
    assert np.array_equal(one.model, few.model)
    shown = generation.candidates(session, SamplingSettings(top_k=5), top=10)
    assert [each.removed_by for each in shown] == [None] * 5 + ["top_k"] * 5


def test_a_step_keeps_what_it_was_chosen_from() -> None:
    session = generation.start(GPT2, "The cat")
    model = generation.look(session, DRAWN).model
    step = generation.step(session, DRAWN).generation.steps[0]
    assert step.p_model == pytest.approx(model[step.chosen])
    assert step.entropy == pytest.approx(-(model[model > 0] * np.log(model[model > 0])).sum())
    assert 0 <= step.draw < 1
    assert step.chosen in {each.id for each in step.candidates}
    assert len(step.candidates) >= generation.SHOWN
    assert step.milliseconds > 0


def test_writing_ends_with_the_end_token() -> None:
    session = say(generation.start(GPT2, "The cat"), 75, 2)
    assert session.generation.ids == (75, 2)
    assert str(session.generation.stopped) == "The model wrote its end token </s>."
    assert session.text == tokenizer("tiny/gpt2").decode([75])
    assert generation.step(session, DRAWN) is session
    back = generation.undo(session)
    assert back.generation.stopped is None
    assert back.generation.ids == (75,)
    assert generation.step(back, DRAWN).generation.ids[0] == 75


def test_a_full_context_is_told_before_the_model_fails() -> None:
    session = generation.start(GPT2, "a" * 510)
    session = say(session, 75, 76, 77)
    assert session.generation.ids == (75, 76)
    assert str(session.generation.stopped) == (
        "tiny/gpt2 reads at most 512 tokens, and they are used up. Undo some steps or shorten the prompt."
    )
    assert generation.undo(session).generation.stopped is None
    assert generation.start(GPT2, "a" * 512).generation.stopped is not None
    with pytest.raises(InputProblem, match="The text has 513 tokens, but tiny/gpt2 takes at most 512"):
        generation.start(GPT2, "a" * 513)


def test_an_empty_prompt_starts_from_a_start_token_and_says_so() -> None:
    session = generation.start(GPT2, "")
    assert session.generation.prompt_ids == (1,)
    assert [str(note) for note in session.generation.notes] == [
        "The prompt is empty, so the model starts from its token <s>."
    ]
    assert generation.start(GPT2, " ").generation.notes == ()
    assert len(generation.steps(session, DRAWN, 3).generation.ids) == 3


def test_half_a_character_is_held_back_until_it_is_whole() -> None:
    words = tokenizer("tiny/gpt2")
    session = say(generation.start(GPT2, "I ate "), *words.encode("🍕 ok").ids)
    assert [step.text for step in session.generation.steps] == ["", "", "", "🍕", " ", "o", "k"]
    assert session.text == "🍕 ok"
    assert session.generation.steps[0].piece == "⟨F0⟩"


def test_half_a_korean_letter_is_held_back_too() -> None:
    words = tokenizer("tiny/gpt2")
    ids = words.encode("안녕").ids
    session = say(generation.start(GPT2, "I ate "), *ids)
    assert [step.text for step in session.generation.steps] == ["", "", "안", "", "", "녕"]
    assert [step.piece for step in session.generation.steps][:3] == ["⟨EC⟩", "⟨95⟩", "⟨88⟩"]
    assert generation.undo(session).text == "안"
    assert generation.undo(session).pending == 2
    assert session.text == words.decode(list(ids)) == "안녕"


def test_an_encoder_decoder_reads_the_prompt_and_writes_from_its_start_token() -> None:
    session = generation.start(T5, "The cat")
    assert session.handle.ids == (0,)
    assert session.generation.prompt_ids == tuple(tokenizer("tiny/t5").encode("The cat").ids)
    assert [str(note) for note in session.generation.notes] == ["The decoder starts with <pad>, as its config says."]
    session = generation.steps(session, DRAWN, 4)
    assert generation.undo(session).generation.ids == session.generation.ids[:3]


def test_a_decoder_can_be_given_the_start_of_its_text() -> None:
    session = generation.start(BART, "The cat", target="<s>Die")
    assert session.handle.ids == (2, 1, *tokenizer("tiny/bart").encode("Die", add_special=False).ids)
    assert session.text == ""


def test_the_repetition_penalty_sees_the_prompt() -> None:
    session = generation.start(GPT2, "aaaa")
    seen = generation.look(session, SamplingSettings(repetition_penalty=2.0))
    plain = generation.look(session, SamplingSettings())
    changed = np.flatnonzero(seen.logits != plain.logits)
    assert changed.tolist() == [tokenizer("tiny/gpt2").id("a")]


def test_a_token_can_be_taken_by_hand() -> None:
    session = generation.start(GPT2, "The cat")
    model = generation.look(session, DRAWN).model
    taken = generation.take(session, DRAWN, 75)
    [step] = taken.generation.steps
    assert (step.chosen, step.draw, step.by_hand) == (75, None, True)
    assert (step.p_model, 75 in {each.id for each in step.candidates}) == (pytest.approx(model[75]), True)
    # The draw of the second step does not ask how the first token came.
    assert generation.step(taken, DRAWN).generation.steps[1].draw == np.random.default_rng([7, 1]).random()
    with pytest.raises(InputProblem, match="token is 999, but must lie between 0 and"):
        generation.take(session, DRAWN, 999)
    ended = generation.take(session, DRAWN, 2)
    assert str(ended.generation.stopped) == "The model wrote its end token </s>."
    assert generation.take(ended, DRAWN, 75) is ended


def test_a_text_can_be_appended() -> None:
    session = generation.append(generation.start(GPT2, "The"), DRAWN, " cat")
    assert session.text == " cat"
    assert all(step.by_hand for step in session.generation.steps)
    straight = generation.start(GPT2, "The cat")
    assert np.abs(session.logits - straight.logits).max() < 1e-4
    with pytest.raises(InputProblem, match="There is nothing to append"):
        generation.append(session, DRAWN, "")


def test_a_branch_begins_at_an_earlier_step_and_the_other_can_be_returned_to() -> None:
    first = generation.steps(generation.start(GPT2, "The cat"), DRAWN, 6)
    third = generation.turn(first, first.generation.steps[:3])
    branch = generation.steps(generation.take(third, DRAWN, 75), DRAWN, 2)
    assert branch.generation.ids[:4] == (*first.generation.ids[:3], 75)
    back = generation.turn(branch, first.generation.steps)
    assert back.generation == first.generation
    assert np.abs(back.logits - first.logits).max() < 1e-4
    assert generation.step(back, DRAWN).generation.ids == generation.step(first, DRAWN).generation.ids


def test_turning_reads_only_what_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    first = generation.steps(generation.start(GPT2, "The cat"), DRAWN, 6)
    module, read = runtime()._pool.get(GPT2).module, []
    hook = module.register_forward_pre_hook(
        lambda _m, _a, given: read.append(given["input_ids"].shape[1]), with_kwargs=True
    )
    generation.turn(first, first.generation.steps[:3])
    generation.turn(first, ())
    hook.remove()
    assert read == [1, 1]


def test_going_back_to_an_end_and_from_it() -> None:
    ended = say(generation.start(GPT2, "The cat"), 75, 2)
    back = generation.undo(ended)
    assert (back.generation.ids, back.generation.stopped) == ((75,), None)
    again = generation.turn(back, ended.generation.steps)
    assert again.ended
    assert again.generation.stopped == ended.generation.stopped


def test_where_positions_are_used_up_the_text_can_go_on_without_its_beginning() -> None:
    full = say(generation.start(GPT2, "a" * 510), 75, 76)
    assert (full.generation.stopped is not None, full.forgotten) == (True, 0)
    on = generation.forget(full)
    assert (on.generation.stopped, on.forgotten, len(on.handle)) == (None, 256, 256)
    assert on.handle.ids == full.whole[256:]
    fresh, _ = runtime().prefill(GPT2, full.whole[256:])
    assert np.abs(on.logits - runtime().rewind(fresh, 256)[1]).max() < 1e-4
    further = generation.steps(on, DRAWN, 2)
    assert len(further.generation.ids) == 4
    # A step taken back stays behind the part that is no longer read, and comes out the same.
    assert generation.step(generation.undo(further), DRAWN).generation.ids == further.generation.ids
    # As far back as it all fits, it is all read again, and full.
    assert generation.turn(further, full.generation.steps).generation.stopped is not None
    short = generation.start(GPT2, "abc")
    assert generation.forget(short) is short


def test_one_reader_waits_no_longer_than_one_step_of_another() -> None:
    writing, read = threading.Event(), []

    def write_on() -> None:
        session = generation.start(GPT2, "The cat")
        for _ in range(150):
            session = generation.step(session, GREEDY)
            read.append(session)
            writing.set()

    other = threading.Thread(target=write_on)
    other.start()
    writing.wait(60)
    mine = generation.steps(generation.start(GPT2, "A dog"), GREEDY, 3)
    assert len(read) < 150
    other.join()
    alone = generation.steps(generation.start(GPT2, "A dog"), GREEDY, 3)
    assert mine.generation.ids == alone.generation.ids


def test_readers_in_many_threads_write_what_each_writes_alone() -> None:
    prompts, meet = ("The cat", "The cat", "A dog", "abc"), threading.Barrier(4)

    def write(place: int) -> tuple[int, ...]:
        """Steps, two of them taken back and one token taken by hand, all beside the others."""
        session = generation.start(GPT2, prompts[place])
        meet.wait(60)
        for _ in range(8):
            session = generation.step(session, DRAWN)
        session = generation.take(generation.undo(generation.undo(session)), DRAWN, 70 + place)
        return generation.steps(session, DRAWN, 5).generation.ids

    with ThreadPoolExecutor(len(prompts)) as readers:
        beside = list(readers.map(write, range(len(prompts))))
    meet = threading.Barrier(1)
    assert beside == [write(place) for place in range(len(prompts))]
    # The same text and the same seed are the same tokens, up to the one that each took by hand.
    assert beside[0][:6] == beside[1][:6]
    assert beside[0][6] != beside[1][6]


def test_an_id_without_a_name_is_shown_as_unused() -> None:
    session = generation.start(GPT2, "The cat")
    beyond = tokenizer("tiny/gpt2").size
    wide = replace(session, logits=np.append(session.logits, 100.0).astype(np.float32))
    assert len(session.logits) == beyond
    assert generation.coming(wide, GREEDY).piece == f"<unused·{beyond}>"


@pytest.mark.usefixtures("no_caches")
def test_closing_frees_the_cache_and_writing_goes_on() -> None:
    session = generation.steps(generation.start(GPT2, "The cat"), DRAWN, 2)
    before = runtime().open_caches
    generation.close(session)
    assert runtime().open_caches == before - 1
    assert generation.step(session, DRAWN).generation.ids[:2] == session.generation.ids


def test_models_that_cannot_write_say_so() -> None:
    with pytest.raises(InputProblem, match="tiny/bert cannot write on"):
        generation.start(ModelId("tiny/bert"), "The cat")
    with pytest.raises(InputProblem, match="has no language-model head"):
        generation.start(ModelId("tiny/bert-body"), "The cat")
