"""The text of a file as a stream: any place of it can be gone to, however it is written."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studybook.formats import encoding
from studybook.formats.encoding import Text

#: As files have it: line ends of three kinds, letters of one to three bytes, marks of the order.
PIECES = st.sampled_from(["12.5 ms", "é", "€", "\n", "\r\n", "\r", "\ufeff", "x" * 30])


def written(text: str, name: str) -> bytes:
    return text.encode(name, "replace")


@pytest.mark.parametrize("name", ["utf-8", "utf-16-be", "utf-16-le", "cp1252", "cp037"])
@given(pieces=st.lists(PIECES, max_size=40), places=st.lists(st.integers(0, 500), max_size=6))
def test_what_is_read_from_a_place_is_the_rest_of_the_text(
    name: str, pieces: list[str], places: list[int]
) -> None:
    data = written("".join(pieces), name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoding, "_FAR", 8)
        whole = Text(io.BytesIO(data), name).readall()
        assert whole is not None
        assert b"\r" not in whole
        assert "\ufeff" not in whole.decode()
        with io.BufferedReader(Text(io.BytesIO(data), name), 16) as stream:
            for place in places:
                stream.seek(place)
                size = place % 50
                assert stream.read(size) == whole[place : place + size]
                assert stream.read() == whole[place + size :]


def test_the_end_of_a_text_is_no_place_to_go_to() -> None:
    with pytest.raises(io.UnsupportedOperation):
        Text(io.BytesIO(b"1\n"), "utf-8").seek(0, io.SEEK_END)
