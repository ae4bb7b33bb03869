"""Folders for a while: gone at the end, and after a kill when the next one is made."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from studybook.process import scratch as module
from studybook.process.scratch import PREFIX, scratch

HOLD = """
import sys, time
from pathlib import Path
from studybook.process.scratch import scratch
with scratch(Path(sys.argv[1])) as folder:
    (folder / "file").write_text("x")
    print(folder, flush=True)
    time.sleep(600)
"""


def aged(folder: Path) -> None:
    before = time.time() - 2 * module._YOUNG_S
    os.utime(folder, (before, before))


def test_it_is_gone_at_the_end(tmp_path: Path) -> None:
    with scratch(tmp_path) as folder:
        (folder / "file").write_text("x")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    foreign = tmp_path / f"{PREFIX}file"
    foreign.write_text("no folder")
    young = tmp_path / f"{PREFIX}young"
    young.mkdir()
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            left = Path(process.stdout.readline().strip())
            aged(left)
            with scratch(tmp_path):
                assert left.is_dir(), "it is in use"
        finally:
            process.kill()
    aged(left)
    with scratch(tmp_path) as folder:
        assert set(tmp_path.iterdir()) == {foreign, young, folder}
