"""What ``time`` prints after a command: that of bash, POSIX, zsh, busybox and GNU time.

All layouts were seen. Free forms (TIMEFORMAT, ``time -f``) cannot be told from other numbers. GNU
time counts memory in KiB (documented; releases before 1.8 printed four times too much).
"""

from __future__ import annotations

import re
from typing import Any

from studybook.formats.contract import tables

TIMES = tables("""
dd_time: what time printed of one command
    run_no BIGINT, flavour VARCHAR, command VARCHAR, real_s DOUBLE, user_s DOUBLE, system_s DOUBLE,
    cpu_percent DOUBLE, max_resident_kib BIGINT, exit_status BIGINT, signal BIGINT, line BIGINT
""")

_N = r"(\d{1,9}[.,]\d{1,9})"
_SHELL = re.compile(rf"(real|user|sys)([\t ]+)(?:(\d{{1,9}})m( ?))?{_N}(s?)$")
_SHELL_NAMES = {"real": "real_s", "user": "user_s", "sys": "system_s"}
_CLOCK = r"((?:\d{1,6}:)?\d{1,6}:\d{1,2}(?:\.\d{1,3})?)"
_GNU = re.compile(
    rf"{_N}user {_N}system {_CLOCK}elapsed (\d{{1,6}}|\?)%CPU "
    r"\(\d+avgtext\+\d+avgdata (\d{1,15})maxresident\)k$"
)
_GNU_SECOND = re.compile(r"\d+inputs\+\d+outputs \(\d+major\+\d+minor\)pagefaults \d+swaps$")
_ZSH = re.compile(rf"(.*?) +{_N}s user {_N}s system (\d{{1,6}})% cpu (?:(\d{{1,6}}):)?{_N} total$")
_ENDED = re.compile(r"Command (?:exited with non-zero status|terminated by signal) (\d{1,4})$")
#: What a shell says of a program that a signal ended.
_KILLED = {"Aborted": 6, "Killed": 9, "Segmentation fault": 11, "Terminated": 15}
_LABELLED = re.compile(
    r"(Command being timed|User time \(seconds\)|System time \(seconds\)|"
    r"Percent of CPU this job got|Elapsed \(wall clock\) time \(h:mm:ss or m:ss\)|"
    r"Maximum resident set size \(kbytes\)|Exit status|"
    r"Average (?:shared text|unshared data|stack|total|resident set) size \(kbytes\)|"
    r"M(?:aj|in)or \([\w ,/]+\) page faults|(?:Inv|V)oluntary context switches|Swaps|"
    r"File system (?:in|out)puts|Socket messages (?:sent|received)|Signals delivered|"
    r"Page size \(bytes\)): (.*)$"
)
_DECIMALS = {"User time (seconds)": "user_s", "System time (seconds)": "system_s"}


class Timed:
    """What time prints of one command, line by line."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.complete = False

    def begins_anew(self, text: str) -> bool:
        """Whether a line begins what time prints of another command than this one."""
        if self.values.keys() <= {"line", "flavour", "signal", "exit_status"}:
            return bool(self.values) and ended(text)
        if match := _SHELL.match(text):
            return _SHELL_NAMES[match[1]] in self.values or self.complete
        if _GNU_SECOND.match(text):
            return False
        if text.startswith("Command being timed"):
            return "command" in self.values or self.complete
        return bool(_GNU.match(text) or _ZSH.match(text)) or ended(text)

    def take(self, line: int, text: str) -> bool:
        """Take a line; False if time does not print such a line."""
        if match := _SHELL.match(text):
            name, gap, minutes, blank, seconds, unit = match.groups()
            flavour = "bash" if minutes and not blank else "busybox" if minutes else "POSIX"
            if bool(minutes) != bool(unit) or (flavour == "POSIX" and gap != " "):
                return False
            values = {
                "flavour": flavour,
                _SHELL_NAMES[name]: round(int(minutes or 0) * 60 + decimal(seconds), 9),
            }
            self.complete = name == "sys"
        elif match := _GNU.match(text):
            values = {
                "flavour": "GNU", "user_s": decimal(match[1]), "system_s": decimal(match[2]),
                "real_s": clock(match[3]),
                "cpu_percent": None if match[4] == "?" else float(match[4]),
                "max_resident_kib": int(match[5]),
            }  # fmt: skip
        elif _GNU_SECOND.match(text) and self.values.get("flavour") == "GNU":
            self.complete = True
            return True
        elif match := _ZSH.match(text):
            command, user, system, percent, minutes, seconds = match.groups()
            values = {
                "flavour": "zsh", "command": command[:400], "user_s": decimal(user),
                "system_s": decimal(system), "cpu_percent": float(percent),
                "real_s": int(minutes or 0) * 60 + decimal(seconds),
            }  # fmt: skip
            self.complete = True
        elif match := _ENDED.match(text):
            key = "signal" if "signal" in text else "exit_status"
            values = {"flavour": "GNU", key: int(match[1])}
        elif signal := killed(text):
            values = {"signal": signal}
        elif match := _LABELLED.match(text):
            values = self._labelled(match[1], match[2])
        else:
            return False
        self.values = {"line": line} | self.values | values
        return True

    def _labelled(self, label: str, value: str) -> dict[str, Any]:
        """Take a line of GNU time -v."""
        values: dict[str, Any] = {"flavour": "GNU -v"}
        if label.startswith("Command"):
            values["command"] = value.strip('"')[:400]
        elif label in _DECIMALS and re.fullmatch(_N, value):
            values[_DECIMALS[label]] = decimal(value)
        elif label.startswith("Elapsed"):
            values["real_s"] = clock(value)
        elif label.startswith("Percent") and re.fullmatch(r"\d{1,6}%", value, re.ASCII):
            values["cpu_percent"] = float(value[:-1])
        elif label.startswith("Maximum") and re.fullmatch(r"\d{1,15}", value, re.ASCII):
            values["max_resident_kib"] = int(value)
        elif label == "Exit status":
            self.complete = True
            # It says 0 of a command that a signal ended.
            known = "signal" not in self.values and re.fullmatch(r"\d{1,4}", value, re.ASCII)
            values |= {"exit_status": int(value)} if known else {}
        return values


def begins(text: str) -> bool:
    """Whether a line is the first of what time prints of a command, behind how that ended."""
    if text.startswith("Command being timed: "):
        return True
    if _GNU.match(text) or _ZSH.match(text):
        return True
    return text.startswith("real") and Timed().take(1, text)


def ended(text: str) -> bool:
    """Whether a line says how a command ended, as time or a shell does before anything else."""
    return bool(_ENDED.match(text)) or killed(text) is not None


def killed(text: str) -> int | None:
    """The signal by which a program ended, as a shell says it; None if it does not."""
    return _KILLED.get(text.removesuffix(" (core dumped)"))


def decimal(cell: str) -> float:
    """A number with a point or, as some locales have it, a comma."""
    return float(cell.replace(",", "."))


def clock(cell: str) -> float | None:
    """Seconds of ``m:ss.ss`` or ``h:mm:ss``; busybox writes ``0m 0.10s``."""
    if match := re.fullmatch(rf"(\d{{1,9}})m {_N}s", cell):
        return int(match[1]) * 60 + decimal(match[2])
    if not re.fullmatch(_CLOCK, cell):
        return None
    seconds = 0.0
    for part in cell.split(":"):
        seconds = seconds * 60 + float(part)
    return round(seconds, 3)
