"""The comments of code in the reader's language: found with their values, and nowhere in quotes."""

from __future__ import annotations

import pytest

from explorer.ui.words import say_in
from explorer.views.takeaway_notes import comments, worded

KOREAN = say_in("ko")


@pytest.mark.parametrize(
    ("line", "korean"),
    [
        ("# the loss of each target, in order", "# 맞힐 토큰마다의 손실, 차례대로"),
        ("a = b[3][0, 1]  # layer 3, head 1", "a = b[3][0, 1]  # 층 3, 헤드 1"),
        ("text = 'it\\'s # no dropout'  # no dropout", "text = 'it\\'s # no dropout'  # 드롭아웃(dropout) 없음"),
        ('text = "# no dropout"', 'text = "# no dropout"'),
        ("# bert: masked_lm, explorer/bert", "# bert: masked_lm, explorer/bert"),
        (
            "    '''The columns of each that are in no run common to both.'''",
            "    '''둘에 공통인 구간에 들지 않는 열을 저마다 모읍니다.'''",
        ),
    ],
)
def test_a_comment_is_said_in_korean(line: str, korean: str) -> None:
    assert worded(line, KOREAN) == korean
    assert worded(line, say_in("en")) == line


def test_the_comments_of_code() -> None:
    code = 'def f():\n    """What it is."""\n    return \'# none\'  # 1 = one\n'
    assert list(comments(code)) == ["What it is.", "1 = one"]
