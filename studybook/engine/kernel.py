"""The kernels that notebooks run in: how Jupyter talks to them, and how they are started.

A kernel takes longer to import its libraries than most notebooks take for their work. Where many
are started one after the other, each is therefore a fork of a process that has done so already
(:mod:`studybook.engine.warm`). Jupyter finds that way by the entry point ``studybook-warm``, where
``JUPYTER_DEFAULT_PROVISIONER_NAME`` asks for it.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from traitlets import Enum, default

_WARM = Path(__file__).with_name("warm.py")


class LocalKernelManager(AsyncKernelManager):
    """Talks to its kernel by sockets in a folder of the task's own.

    Network ports are chosen and then opened: two kernels that start at once can choose the
    same one, and one of them never answers.
    """

    transport = Enum(["ipc"], default_value="ipc")

    @default("ip")
    def _socket(self) -> str:
        return str(Path(os.environ["JUPYTER_RUNTIME_DIR"], "kernel"))


class WarmProvisioner(LocalProvisioner):
    """Starts Python kernels as forks of one process, and others as Jupyter does."""

    _forking: subprocess.Popen[bytes] | None = None

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Fork a kernel that is what the command would have started."""
        if cmd[:3] != [sys.executable, "-m", "ipykernel_launcher"]:
            return await super().launch_kernel(cmd, **kwargs)
        argv = cmd[2:]
        cwd = kwargs.get("cwd")
        asked = {"argv": argv, "env": kwargs.get("env") or dict(os.environ), "cwd": cwd}
        forking = self._process()
        forking.stdin.write(json.dumps(asked).encode() + b"\n")
        forking.stdin.flush()
        answer = forking.stdout.readline()
        if not answer:
            raise RuntimeError(f"{_WARM.name}, which forks the kernels, has ended")
        self.pid = int(answer)
        # It is the first of a session, and so of a group, of its own.
        self.pgid = self.pid
        self.process = Forked(self.pid)  # type: ignore[assignment]  # all that is asked of it
        self.cwd = cwd or Path.cwd()
        return self.connection_info

    async def kill(self, restart: bool = False) -> None:
        """Kill the kernel, and see it end: Jupyter looks every tenth of a second only."""
        await super().kill(restart)
        for _ in range(20):
            if await self.poll() is not None:
                return
            await asyncio.sleep(0.005)

    @classmethod
    def _process(cls) -> Any:
        """The process that forks, started where there is none."""
        if cls._forking is None or cls._forking.poll() is not None:
            # Interrupts are for this process, which ends its kernels; and where it is gone, so is
            # the pipe, with it what forks, and with that its kernels.
            cls._forking = subprocess.Popen(  # noqa: S603 - a file of our own
                [sys.executable, str(_WARM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        return cls._forking


class Forked:
    """A forked kernel, by those methods of a process that Jupyter uses."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """None while it runs; how it ended is not known."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self) -> int:
        """Give what :meth:`poll` gave: Jupyter asks when that has said that it ended."""
        return 0

    def send_signal(self, number: int) -> None:
        """Send it a signal; it may have ended meanwhile."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)
