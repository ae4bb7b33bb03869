"""Tools as processes: each with all that it starts in a session of its own, so all can be ended."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

#: Tools that do not end by themselves when asked to are killed after so many seconds.
PATIENCE_S = 3.0
_LOOK_S = 0.05

#: All that a tool is told of the world: it prints the same everywhere, and times are UTC.
_ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "S_TIME_FORMAT": "ISO"}
_PASSED_ON = ("PATH", "HOME", "TMPDIR")


class Session:
    """A tool that runs.

    Parameters
    ----------
    argv : sequence of str
        The command.
    folder : pathlib.Path
        Where it runs.
    output, errors : file
        What it prints goes there.
    environment : mapping
        Variables beside those that every tool has.

    Raises
    ------
    OSError
        If it cannot be started.
    """

    def __init__(
        self,
        argv: Sequence[str],
        folder: Path,
        output: IO[bytes],
        errors: IO[bytes],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        self._process = subprocess.Popen(  # noqa: S603 - the commands of the kit
            argv,
            cwd=folder,
            env=passed_on | _ENVIRONMENT | dict(environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
        )

    @property
    def code(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.poll()

    def look(self, seconds: float) -> bool:
        """Wait so long at most; whether it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(min(seconds, _LOOK_S))
        return self.code is not None

    def send(self, number: signal.Signals) -> None:
        """Send a signal to all of the session."""
        for pid in self.members():
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def members(self) -> list[int]:
        """The processes of the session that are alive: tools may have made groups of their own."""
        return [pid for pid, session in _sessions() if session == self._process.pid]


def end(sessions: Sequence[Session], first: signal.Signals = signal.SIGTERM) -> None:
    """End tools and all that they started; ask by a signal, then kill what is left."""
    for session in sessions:
        session.send(first)
    until = time.monotonic() + PATIENCE_S
    for session in sessions:
        while session.members():
            if time.monotonic() > until:
                session.send(signal.SIGKILL)
            session.look(_LOOK_S)
            time.sleep(_LOOK_S / 5)
        session.look(_LOOK_S)  # so that its exit code is taken


def _sessions() -> Iterator[tuple[int, int]]:
    """Every process that is alive, and its session: fields 1 and 6 of proc_pid_stat(5)."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with suppress(OSError):
                # The name in brackets may hold anything; state, parent, group, session follow.
                fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if fields[0] not in "ZX":
                    yield int(folder.name), int(fields[3])
