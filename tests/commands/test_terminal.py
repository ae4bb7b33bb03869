"""What raw files hold does not steer the terminal that it is shown on."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from studybook.commands._terminal import shown
from tests.conftest import REPOSITORY


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x1b[2J\x1b[31mred\x1b[0m", "\\x1b[2J\x1b[31mred\x1b[0m"),
        ("\x1b[8mhidden", "\\x1b[8mhidden"),
        ("a\x9b31m\u202egnp.exe", "a\\x9b31m\\u202egnp.exe"),
        ("\r  [####]  50%", "\r  [####]  50%"),
        ("name\rother", "name\\rother"),
        ("Zürich\t日本\n", "Zürich\t日本\n"),
    ],
)
def test_controls_are_written_out(text: str, wanted: str) -> None:
    assert shown(text) == wanted


def on_a_terminal(*arguments: str, folder: Path) -> str:
    """What a person sees of a command."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "studybook", *arguments], cwd=folder,
        stdin=theirs, stdout=theirs, stderr=theirs,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY), "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # all is read, and the other end closed
            break
        if not part:
            break
        said += part
    process.wait()
    os.close(ours)
    return said.decode()


def test_neither_lines_nor_names_steer_a_terminal(tmp_path: Path) -> None:
    lines = (REPOSITORY / "tests/data/sar/sar-12-more.txt").read_text(encoding="utf-8").splitlines()
    lines[2:2] = ["\x1b]0;another title\x07 \x1b[2J"]
    (tmp_path / "sar\x1b[2J.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "none\x1b[2J.txt").write_text("\x1b[2J nothing that anyone knows\n")
    said = on_a_terminal("inspect", "sar\x1b[2J.txt", "none\x1b[2J.txt", folder=tmp_path)
    assert "another title" in said
    assert "no known format" in said
    assert "\x1b[2J" not in said
    assert "\x1b]" not in said
    assert "\x1b[1m" in said, "our own letters may be bold"
