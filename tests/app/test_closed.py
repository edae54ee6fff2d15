"""All that a host can switch off is off: no address and no field reaches a file or a model outside the list."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.proto.MultiSelect_pb2 import MultiSelect as MultiSelectProto
from streamlit.proto.Selectbox_pb2 import Selectbox as SelectboxProto
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest

from explorer.training.live.run import SERVER, State
from explorer.ui.frame import PAGES
from tests.app.conftest import Open, words
from tests.app.test_class import until

OFF = {"EXPLORER_UPLOADS": "0", "EXPLORER_OFFLINE": "1", "EXPLORER_TRAINING": "0", "EXPLORER_ANY_MODEL": "0"}
CACHED = "evil/model"
"""A model that lies in the Hub's cache of this machine and is in no list."""

NO_MODEL = {"home", "masks", "loss", "train", "exercises", "status"}
"""Pages on which no model can be named, as they open."""

seen: list[str] = []
listening: list[bool] = []


def note(event: str, details: tuple[object, ...]) -> None:
    if listening and event in {"open", "socket.connect", "socket.getaddrinfo"}:
        seen.append(f"{event} {details[0] if event != 'socket.connect' else details[1]}")


sys.addaudithook(note)


@contextmanager
def watched() -> Iterator[list[str]]:
    """The files that are opened and the addresses that are asked while the block lasts."""
    seen.clear()
    listening.append(True)
    try:
        yield seen
    finally:
        listening.clear()


@pytest.fixture
def planted(tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Real models that must not be read: beside the school's folder, and in the Hub's cache."""
    evil = tmp_path / "outside" / "evil"
    shutil.copytree(tiny_models / "tiny" / "gpt2", evil)
    cache = tmp_path / "hub" / "models--evil--model"
    shutil.copytree(evil, cache / "snapshots" / "1")
    (cache / "refs").mkdir()
    (cache / "refs" / "main").write_text("1", encoding="utf-8")
    mirror = tmp_path / "mirror"
    for family in ("gpt2", "bert", "bart", "t5"):
        shutil.copytree(tiny_models / "tiny" / family, mirror / "tiny" / family)
    monkeypatch.setenv("EXPLORER_MODELS", str(mirror))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path


def names(planted: Path) -> list[str]:
    """What somebody may try who wants another model."""
    return [
        CACHED,
        "../outside/evil",
        str(planted / "outside" / "evil"),
        "tiny/../../outside/evil",
        "../../etc",
        "/etc/passwd",
        "nobody/nothing",
        "https://example.org/model",
    ]


def strange(found: list[str], planted: Path) -> list[str]:
    """What was opened of all that must not be."""
    outside = (str(planted / "outside"), str(planted / "hub" / "models--evil--model"), "/etc/passwd")
    return [each for each in found if each.startswith("socket") or any(place in each for place in outside)]


def close_all(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in OFF.items():
        monkeypatch.setenv(name, value)


def send(app: AppTest, id: str, name: str) -> AppTest:
    """Hand a value in as a browser would that sends whatever it likes."""
    states = WidgetStates()
    state = states.widgets.add()
    state.id = id
    if id.endswith("-tokenizers"):
        state.string_array_value.data[:] = [name]
    else:
        state.string_value = name
    return app._run(states)


def test_where_it_is_allowed_such_a_model_is_read(planted: Path, open_anywhere: Open) -> None:
    with watched() as found:
        app = open_anywhere("tokens", tokenizers=CACHED, text="a cat")
    assert not app.error
    assert strange(found, planted)


@pytest.mark.parametrize("page", PAGES)
def test_no_address_reaches_another_model(planted: Path, open_anywhere: Open, monkeypatch, page: str) -> None:
    close_all(monkeypatch)
    for name in names(planted) if page == "bert" else names(planted)[:1]:
        with watched() as found:
            app = open_anywhere(page, model=name, model_b=name, tokenizers=name, view="pair")
        assert not app.exception
        assert strange(found, planted) == []
        assert not app.get("file_uploader")


@pytest.mark.parametrize("page", PAGES)
def test_no_field_reaches_another_model(planted: Path, open_anywhere: Open, monkeypatch, page: str) -> None:
    close_all(monkeypatch)
    app = open_anywhere(page, view="pair")
    app.session_state["raw_data"] = True
    app.run()
    assert not app.get("file_uploader")
    boxes = [box for kind in ("selectbox", "multiselect") for box in app.get(kind)]
    ids = [box.id for box in boxes if box.key in {"model", "model_b", "tokenizers"}]
    assert ids or page in NO_MODEL
    for id in ids:
        for name in (str(planted / "outside" / "evil"), CACHED):
            with watched() as found:
                send(app, id, name)
            assert not app.exception
            assert strange(found, planted) == []


FIELDS = (
    ("bert", "model"),
    ("generate", "model"),
    ("attention", "model"),
    ("tokens", "tokenizers"),
    ("compare", "model_b"),
)


def field(app: AppTest, key: str) -> SelectboxProto | MultiSelectProto:
    """A field for models, as it goes to the browser."""
    return next(box.proto for kind in ("selectbox", "multiselect") for box in app.get(kind) if box.key == key)


@pytest.mark.parametrize(("page", "key"), FIELDS)
def test_no_other_name_is_offered(planted: Path, open_anywhere: Open, monkeypatch, page: str, key: str) -> None:
    anything = field(open_anywhere(page, view="pair"), key)
    assert (anything.accept_new_options, anything.help) == (
        True,
        "Any other name on the Hugging Face Hub may be typed in.",
    )
    close_all(monkeypatch)
    listed = field(open_anywhere(page, view="pair"), key)
    assert (listed.accept_new_options, listed.help) == (
        False,
        "On this server only the models of this list may be chosen (EXPLORER_ANY_MODEL=0).",
    )
    assert CACHED not in listed.options


@pytest.mark.parametrize(("page", "key"), FIELDS)
def test_an_address_that_asks_for_another_model_is_told_so(
    planted: Path, open_anywhere: Open, monkeypatch, page: str, key: str
) -> None:
    close_all(monkeypatch)
    app = open_anywhere(page, **{"view": "pair", key: CACHED})
    assert not app.error
    [told] = [each.value for each in app.warning if "There is no model" in each.value]
    assert told.startswith("There is no model `evil/model` here; the models are: `openai-community/gpt2, ")
    assert told.endswith(" The address of this page asked for it; the page goes on without it.")


def test_an_address_may_ask_for_a_model_of_another_page(planted: Path, open_anywhere: Open, monkeypatch) -> None:
    close_all(monkeypatch)
    app = open_anywhere("bert", model="tiny/gpt2")
    assert app.selectbox(key="model").value == "tiny/gpt2"
    assert "tiny/gpt2" in app.selectbox(key="model").options
    assert "There is no model" not in words(app)


def test_a_press_on_the_button_that_is_off_starts_no_training(planted: Path, open_anywhere: Open, monkeypatch) -> None:
    close_all(monkeypatch)
    app = open_anywhere("train")
    assert app.button(key="start").disabled
    states = WidgetStates()
    press = states.widgets.add()
    press.id, press.trigger_value = app.button(key="start").id, True
    app._run(states)
    assert not app.exception
    assert app.session_state["live"].state is State.PAUSED
    assert SERVER.counts == (0, 0)


def test_the_same_press_starts_one_where_it_is_allowed(planted: Path, open_anywhere: Open) -> None:
    app = open_anywhere("train")
    run = app.button(key="start").click().run().session_state["live"]
    assert run.state in (State.WAITING, State.RUNNING)
    run.pause()
    until(lambda: SERVER.counts == (0, 0))


def test_no_head_is_trained_either(planted: Path, open_anywhere: Open, monkeypatch) -> None:
    close_all(monkeypatch)
    app = open_anywhere("fine_tuning", model="tiny/bert", own_head="true")
    app.session_state["raw_data"] = True
    app.run()
    assert not app.exception
    assert "held out: " not in words(app)
