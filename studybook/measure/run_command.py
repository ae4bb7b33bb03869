"""Running one command of an experiment to its end, and what must run beside it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from studybook.measure.command import Command, Service
from studybook.measure.session import Session, end
from studybook.process.stop import Stop

#: A command may take so many times as long as it was thought to, and so many seconds more.
_TIMES_LONGER = 10
_SECONDS_LONGER = 30

#: A server that does not answer within so many seconds does not come.
_COMES_S = 60.0


class Failed(Exception):
    """A tool did not do what it was run for; the text says what it said."""


class NoResult(Failed):
    """A tool came to its end and printed no result."""


class Stopped(Exception):
    """Someone asked to stop while a tool ran."""


def run_command(
    command: Command, target: Path, folder: Path, stop: Stop, most_s: float
) -> tuple[float, float]:
    """Run a command, and write what it prints.

    Parameters
    ----------
    command : Command
        Which.
    target : pathlib.Path
        The raw export.
    folder : pathlib.Path
        Where it runs: that of the test files.
    stop : Stop
        Ends it before its time.
    most_s : float
        Seconds that are left.

    Returns
    -------
    tuple of float
        When it began and ended, in seconds since 1970.

    Raises
    ------
    NoResult
        If it came to its end and printed none.
    Failed
        If it could not be started, ended badly or took too long.
    Stopped
        If someone asked to stop.
    """
    if stop.asked:
        raise Stopped
    # What other commands left to be written is not to be written on this one's time.
    os.sync()
    limit = min(_TIMES_LONGER * command.seconds + _SECONDS_LONGER, max(most_s, 0))
    began = time.time()
    with ExitStack() as files:
        outputs = [files.enter_context(_temporary()) for _ in range(command.at_once)]
        errors = outputs[0] if command.errors_too else files.enter_context(_temporary())
        codes = _until_end(command, folder, outputs, errors, stop, limit)
        ended = time.time()
        if any(codes):
            raise Failed(f"exit code {next(filter(None, codes))}: {_last_line(errors, outputs[0])}")
        for output in outputs:
            output.seek(0)
            if not re.search(command.proof, output.read().decode(errors="replace"), re.MULTILINE):
                raise NoResult(f"no result: {_last_line(errors, output)}")
        with target.open("wb") as kept:
            for output in outputs:
                output.seek(0)
                shutil.copyfileobj(output, kept)
    return began, ended


def _temporary() -> IO[bytes]:
    return tempfile.TemporaryFile()


def _until_end(
    command: Command,
    folder: Path,
    outputs: list[IO[bytes]],
    errors: IO[bytes],
    stop: Stop,
    limit: float,
) -> list[int | None]:
    """Start the command, as often as it is to run at once; the exit codes when all have ended."""
    until = time.monotonic() + limit
    started: list[Session] = []
    try:
        for output in outputs:
            # Together on one file, what is printed keeps its order.
            own = output if command.errors_too else errors
            started.append(Session(command.argv, folder, output, own, command.environment))
        for session in started:
            while not session.look(until - time.monotonic()):
                if stop.asked:
                    raise Stopped
                if time.monotonic() > until:
                    raise Failed(
                        f"was stopped after {limit:.0f} s: {_TIMES_LONGER} times as long as"
                        f" thought and {_SECONDS_LONGER} s, or all that --max-seconds left"
                    )
        return [session.code for session in started]
    except OSError as error:
        raise Failed(f"could not be started: {error.strerror}") from error
    finally:
        end(started)


@contextmanager
def serving(service: Service | None, folder: Path, stop: Stop) -> Iterator[None]:
    """Keep a server running.

    Raises
    ------
    Failed
        If it does not come.
    """
    if service is None:
        yield
        return
    with tempfile.TemporaryFile() as errors:
        try:
            session = Session(service.argv, folder, errors, errors)
        except OSError as error:
            raise Failed(f"{service.text}: could not be started: {error.strerror}") from error
        try:
            until = time.monotonic() + _COMES_S
            while not _answers(service.port):
                if stop.asked:
                    raise Stopped
                if session.look(0.05) or time.monotonic() > until:
                    break
            # It is this one that answers, not another that took the port before.
            if session.look(0.05) or not _answers(service.port):
                raise Failed(f"{service.text}: does not answer: {_last_line(errors)}")
            yield
        finally:
            end([session])


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _last_line(*files: IO[bytes]) -> str:
    """The last line that says something, of the first file that has one."""
    for file in files:
        file.seek(0)
        lines = re.split(r"[\r\n]+", file.read().decode(errors="replace").strip())
        if lines[-1]:
            return lines[-1].strip()[:300]
    return "it printed nothing"
