"""The tools that measure: where they lie, which release they are, which package has them."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Tool:
    """A program that the kit runs.

    Parameters
    ----------
    name : str
        The command.
    debian, rpm : str
        The packages that have it.
    version : tuple of str
        Arguments that make it print its release; none where it cannot.
    folders : tuple of str
        Patterns of folders beside those of ``PATH``.
    """

    name: str
    debian: str
    rpm: str
    version: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()

    @property
    def package(self) -> str:
        """The packages, for a message."""
        return f"Debian: {self.debian}; RPM: {self.rpm}"


TOOLS = {
    tool.name: tool
    for tool in (
        Tool("bash", "bash", "bash", ("--version",)),
        Tool("dbench", "dbench", "dbench"),
        Tool("dd", "coreutils", "coreutils", ("--version",)),
        Tool("fio", "fio", "fio", ("--version",)),
        Tool("iozone", "iozone3 (in non-free)", "iozone"),
        Tool(
            "lat_ctx",
            "lmbench (in non-free)",
            "lmbench",
            folders=("/usr/lib/lmbench/bin/*", "/usr/lib64/lmbench/bin/*", "/opt/lmbench/bin/*"),
        ),
        Tool("netperf", "netperf (in non-free)", "netperf", ("-V",)),
        Tool("netserver", "netperf (in non-free)", "netperf"),
        Tool("perf", "linux-perf", "perf", ("--version",)),
        Tool("sar", "sysstat", "sysstat", ("-V",)),
    )
}


def find(name: str) -> str | None:
    """How to call a tool: by its name where ``PATH`` has it, else by its path; None if missing."""
    if shutil.which(name):
        return name
    for pattern in TOOLS[name].folders:
        for folder in sorted(Path("/").glob(pattern.lstrip("/"))):
            if found := shutil.which(name, path=str(folder)):
                return found
    return None


def missing(*names: str) -> list[Tool]:
    """Those of the tools that are not installed."""
    return [TOOLS[name] for name in names if find(name) is None]


@cache
def release(name: str) -> str:
    """The first line that a tool prints of its release; empty where it says none."""
    tool, path = TOOLS[name], find(name)
    if not tool.version or path is None:
        return ""
    try:
        done = subprocess.run(  # noqa: S603 - a fixed list of tools
            [path, *tool.version],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0].strip()[:100] if lines else ""
