"""The loss page: one position by hand, positions, batches, tokenizers, the joint loss, and a file validated."""

from __future__ import annotations

import time

import pytest
from streamlit.testing.v1 import AppTest

from explorer.models import runtime, tokenizer
from explorer.objectives import Texts, objective
from explorer.ui import validating
from explorer.ui.jobs import Job
from explorer.ui.validating import Loop, Validating
from explorer.validation import OBJECTIVES, PAIRED, pieces
from tests.app.conftest import Open, picture, words


def plain(app: AppTest) -> str:
    return words(app).replace("\\", "").replace("`", "")


def test_the_page_begins_with_the_position_of_the_lectures(open_anywhere: Open):
    app = open_anywhere("loss")
    assert not app.exception
    told = plain(app)
    assert all(number in told for number in ("0.6590", "0.2424", "0.0986", "1.5174", "0.4170"))
    assert "ln 3 = 1.0986" in told
    assert all(number in told for number in ("0.5200", "0.6627", "0.7953", "0.431481"))


def test_a_slider_moves_the_loss(open_anywhere: Open):
    app = open_anywhere("loss")
    app.slider(key="logit_0").set_value(0.1).run()
    assert "0.4170" not in plain(app).split("From one position")[0].replace("0.431481", "")
    assert not app.error


def test_an_ignored_label_is_said_and_is_no_zero(open_anywhere: Open):
    app = open_anywhere("loss", label="-100", labels="-100 -100 -100")
    assert plain(app).count("no supervised tokens") == 2
    assert '<td class="loss">–</td>' in words(app)
    assert '<td class="loss">0' not in words(app)


def test_chips_fill_the_fields(open_anywhere: Open):
    app = open_anywhere("loss")
    app.pills(key="example").set_value(4).run()
    assert app.session_state["count"] == 5
    assert "Every token gets at least 0.020 of the target" in plain(app)
    app.pills(key="example").set_value(3).run()
    assert "= 1.0986. An even guess" in plain(app)


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize("part", ["positions", "batches", "joint", "file"])
def test_every_part_opens(open_anywhere: Open, part: str, lang: str):
    app = open_anywhere("loss", lang, part=part)
    assert not app.exception
    assert not app.error


def test_one_token_of_loss_4_and_three_of_loss_1(open_anywhere: Open):
    app = open_anywhere("loss", part="batches")
    told = plain(app)
    assert "Over 4 targets the mean is 1.7500. The mean of means says 2.5000, which is wrong" in told
    assert "counts 3 times as much" in told
    assert words(app).count("25.0%") == 4
    app.text_input(key="losses").set_value("- | -").run()
    assert "No batch has a supervised token" in plain(app)
    app.text_input(key="losses").set_value("four").run()
    assert "four" in app.error[0].value


def test_gpts_joint_loss(open_anywhere: Open):
    app = open_anywhere("loss", part="joint")
    assert "L3 = L2 + 0.5 · L1 = 0.3567 + 0.5 · 3.8000 = 2.2567" in plain(app)


def test_a_text_across_tokenizers(tiny_models, open_anywhere: Open):
    app = open_anywhere("loss", part="tokenizers", text="abcd")
    assert not app.exception
    rows = words(app).split("<tr>")
    (gpt,) = [row for row in rows if "tiny/gpt2<" in row]
    assert "<td>3</td><td>1.00</td>" in gpt
    item = objective("causal_lm")
    made = item.build(Texts("abcd"), tokenizer("tiny/gpt2"), item.Settings(), None)
    bits = runtime().score(runtime().identify("tiny/gpt2"), made).losses.sum() / 0.6931471805599453 / 3
    assert f'<td class="loss">{bits:.2f}</td>' in gpt


def test_only_the_beginning_of_a_long_text_is_read(tiny_models, open_anywhere: Open):
    app = open_anywhere("loss", part="tokenizers", state={"text": "abcd " * 500})
    assert not app.exception
    assert "2500" in app.warning[0].value
    assert "2000" in app.warning[0].value


FILE = ("sample.txt", "\n\n".join(f"the cat saw {n} dogs" for n in range(6)).encode(), "text/plain")


def finish(app: AppTest) -> AppTest:
    """Runs the page again and again, as the browser does, until the loop is over."""
    deadline = time.monotonic() + 200
    while not app.session_state["validating"].job.done:
        assert time.monotonic() < deadline
        time.sleep(0.2)
        app.run()
    return app.run()


def test_a_file_is_validated_by_token(tiny_models, open_anywhere: Open):
    app = open_anywhere("loss", part="file", model="tiny/gpt2")
    app.file_uploader(key="validation_file").set_value(FILE).run()
    app.button(key="validate").click().run()
    finish(app)
    assert not app.exception
    last = app.session_state["validating"].tallies[-1]
    assert (last.scored, last.targets) == (6, 6 * 17)
    item, run = objective("causal_lm"), runtime()
    made = [item.build(Texts(f"the cat saw {n} dogs"), tokenizer("tiny/gpt2"), item.Settings(), None) for n in range(6)]
    losses = [run.score(run.identify("tiny/gpt2"), each).losses.sum() for each in made]
    assert last.mean == pytest.approx(sum(losses) / (6 * 17))
    assert f"<b>{last.mean:,.4f}</b>" in words(app)
    assert picture(app, "validation_lines").count("<polyline") == 2


def test_a_file_that_is_none_is_refused_in_words(tiny_models, open_anywhere: Open):
    app = open_anywhere("loss", part="file", model="tiny/gpt2")
    app.file_uploader(key="validation_file").set_value(("a.txt", b"\x00\x01\x02", "text/plain")).run()
    assert "is no text" in app.error[0].value
    assert app.button(key="validate").disabled


def test_a_model_without_weights_cannot_start(open_page: Open):
    app = open_page("loss", part="file", objective="span_corruption", model="google-t5/t5-small")
    assert "no weights on this machine" in app.info[0].value
    assert app.button(key="validate").disabled


MODELS = {
    "causal_lm": "tiny/llama",
    "prefix_lm": "tiny/gpt2",
    "sft": "tiny/gpt2",
    "masked_lm": "tiny/bert",
    "denoising": "tiny/bart",
    "span_corruption": "tiny/t5",
    "seq2seq": "tiny/marian",
}


@pytest.mark.parametrize("key", OBJECTIVES)
def test_every_family_has_a_loss(tiny_models, key: str):
    text = "a dog ran\tein hund lief\n" * 3 if key in PAIRED else "a dog ran to the big red ball\n" * 3
    loop = Validating(Loop(key, MODELS[key], pieces(text, 3, paired=key in PAIRED)))
    loop.job._future.result(200)
    assert loop.tallies[-1].done == 3
    assert loop.tallies[-1].mean > 0
    assert not loop.tallies[-1].skipped


def test_a_large_file_is_sampled_and_it_is_said(tiny_models, open_anywhere: Open):
    app = open_anywhere("loss", part="file", model="tiny/gpt2", pieces="10")
    lines = "\n".join(f"line {n}" for n in range(200_000)).encode()
    app.file_uploader(key="validation_file").set_value(("large.txt", lines, "text/plain")).run()
    app.button(key="validate").click().run()
    finish(app)
    assert app.session_state["validating"].tallies[-1].done == 10
    assert "Of 200000 pieces 10 are read, evenly spread over the file." in plain(app)


def test_loops_leave_the_workers_of_other_readers_alone(tiny_models):
    many = pieces("\n".join(f"line {n}" for n in range(400)), 400)
    loops = [Validating(Loop("causal_lm", "tiny/gpt2", many)) for _ in range(4)]
    assert Job(lambda tell: "done").within(30) == "done"
    assert sum(not loop.job.done for loop in loops) >= 2
    for loop in loops:
        loop.stop()
    assert sum(len(loop.tallies) for loop in loops if loop.job._future.result(60) is not None) < 1600


def test_it_stops_when_told_and_when_nobody_watches(tiny_models, monkeypatch: pytest.MonkeyPatch):
    many = pieces("\n".join(f"line {n}" for n in range(400)), 400)
    told = Validating(Loop("causal_lm", "tiny/gpt2", many))
    while not told.tallies:
        time.sleep(0.01)
    told.stop()
    told.job._future.result(30)
    assert 0 < len(told.tallies) < 400
    monkeypatch.setattr(validating, "UNWATCHED", 0.3)
    left = Validating(Loop("causal_lm", "tiny/gpt2", many))
    left.job._future.result(30)
    assert len(left.tallies) < 400
