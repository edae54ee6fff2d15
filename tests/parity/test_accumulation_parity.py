"""The code on the loss page is run: the right way gives the gradient of one batch, the wrong way another."""

import re
from contextlib import redirect_stdout
from io import StringIO

from explorer.accumulation import CODE


def test_the_code_on_the_page_tells_right_from_wrong() -> None:
    said = StringIO()
    with redirect_stdout(said):
        exec(CODE, {})
    found = dict(re.findall(r"(\w+): ([\d.e-]+)", said.getvalue()))
    assert float(found["right"]) < 1e-6
    assert float(found["wrong"]) > 0.01
