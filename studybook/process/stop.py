"""Ctrl-C, noted while something goes on that must come to an end of its own."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Self

#: Signals that ask a process to end: Ctrl-C, a polite kill, a terminal that was closed.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """A request to stop, noted while this is entered.

    A signal only leaves a note: it cannot come between starting a tool and keeping its process id.
    Python handles signals in the main thread only; entered in another one, this notes nothing.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for each in SIGNALS:
                self._before[each] = signal.signal(each, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def _note(self, number: int, _: FrameType | None) -> None:
        self.signal = number

    @property
    def asked(self) -> bool:
        """Whether to stop."""
        return self.signal is not None

    @property
    def exit_code(self) -> int:
        """As shells have it: 130 after Ctrl-C."""
        return 128 + (self.signal or 0)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold signals back while this is entered; the last one is raised at its end."""
    with Stop() as stop:
        yield
    if stop.signal:
        signal.raise_signal(stop.signal)
