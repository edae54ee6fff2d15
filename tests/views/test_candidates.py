"""Candidates, order of filters, draw and text so far, drawn from real filters on logits to check by hand."""

from __future__ import annotations

import re

import numpy as np
import pytest

from explorer.draw import choose
from explorer.sampling import apply, candidates
from explorer.types import Candidate, SamplingSettings, Step
from explorer.views.candidates import FILTERS, filter_name, stages_line, step_picture
from explorer.views.writing import SHOWN, draw_line, figures, written

PIECES = ("·fox", "·rabbit", "·boy", "·bird")
LOGITS = np.log([0.4, 0.3, 0.2, 0.1])


def plain(html: str) -> str:
    return re.sub(r"<[^>]+>", " ", html)


def step(settings: SamplingSettings) -> Step:
    sampled = apply(LOGITS, settings)
    chosen, draw = choose(sampled.final, settings.seed, 0)
    found = candidates(sampled, lambda ids: [PIECES[id] for id in ids])
    model, final = float(sampled.model[chosen]), float(sampled.final[chosen])
    return Step(chosen, PIECES[chosen], PIECES[chosen], sampled.entropy, model, final, draw, found)


def picture(settings: SamplingSettings, **how: object) -> str:
    return step_picture(step(settings).candidates, apply(LOGITS, settings), settings, str, **how)


def bars(cells) -> list[str]:
    """The length of the bar in each cell, with a cross where it was cut."""
    found = []
    for cell in cells:
        bar = [inside for inside in cell.inside if inside.get("style", "").startswith("--v")]
        gone = any("gone" in inside.get("class", "") for inside in cell.inside)
        found.append((bar[0]["style"][4:] if bar else "") + ("x" if gone else ""))
    return found


def test_candidates_through_top_p(read):
    page = read(picture(SamplingSettings(top_p=0.8), chosen=1))
    rows = [cells for _, cells in page.rows[1:]]
    assert [[cell.text for cell in cells if cell.text] for cells in rows] == [
        ["1", "·fox", "0.400", "0.444"],
        ["2", "·rabbit", "0.300", "0.333"],
        ["3", "·boy", "0.200", "0.222"],
        ["4", "·bird", "0.100", "0.000"],
    ]
    assert [kind for kind, _ in page.rows[1:]] == ["", "chosen", "", "cut"]
    # A full bar is the longest anywhere, .4444: the filter shows what it found, the last column what is left.
    assert bars(rows[0][2:]) == ["0.9000", "0.9000", "1.0000"]
    assert bars(rows[3][2:]) == ["0.2250", "0.2250x", "0.0000"]
    assert [tag for tag, _ in page.tags].count("s") == 1


def test_a_column_for_each_filter_in_the_order_applied(read):
    settings = SamplingSettings(temperature=0.5, top_k=3, top_p=0.8)
    page = read(picture(settings))
    assert [cell.text for cell in page.rows[0][1]] == [
        "rank", "token", "the model", "temperature 0.50", "top-k 3 3 left, 0.03 cut", "top-p 0.80 2 left, 0.14 cut",
        "drawn from",
    ]  # fmt: skip
    # p squared: .16 .09 .04 .01 of .30. What one filter has cut, the next does not find.
    assert bars(page.rows[4][1][2:]) == ["0.1562", "0.0521", "0.0521x", "", "0.0000"]


def test_the_line_of_a_filter_stands_where_a_bar_must_reach(read):
    lines = re.findall(r"--at:([\d.]+)", picture(SamplingSettings(min_p=0.5)))
    # The first three have .9 together: a full bar is .4444, and the line .2.
    assert lines == ["0.4500"] * 4
    assert len(re.findall("<u ", picture(SamplingSettings(typical_p=0.2)))) == 2 * 4
    assert "<u " not in picture(SamplingSettings(temperature=2.0))


def test_what_a_filter_removes_is_grey(read):
    assert re.findall(r"--cut:([\d.]+)%", picture(SamplingSettings(top_k=2))) == ["30.00"]


def test_chosen_is_shown_even_far_down(read):
    page = read(picture(SamplingSettings(), chosen=3, shown=2, clickable=True))
    assert [cells[0].text for _, cells in page.rows[1:]] == ["1", "2", "4"]
    assert page.rows[-1][1][1].inside[0]["data-click"] == "token:3"


@pytest.mark.parametrize("name", FILTERS)
def test_every_filter_has_a_name(name: str):
    assert filter_name(name, SamplingSettings(), str)


def test_every_stage_of_the_sampler_has_a_name():
    assert set(SamplingSettings().order) | {"model", "greedy"} == set(FILTERS)


def test_filter_name_carries_its_value():
    settings = SamplingSettings(temperature=0.8, top_k=8)
    assert filter_name("temperature", settings, str) == "temperature 0.80"
    assert filter_name("top_k", settings, str) == "top-k 8"
    assert filter_name("greedy", settings, str) == "greedy"


def test_order_applied():
    settings = SamplingSettings(temperature=0.5, top_k=3, top_p=0.8)
    told = plain(stages_line(apply(LOGITS, settings), settings, str)).split()
    # p squared: .16 .09 .04 .01 of .30; top-k cuts .0333, then .5517 and .3103 reach .8
    expected = "4 logits temperature 0.50 top-k 3 3 left, mass cut 0.03 top-p 0.80 2 left, mass cut 0.14 draw"
    assert " ".join(told) == expected
    greedy = SamplingSettings(greedy=True)
    assert plain(stages_line(apply(LOGITS, greedy), greedy, str)).split()[-4:] == ["take", "the", "most", "probable"]


def test_draw_is_laid_out_from_the_most_probable():
    settings = SamplingSettings(seed=7)
    one = step(settings)
    html = draw_line(one, str)
    assert re.findall(r"--p:([\d.]+)%", html) == ["40.000", "30.000", "20.000", "10.000"]
    assert f"u = {one.draw:.3f} → {one.piece}" in html
    marked = re.search(r'class="s(\d) chosen"', html)
    before = sum((0.4, 0.3, 0.2, 0.1)[: int(marked[1])])
    assert before <= one.draw < before + (0.4, 0.3, 0.2, 0.1)[one.chosen]


def test_draw_names_the_rest_that_is_not_listed():
    few = (Candidate(0, "a", 0.5, 0.5), Candidate(1, "b", 0.2, 0.2))
    html = draw_line(Step(0, "a", "a", 1.0, 0.5, 0.5, 0.1, few), str)
    assert re.findall(r'class="(\w+)[^"]*" style="--p:([\d.]+)%', html)[-1] == ("rest", "30.000")
    assert "all others" in html


def test_a_number_beyond_all_that_is_listed_falls_on_the_token_it_chose():
    few = (Candidate(0, "a", 0.5, 0.5), Candidate(9, "z", 0.02, 0.02, rank=12))
    html = draw_line(Step(9, "z", "z", 1.0, 0.02, 0.02, 0.9, few), str)
    laid = re.findall(r'class="([\w ]+)" style="--p:([\d.]+)%', html)
    assert laid == [("s0", "50.000"), ("rest", "40.000"), ("s1 chosen", "2.000"), ("rest", "8.000")]


def test_nothing_is_drawn_when_greedy():
    assert "Nothing is drawn: ·fox is taken." in draw_line(step(SamplingSettings(greedy=True)), str)


def test_text_so_far(read):
    steps = [Step(5, "·a", "·a", 1.5, 0.62, 0.7, 0.3, ()), Step(6, ".⏎", ".⏎", 1.5, 0.25, 0.3, 0.3, ())]
    html = written(["Once"], steps, str, clickable=True)
    assert plain(html).split() == ["Once", "·a", "0.62", ".⏎", "0.25", "next?"]
    assert re.findall(r"--v:([\d.]+)", html) == ["0.380", "0.750"]
    assert re.findall(r'data-click="([^"]+)"', html) == ["step:0", "step:1"]
    assert html.count('class="end"') == 1
    assert "next?" not in written(["Once"], steps, str, more=False)


def test_a_long_text_is_drawn_from_its_end():
    html = written([str(k) for k in range(SHOWN + 30)], [], str, more=False)
    assert plain(html).split()[:5] == ["30", "tokens", "before", "this", "30"]
    assert plain(html).split()[-1] == str(SHOWN + 29)


def test_what_the_encoder_read_stands_above_the_answer():
    html = written(["<s>"], [Step(5, "·Das", "Das", 1.5, 0.62, 0.7, 0.3, ())], str, source=["The", "·house"])
    assert plain(html).split() == ["The", "·house", "&lt;s&gt;", "·Das", "0.62", "next?"]
    assert html.index("·house") < html.index('class="end line"') < html.index("·Das")


def test_control_tokens_are_drawn_apart_from_words():
    apart = written(["<s>", "user"], [Step(2, "</s>", "", 1.5, 0.62, 0.7, 0.3, ())], str, controls={"<s>", "</s>"})
    assert '<li class="control" title="control token"><b>&lt;s&gt;</b></li><li><b>user</b></li>' in apart
    assert '<li class="told control"' in apart


def test_figures_of_the_steps():
    steps = [Step(5, "a", "a", 1.5, p, p, 0.3, (), milliseconds=43.4) for p in (0.5, 0.125)]
    # log .5 + log .125 = -2.77; perplexity = 16 to the power 1/2
    assert plain(figures(steps, str)).strip() == "step 2 · 43 ms · log p −2.8 · perplexity 4.0"
    impossible = figures([Step(5, "a", "a", 1.5, 0.0, 1.0, None, ())], str)
    assert "log p −inf · perplexity inf" in impossible
    assert "no step yet" in figures([], str)


def test_hostile_pieces_are_shown_literally(read, hostile):
    settings, pieces = SamplingSettings(), hostile.output.visible
    found = tuple(Candidate(k, piece, 1 / 7, 1 / 7) for k, piece in enumerate(pieces))
    steps = [Step(k, piece, piece, 1.0, 0.5, 0.5, 0.5, found) for k, piece in enumerate(pieces)]
    sampled = apply(np.zeros(len(pieces)), settings)
    parts = [
        step_picture(found, sampled, settings, str, clickable=True),
        draw_line(steps[0], str),
        written(pieces, steps, str),
    ]
    page = read("".join(parts))
    assert not {tag for tag, _ in page.tags} & {"img", "script"}
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
