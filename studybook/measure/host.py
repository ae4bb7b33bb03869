"""The machine at hand, in the words of ``run.yml``."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from studybook.measure.tools import release


def name() -> str:
    """The name of this machine, as sar prints it."""
    return os.uname().nodename


def host() -> dict[str, Any]:
    """Describe this machine as a host of ``run.yml``: processors, memory, model, kernel, system."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "name": name(),
        "role": "other",
        "note": "; ".join([_processor(), _machine(), f"Linux {platform.release()}", _system()]),
        "cpus": os.cpu_count(),
        "memory_mib": memory // 2**20,
    }


def file_system(folder: Path) -> str:
    """Type and device of the file system of a folder, by the mount that is nearest to it."""
    best = ("", "", "")
    place = str(folder.resolve())
    for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        left, _, right = line.partition(" - ")
        mount = left.split()[4].encode().decode("unicode_escape")
        kind, device = right.split()[:2]
        inside = place == mount or place.startswith(mount.rstrip("/") + "/")
        # Of two mounts on the same place the later one is seen.
        if inside and len(mount) >= len(best[0]):
            best = (mount, kind, device)
    return f"{best[1]} on {best[2]}" if best[1] else "unknown"


def releases(tools: tuple[str, ...]) -> str:
    """The releases of the tools, as they print them."""
    known = [text for tool in tools if (text := release(tool))]
    return "; ".join(known)


def _processor() -> str:
    """The model of the processors, as lscpu says it on any architecture."""
    said = _said("lscpu", "-J")
    try:
        rows = {row["field"].rstrip(":"): row["data"] for row in json.loads(said)["lscpu"]}
    except (ValueError, KeyError, TypeError, AttributeError):
        rows = {}
    names = ("Vendor ID", "Machine type") if platform.machine() == "s390x" else ("Model name",)
    found = " ".join(str(rows[key]) for key in names if rows.get(key) not in (None, "-"))
    return f"{found} ({platform.machine()})" if found else platform.machine()


def _machine() -> str:
    """Whether this is a real machine, as systemd has it; /proc/cpuinfo where there is none."""
    said = _said("systemd-detect-virt", "--vm")
    if not said:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
        return "virtual machine" if " hypervisor " in flags else "virtualisation not known"
    return "no virtual machine" if said == "none" else f"virtual machine ({said})"


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return "distribution not known"


def _said(*argv: str) -> str:
    """The output of a command; empty where it is not installed."""
    try:
        done = subprocess.run(  # noqa: S603 - lscpu and systemd-detect-virt
            argv,
            capture_output=True,
            text=True,
            env=os.environ | {"LC_ALL": "C"},
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
