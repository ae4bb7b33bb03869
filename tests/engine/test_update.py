"""Bringing a data set up to date: what is there when it is stopped."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from studybook.__main__ import Stopped, _stop
from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.engine import execute, notebooks
from studybook.engine.update import update_database
from tests.support.project import bare_project


class Begun(Exception):
    """The notebooks are about to run."""


@contextmanager
def stopped_at(line: int) -> Iterator[None]:
    """Send a signal before a line of what runs here, wherever that stands; count them from 1."""
    lines = 0

    def look(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        if frame.f_code is execute.run_all.__code__:
            raise Begun
        # What a notebook is read with makes no folders, and has thousands of lines.
        if frame.f_code is notebooks.load_notebook.__code__:
            return None
        if event == "line":
            lines += 1
            if lines == line:
                signal.raise_signal(signal.SIGTERM)
        return look

    handler, traced = signal.signal(signal.SIGTERM, _stop), sys.gettrace()
    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(traced)
        signal.signal(signal.SIGTERM, handler)


def test_a_signal_at_any_line_before_the_work_leaves_no_folder(tmp_path: Path) -> None:
    data_set = DataSet("reference", bare_project(tmp_path, "flexible-scale").root)
    inventory = take_inventory(data_set)
    for line in count(1):
        try:
            with stopped_at(line):
                update_database(data_set, inventory, force=True)
        except Stopped:
            assert not list(data_set.build.glob("loading-*")), f"stopped at line {line}"
        except Begun:
            break
    assert line > 20
