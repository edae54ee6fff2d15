"""Jobs kept as long as their results fit together."""

from __future__ import annotations

import threading

import pytest

from explorer.types import InputProblem
from explorer.ui.kept import MOST, KeptJobs


@pytest.fixture
def kept() -> KeptJobs[bytes]:
    return KeptJobs(100, len)


def result(kept: KeptJobs[bytes], key: str, size: int, began: list[str]) -> bytes:
    job = kept.get(key, lambda tell: began.append(key) or bytes(size))
    job._future.result(timeout=10)
    return job.result


def test_the_same_question_is_answered_once(kept: KeptJobs[bytes]):
    began: list[str] = []
    assert result(kept, "a", 10, began) is result(kept, "a", 10, began)
    assert began == ["a"]


def test_what_was_used_longest_ago_goes_when_the_room_is_full(kept: KeptJobs[bytes]):
    began: list[str] = []
    for key in ("a", "b", "a", "c"):
        result(kept, key, 40, began)
    assert began == ["a", "b", "c"]
    assert len(kept) == 2
    for key in ("a", "c", "b"):
        result(kept, key, 40, began)
    assert began == ["a", "b", "c", "b"]


def test_one_result_may_be_larger_than_the_room(kept: KeptJobs[bytes]):
    began: list[str] = []
    assert len(result(kept, "large", 500, began)) == 500
    assert len(kept) == 1
    result(kept, "small", 1, began)
    assert len(kept) == 1


def test_empty_results_are_not_kept_without_end(kept: KeptJobs[bytes]):
    began: list[str] = []
    for number in range(MOST + 5):
        result(kept, str(number), 0, began)
    assert len(kept) == MOST


def test_a_failure_is_kept_as_words_and_may_be_tried_again(kept: KeptJobs[bytes]):
    tries = iter([InputProblem("There is no {what}.", {"what": "text"}), None])

    def work(tell: object) -> bytes:
        problem = next(tries)
        if problem is not None:
            raise problem
        return b"there"

    job = kept.get("a", work)
    with pytest.raises(InputProblem):
        job._future.result(timeout=10)
    assert str(job.problem) == "There is no text."
    job.start()
    assert job._future.result(timeout=10) == b"there"
    assert kept.get("a", work) is job


def test_readers_who_ask_at_once_share_one_job(kept: KeptJobs[bytes]):
    began: list[str] = []
    together = threading.Barrier(8)

    def ask() -> None:
        together.wait(timeout=10)
        result(kept, "a", 10, began)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)
    assert began == ["a"]
