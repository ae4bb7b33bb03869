"""Kernels that start at once, as a plugin of pytest: for nbval, which starts one per notebook.

Each is a fork of a server that has imported what notebooks need: to do so takes longer than most of
them work. Its sockets are files: a port that is free when it is chosen may be taken before the
kernel does so, and where much else ran, kernels died of that. Else they are the kernels that
JupyterLab starts.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib.metadata import EntryPoint
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from studybook.engine.execute import DRAWING, LIBRARIES, be_new

_NAME = "studybook-fork"
_PROGRAM = "ipykernel_launcher"

#: What the server imports. Nobody asks which modules a kernel has used: it may have the library's.
_IMPORTED = (
    *LIBRARIES, *DRAWING, "ipykernel.zmqshell", "studybook.charts.look", "studybook.charts.marks",
    "studybook.claims.tables", "studybook.frames.cross_check",
)  # fmt: skip


class _Kernel:
    """A fork, with what Jupyter asks of a process that it has started."""

    stdin = stdout = stderr = None

    def __init__(self, arguments: list[str], folder: str, environment: dict[str, str]) -> None:
        context = get_context("forkserver")
        context.set_forkserver_preload([*_IMPORTED])
        given = (arguments, folder, environment)
        self._process = context.Process(target=_be_kernel, args=given)
        self._process.start()
        self.pid = self._process.pid or 0
        self.wait, self.kill = self._process.join, self._process.kill
        self.terminate = self._process.terminate

    def poll(self) -> int | None:
        """Return its exit code, once it has ended."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)


class Forks(LocalProvisioner):
    """Starts kernels as forks."""

    started: list[_Kernel] = []  # noqa: RUF012 - of all of them

    process: Any = None

    async def pre_launch(self, **given: Any) -> dict[str, Any]:
        """Choose by what it is spoken to.

        Parameters
        ----------
        **given
            By which it is to be started.
        """
        # A name of a socket has 107 letters at most: TMPDIR may be longer.
        self._sockets = TemporaryDirectory(prefix="studybook-kernel-", dir="/tmp")
        manager: Any = self.parent
        manager.transport, manager.ip = "ipc", str(Path(self._sockets.name) / "socket")
        manager.cache_ports = False
        return await super().pre_launch(**given)

    async def cleanup(self, restart: bool = False) -> None:
        """Take away what it was spoken to by.

        Parameters
        ----------
        restart : bool
            Whether it is to be started again.
        """
        await super().cleanup(restart)
        self._sockets.cleanup()

    async def launch_kernel(self, cmd: list[str], **rest: Any) -> Any:
        """Start one.

        Parameters
        ----------
        cmd : list of str
            By which it would be started as a program.
        **rest
            Its ``cwd`` and ``env``.
        """
        folder = str(rest.get("cwd") or Path.cwd())
        self.process = _Kernel(cmd[cmd.index(_PROGRAM) :], folder, rest["env"])
        self.pid = self.pgid = self.process.pid
        self.started.append(self.process)
        return self.connection_info


def _be_kernel(arguments: list[str], folder: str, environment: dict[str, str]) -> None:
    """Be a kernel, as if this process had been started for it."""
    from ipykernel import kernelapp

    gc.freeze()  # what is there now is not collected: forks go on sharing its memory
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment, JPY_PARENT_PID=str(os.getppid()))  # it ends with the server
    sys.argv[:] = arguments
    be_new()
    kernelapp.launch_new_instance()


def pytest_configure() -> None:
    """Have kernels started as forks, where that is safe."""
    if sys.platform == "linux":
        forks = EntryPoint(_NAME, f"{__name__}:{Forks.__name__}", "")
        KernelProvisionerFactory.provisioners[_NAME] = forks
        os.environ["JUPYTER_DEFAULT_PROVISIONER_NAME"] = _NAME


def pytest_unconfigure() -> None:
    """Leave no kernel running, whatever went wrong."""
    for each in Forks.started:
        each.kill()
