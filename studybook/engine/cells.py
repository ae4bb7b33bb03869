"""A Papermill engine that runs the cells of a notebook in the process that it is called in.

A kernel is a process of its own that is spoken to by sockets, and starts for longer than most
notebooks of a book work. Here IPython's shell runs in the process itself, which is a fork for one
notebook (:mod:`studybook.engine.execute`). What cells leave is what a kernel would have sent: nbval
runs the same notebooks in kernels, and compares.
"""

from __future__ import annotations

import builtins
import json
import math
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import TextIOBase
from types import FrameType
from typing import Any, BinaryIO

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from nbformat import NotebookNode
from nbformat.v4 import new_output
from papermill.engines import Engine, NotebookExecutionManager
from traitlets import Type
from traitlets.config import Config

from studybook.engine.bounds import Bounds

#: What every kernel has in its environment: programs that cells start are not at a terminal.
_ENVIRONMENT = {
    "TERM": "xterm-color", "CLICOLOR": "1", "FORCE_COLOR": "1", "CLICOLOR_FORCE": "1",
    "PAGER": "cat", "GIT_PAGER": "cat", "MPLBACKEND": "module://matplotlib_inline.backend_inline",
}  # fmt: skip


class Outputs:
    """The outputs of one notebook, kept in its cells as they come."""

    def __init__(self, most_bytes: float = math.inf) -> None:
        self._left, self._most = most_bytes, most_bytes
        self._cell: list[NotebookNode] = []
        self._shown: dict[str, list[NotebookNode]] = {}
        self._clear = False

    def into(self, cell: list[NotebookNode]) -> None:
        """Keep what comes from now on in the outputs of a cell."""
        self._cell, self._clear = cell, False

    def add(self, output: NotebookNode, name: str | None = None) -> None:
        """Add an output, under the name by which it may be changed later."""
        if not self._has_room(len(json.dumps(output, default=str))):
            return
        if self._clear:
            self.clear()
        self._cell.append(output)
        if name is not None:
            self._shown.setdefault(name, []).append(output)

    @property
    def room(self) -> int:
        """How many bytes to read of what is to be added: enough to tell that it is too much."""
        return int(max(self._left, 0)) + 1

    def _has_room(self, size: int) -> bool:
        """Whether there is room for more; where there no longer is, the notebook fails."""
        if 0 <= self._left < size:
            said = (
                f"the notebook shows more than {self._most / 2**20:g} MiB"
                "\n  → show less, or set output_mib under notebooks in _config.yml"
            )
            self._cell.append(
                new_output("error", ename="TooMuchOutput", evalue=said, traceback=[said])
            )
        self._left -= size
        return self._left >= 0

    def change(self, name: str, data: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
        """Change all outputs of a name, in whatever cell they are."""
        for each in self._shown.get(name, ()):
            each.update(data=data, metadata=metadata)

    def clear(self, wait: bool = False) -> None:
        """Take away the outputs of the cell; at once, or when the next one comes."""
        if not wait:
            self._cell.clear()
        self._clear = wait

    def write(self, stream: str, text: str) -> bool:
        """Add text to a stream, of which there is one of a name between two other outputs.

        Returns
        -------
        bool
            Whether there was room.
        """
        if not text or not self._has_room(len(text)):
            return not text
        if self._clear:
            self.clear()
        place = len(self._cell)
        while place and self._cell[place - 1].output_type == "stream":
            place -= 1
            if self._cell[place].name == stream:
                self._cell[place].text += text
                return True
        # A kernel sends what was printed before what was complained.
        place = place if stream == "stdout" else len(self._cell)
        self._cell.insert(place, new_output("stream", name=stream, text=text))
        return True


class _Stream(TextIOBase):
    """Standard output, or that of errors, of cells."""

    encoding = "UTF-8"

    def __init__(self, name: str, outputs: Outputs, number: int) -> None:
        self.name, self._outputs, self._number = name, outputs, number

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if not self._outputs.write(self.name, text):
            raise OSError("there is no room for more output")  # else it would print for ever
        return len(text)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._number


class _Hook(DisplayHook):
    """Keeps the value of the last line of a cell."""

    def write_output_prompt(self) -> None:
        """Write none: it is a number of the output."""

    def write_format_data(
        self, format_dict: Mapping[str, Any], md_dict: Mapping[str, Any] | None = None
    ) -> None:
        """Keep the value, in all the forms that it has."""
        if format_dict:
            ZMQInteractiveShell.instance().outputs.add(
                new_output(
                    "execute_result",
                    data=dict(format_dict),
                    metadata=dict(md_dict or {}),
                    execution_count=self.prompt_count,
                )
            )

    def finish_displayhook(self) -> None:
        """Write no end of a line."""
        self._is_active = False


class _Publisher(DisplayPublisher):
    """Keeps what cells display."""

    def publish(
        self,
        data: dict[str, Any],
        metadata: dict[str, Any] | None = None,
        *_: object,
        transient: dict[str, Any] | None = None,
        update: bool = False,
        **__: object,
    ) -> None:
        """Keep it, or change what was kept under its name."""
        name = (transient or {}).get("display_id")
        if update:
            ZMQInteractiveShell.instance().outputs.change(str(name), data, metadata or {})
        else:
            output = new_output("display_data", data=data, metadata=metadata or {})
            ZMQInteractiveShell.instance().outputs.add(output, name)

    def clear_output(self, wait: bool = False) -> None:
        """Clear the outputs of the cell."""
        ZMQInteractiveShell.instance().outputs.clear(wait)


class ZMQInteractiveShell(InteractiveShell):
    """IPython's shell, as kernels have it: it keeps what it shows, and asks nobody.

    Libraries tell a notebook from a terminal by the name of its class, and by its kernel.
    """

    kernel = None
    displayhook_class = Type(_Hook)
    display_pub_class = Type(_Publisher)

    def __init__(self, **rest: Any) -> None:
        self.outputs = Outputs()  # of nothing yet
        super().__init__(**rest)  # type: ignore[no-untyped-call]  # IPython has no types

    def init_environment(self) -> None:
        """Set what every kernel has in its environment."""
        os.environ.update(_ENVIRONMENT)

    def enable_gui(self, gui: Any = None) -> None:
        """Draw into the notebook: there are no windows."""

    def _showtraceback(self, etype: type, evalue: BaseException, stb: list[str]) -> None:
        self.outputs.add(
            new_output("error", ename=etype.__name__, evalue=str(evalue), traceback=stb)
        )


class Cells(Engine):  # type: ignore[misc]  # Papermill has no types
    """Runs the cells in this process, one after the other, up to the first that fails."""

    @classmethod
    def execute_managed_notebook(
        cls,
        nb_man: NotebookExecutionManager,
        kernel_name: str,
        bounds: Bounds | None = None,
        **_: object,
    ) -> None:
        """Run all cells; a process runs one notebook, and ends.

        Parameters
        ----------
        nb_man : papermill.engines.NotebookExecutionManager
            The notebook, and who notes how far it is.
        kernel_name : str
            Of a kernel for Python; there is none.
        bounds : Bounds, optional
            What it may use.
        """
        # Where kernels have nothing to remember, and nobody to ask.
        quiet = Config(HistoryManager={"enabled": False}, InteractiveShell={"history_length": 0})
        bounds = bounds or Bounds()
        shell = ZMQInteractiveShell.instance(config=quiet)
        shell.outputs = Outputs(bounds.output_mib * 2**20)
        builtins.input = _no_input
        with _streams(shell.outputs) as collect:
            for index, cell in enumerate(nb_man.nb.cells):
                if cell.cell_type != "code" or not cell.source.strip():
                    continue
                nb_man.cell_start(cell, index)
                shell.outputs.into(cell.outputs)
                cell.execution_count = shell.execution_count
                with _at_most(bounds.cell_timeout_s):
                    shell.run_cell(cell.source, store_history=True)  # type: ignore[no-untyped-call]
                collect()
                failed = any(each.output_type == "error" for each in cell.outputs)
                if failed:
                    nb_man.cell_exception(cell, index)
                nb_man.cell_complete(cell, index)
                if failed and "raises-exception" not in cell.metadata.get("tags", []):
                    break


def _no_input(prompt: object = "") -> str:
    raise EOFError("a notebook that runs by itself has nobody to ask\n  → make it a parameter")


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    """Interrupt what takes longer; nothing where that is 0."""

    def late(_: int, __: FrameType | None) -> None:
        raise TimeoutError(
            f"the cell ran for more than {seconds} s\n"
            "  → have it do less, or set cell_timeout_s under notebooks in _config.yml"
        )

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _streams(outputs: Outputs) -> Iterator[Callable[[], None]]:
    """Have what is printed kept: by cells, and by programs that they start.

    Yields
    ------
    callable
        Keeps what programs have printed since it was called last.
    """
    before = sys.stdout, sys.stderr
    files: dict[str, BinaryIO] = {}
    for number, name in ((1, "stdout"), (2, "stderr")):
        files[name] = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process prints
        os.dup2(files[name].fileno(), number)
    sys.stdout, sys.stderr = _Stream("stdout", outputs, 1), _Stream("stderr", outputs, 2)

    def collect() -> None:
        for name, file in files.items():
            file.seek(0)
            if text := file.read(outputs.room).decode(errors="replace"):
                outputs.write(name, text)
                file.seek(0)
                file.truncate()

    try:
        yield collect
    finally:
        sys.stdout, sys.stderr = before
