"""Recordings of sar beside a run."""

from __future__ import annotations

import lzma
import signal
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from studybook.measure.command import command_text
from studybook.measure.run_file import KeptFile
from studybook.measure.session import Session, end

_FILE = "sar.txt.xz"


class Recording:
    """sar, running while this is entered; its report is compressed when it has ended.

    Parameters
    ----------
    argv : tuple of str
        The command; empty where there is no sar.
    folder : pathlib.Path
        The run's folder.
    scratch : pathlib.Path
        Where it runs.
    """

    def __init__(self, argv: tuple[str, ...], folder: Path, scratch: Path) -> None:
        self._argv = argv
        self._folder = folder
        self._scratch = scratch
        self._session: Session | None = None
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - closed on leaving
        self.faults: list[str] = []

    def __enter__(self) -> Self:
        if self._argv:
            try:
                self._session = Session(self._argv, self._scratch, self._output, self._output)
            except OSError as error:
                self.faults.append(f"No recording of sar: {error.strerror}.")
        else:
            self.faults.append("No recording of sar, which is not installed.")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._output:
            if self._session is None:
                return
            # On this signal it prints what it has, and the averages.
            end([self._session], signal.SIGINT)
            self._output.seek(0)
            report = self._output.read()
            # Without a full second there is a heading, and nothing under it.
            if report.startswith(b"Linux ") and b"Average:" in report:
                (self._folder / _FILE).write_bytes(lzma.compress(report, preset=9))
            else:
                said = report.decode(errors="replace").strip().splitlines()
                short = not said or said[-1].startswith("Linux ")
                why = "the run was over before its first second" if short else said[-1]
                self.faults.append(f"No recording of sar: {why}.")

    def files(self) -> list[KeptFile]:
        """The report, if there is one."""
        there = (self._folder / _FILE).is_file()
        return [KeptFile(_FILE, command_text(self._argv))] if there else []
