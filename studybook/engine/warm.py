"""The process that forks warm kernels: run as a script, by :mod:`studybook.engine.kernel`.

It imports the libraries, and nothing of this package, and does nothing else: what it forks is a
process that has run no notebook yet.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import NoReturn

#: Libraries that notebooks import, and that take long. No module of the package is one of them: a
#: figure's record names those that its notebook used, and they are read anew for each.
LIBRARIES = (
    "ipykernel.kernelapp", "duckdb", "pandas", "pyarrow.compute", "pydantic", "scipy.special",
    "altair",
)  # fmt: skip


def main() -> None:
    """Fork a kernel for each line of standard input, until it ends."""
    # Python looks for modules beside a script; kernels have theirs elsewhere.
    sys.path[:] = [each for each in sys.path if each != str(Path(__file__).parent)]
    for name in LIBRARIES:
        import_module(name)
    # What is there now is never collected: kernels go on sharing its memory.
    gc.freeze()
    # Kernels that have ended leave nothing to wait for; who asked for one sees that it is gone.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        if os.fork() == 0:
            _become_kernel(**json.loads(line))


def _become_kernel(argv: list[str], env: dict[str, str], cwd: str | None) -> NoReturn:
    """Be what a process started with these arguments would be, and say that it is there."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()  # before anybody knows of the process: signals go to its group
    # And before anything can fail: who waits for the answer then finds a process that has ended.
    os.write(1, f"{os.getpid()}\n".encode())
    os.environ.clear()
    # By this a kernel knows that its parent is gone, and ends; what it read there was another's.
    os.environ.update(env, JPY_PARENT_PID=str(os.getppid()))
    parent = f"--IPKernelApp.parent_handle={os.getppid()}"
    if cwd:
        os.chdir(cwd)
    # All kernels would draw the same numbers; Python's own generator sees to that itself.
    sys.modules["numpy"].random.seed()
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    sys.argv = argv
    sys.modules["ipykernel.kernelapp"].launch_new_instance(argv=[*argv[1:], parent])
    sys.exit()


if __name__ == "__main__":
    main()
