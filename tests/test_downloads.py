"""What the Hub answers and what people are told of it, with a real server on this machine in its place."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

from explorer.models import hub
from explorer.models.places import Place
from explorer.models.sources import locate, tokenizer_folder, weights_folder
from explorer.types import InputProblem


class Answers(BaseHTTPRequestHandler):
    """owner/gated wants an account, owner/busy is overloaded, owner/pickled has no safetensors; anything under
    `files` is given out; the rest is unknown."""

    files: ClassVar[dict[str, dict[str, bytes]]] = {"owner/pickled": {"config.json": b"{}", "pytorch_model.bin": b"x"}}

    def do_GET(self) -> None:
        self.answer(body=True)

    def do_HEAD(self) -> None:
        self.answer(body=False)

    def answer(self, body: bool) -> None:
        parts = self.path.split("?")[0].strip("/").split("/")
        name = "/".join(parts[2:4] if parts[0] == "api" else parts[:2])
        status, headers, content = self.found(name, parts)
        self.send_response(status)
        for key, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(key, value)
        self.end_headers()
        if body:
            self.wfile.write(content)

    def found(self, name: str, parts: list[str]) -> tuple[int, dict[str, str], bytes]:
        if name == "owner/busy":
            return 429, {}, b"{}"
        if name == "owner/gated":
            return 403, {"X-Error-Code": "GatedRepo"}, b"{}"
        if name not in self.files:
            return 401, {"X-Error-Code": "RepoNotFound"}, b"{}"
        files, sha = self.files[name], "b" * 40
        if parts[0] == "api" and "tree" in parts:
            rows = [{"type": "file", "path": file, "size": len(data), "oid": "0"} for file, data in files.items()]
            return 200, {"Content-Type": "application/json"}, json.dumps(rows).encode()
        if parts[0] == "api":
            siblings = [{"rfilename": file, "size": len(data)} for file, data in files.items()]
            facts = {"id": name, "modelId": name, "sha": sha, "siblings": siblings, "tags": [], "private": False}
            return 200, {"Content-Type": "application/json"}, json.dumps(facts).encode()
        data = files[parts[-1]]
        return 200, {"ETag": f'"{len(data)}-{parts[-1]}"', "X-Repo-Commit": sha, "Accept-Ranges": "none"}, data

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def server(empty: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as running:
        Thread(target=running.serve_forever, daemon=True).start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{running.server_port}")
        monkeypatch.setenv("EXPLORER_OFFLINE", "0")
        monkeypatch.setenv("HF_HUB_OFFLINE", "0")
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
        monkeypatch.setitem(hub._silent_until, "time", 0.0)
        yield running.server_address[0]
        running.shutdown()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("owner/nothing", "The Hub has no open model owner/nothing"),
        ("owner/gated", "owner/gated is given out only to people who asked"),
        ("owner/busy", r"The Hub refused to give owner/busy \(status 429\)"),
        ("owner/pickled", "owner/pickled has no weights in the safetensors format"),
    ],
)
def test_what_the_hub_refuses_is_told(name: str, words: str, server: str) -> None:
    with pytest.raises(InputProblem, match=words):
        weights_folder(name)


def test_a_model_is_fetched_and_then_lies_in_the_cache(
    tiny_folder: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = tiny_folder / "tiny" / "gpt2"
    files = {file.name: file.read_bytes() for file in tiny.iterdir()} | {"code.py": b"raise SystemExit"}
    monkeypatch.setitem(Answers.files, "owner/fetched", files)
    told = []
    folder = weights_folder("owner/fetched", lambda message, share: told.append(str(message)))
    assert locate("owner/fetched").weights == Place("cache", folder)
    assert (folder / "model.safetensors").read_bytes() == files["model.safetensors"]
    assert not (folder / "code.py").exists()
    assert set(told) <= {"Downloading owner/fetched"}
    monkeypatch.setenv("EXPLORER_OFFLINE", "1")
    assert tokenizer_folder("owner/fetched") == folder


def test_a_hub_out_of_reach_is_told_and_then_left_alone(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(InputProblem, match="owner/x is not on this machine, and the Hub cannot be reached"):
        tokenizer_folder("owner/x")
    begun = time.monotonic()
    with pytest.raises(InputProblem, match="cannot be reached"):
        tokenizer_folder("owner/y")
    assert time.monotonic() - begun < 0.5
