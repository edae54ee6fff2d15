"""A matrix as a PNG of opacities, used as a CSS mask: the theme gives the colour, the picture the shape."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def opacity_png(levels: NDArray[np.uint8]) -> bytes:
    """A palette PNG of `levels` (Q,K), 0 clear to 255 solid; one byte a cell before compression.

    The palette's 256 colours are all black; entry n has opacity n (PNG specification, sections 11.2.2 and 11.3.1.1).
    """
    height, width = levels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    rows = np.pad(levels, ((0, 0), (1, 0)))  # each row starts with filter type 0
    chunks = [
        (b"IHDR", header),
        (b"PLTE", bytes(3 * 256)),
        (b"tRNS", bytes(range(256))),
        (b"IDAT", zlib.compress(rows.tobytes(), 6)),
        (b"IEND", b""),
    ]
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def data_url(png: bytes) -> str:
    """The picture as text for a style attribute."""
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"
