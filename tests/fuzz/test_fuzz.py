"""``make fuzz`` itself: it goes on until time is up, and keeps what it finds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

from tests.conftest import REPOSITORY
from tests.fuzz.damage import WAYS
from tests.fuzz.hunt import Hunt, Target, by_chance
from tests.support.processes import recipe


def test_it_tries_inputs_until_time_is_up(tmp_path: Path) -> None:
    command = recipe("fuzz", "HOURS=0.0004")
    assert command[1:] == ["-m", "tests.fuzz", "--hours", "0.0004"]
    told = subprocess.run(
        [sys.executable, *command[1:], "--processes", "1", "--build", str(tmp_path)],
        cwd=REPOSITORY, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert told.returncode == 0, told.stdout + told.stderr
    tried = re.match(
        r"([\d,]+) inputs in [\d.]+ reader-hours \([\d.]+ of processor time\): 0 distinct findings",
        told.stdout,
    )
    assert tried, told.stdout
    assert int(tried[1].replace(",", "")) > 0


def test_what_it_finds_is_kept_once(tmp_path: Path) -> None:
    def hold(data: bytes, _: Path) -> str:
        if b"8" in data:
            raise ValueError(f"{len(data)} bytes")
        return f"{len(data)} bytes"

    hunt = Hunt(tmp_path / "found", tmp_path)
    target = Target("a reader", [b"1 2\n"], WAYS, hold)
    chance = Random(1)  # noqa: S311 - no secret
    for _ in range(100):
        by_chance(hunt, target, chance)
    assert hunt.inputs == 100
    assert len(hunt.kept["a reader"]) > 10
    (mark,) = hunt.found
    assert b"8" in (tmp_path / "found" / mark / "input").read_bytes()
    told = (tmp_path / "found" / mark / "told.txt").read_text()
    assert told.startswith("a reader\n")
    assert "ValueError" in told
