"""perf stat as it prints by default, for people: a table of counts, and the time below it.

Outputs of release 6.1 were recorded: of a command, of several repetitions (``-r``), by interval
(``-I``, with ``--summary`` too) and by processor (``-a -A``). Of older releases the unit stands
behind the event (``task-clock (msec)``): from memory. Digits are grouped as the locale has it. A
number with a unit has two decimals or none, and one without is whole; so ``1.234`` is 1,234.

Counts and times are printed together only here: CSV and JSON have no time of the command.
"""

from __future__ import annotations

import re
from datetime import datetime

from studybook.formats.contract import Reading
from studybook.formats.perf_stat.reader import COUNT, RUN, Row, is_event, say, started
from studybook.formats.raw import LONGEST_LINE, Head, RawFile

_STARTED = re.compile(r"# started on (.{24})$")
_HEADING = re.compile(r" ?Performance counter stats for (.{1,4000}?)(?: \((\d{1,6}) runs\))?:$")
_COMMAND = re.compile(r"'(?!system wide'|CPU\(s\) |BPF program\(s\) |pipe')(.*)'")
_INTERVALS = re.compile(r"# +time +(?:CPU +)?counts unit events *$")
#: What a run begins with, where output of the command may stand before it.
BANNER = r"(?:# started on \w{3} \w{3} |Performance counter stats for |# +time +(?:CPU +)?counts )"

_GROUPED = r"\d{1,3}(?:[.,'’\u00a0\u202f]\d{3}){1,6}|\d{1,18}"
_PERCENT = r"\d{1,6}[.,]\d{1,2}%"
_COUNT = re.compile(
    r" *(?:(?P<since>\d{1,9}\.\d{9}) +)?(?:CPU(?P<cpu>\d{1,6}) +)?"
    rf"(?:(?P<whole>{_GROUPED})(?:(?P<point>[.,])(?P<decimals>\d\d|\d{{6}}))?|"
    r"<not (?P<no>counted|supported)>) +"
    r"(?:(?P<unit>[A-Za-z%]{1,20}) +)?(?P<event>\S{2,121})(?: \((?P<old>msec)\))?"
    r"(?P<derived> +# .*?)?"
    rf"(?: +\( ?\+- *(?P<scatter>{_PERCENT}) ?\))?(?: +\((?P<running>{_PERCENT})\))? *$",
    re.A,
)
_DERIVED = re.compile(r" *# +(-?\d{1,15}(?:[.,]\d{1,6})?)(?: ?%)? +(\S.{0,99}?) *$", re.A)
_TIME = re.compile(
    r" *(\d{1,9}[.,]\d{1,9})(?: \+- \d{1,9}[.,]\d{1,9})? seconds (time elapsed|user|sys)"
    rf"(?: +\( \+- *({_PERCENT}) \))? *$",
    re.A,
)
#: What perf says before the counts of a command that a signal ended.
_ENDED = re.compile(
    r"(\S{1,200}): (Killed|Terminated|Segmentation fault|Aborted|Bus error|Interrupt|Hangup|Quit|"
    r"Floating point exception|Illegal instruction|Alarm clock|Broken pipe)$"
)
_TIMES = {"time elapsed": "elapsed_s", "user": "user_s", "sys": "system_s"}
#: Advice that perf prints below.
_ADVICE = re.compile(
    r"Some events weren't counted\. |"
    r"\t(?:echo \d > /proc/sys/kernel/nmi_watchdog|perf stat \.\.\.)$|"
    r"The events in group usually have to be from the same PMU\. "
)


def recognise(head: Head) -> bool:
    """Whether the first line is one of those that a run of perf stat begins with."""
    lines = [each for each in head.lines if each.strip()]
    first = lines[1:2] if lines and _STARTED.match(lines[0]) else lines[:1]
    return any(_HEADING.match(each) or _INTERVALS.match(each) for each in first)


def read(raw: RawFile, out: Reading) -> None:
    """Read counts and times of each run."""
    reader = _Reader(out)
    for line, plain in raw.lines():
        if not plain.strip():
            out.heading()
        elif len(plain) < LONGEST_LINE // 4 and reader.take(line, plain):
            out.used()
        elif _ADVICE.match(plain):
            out.heading()
        else:
            out.unknown(line, plain)
    reader.end()


class _Reader:
    """The run under way, and what is to be said in the end."""

    def __init__(self, out: Reading) -> None:
        self.out = out
        self.runs = -1
        self.run: Row = {}
        self.intervals = False
        self.began: datetime | None = None
        self.ended: tuple[str, str] | None = None
        self.since = 0.0
        self.event: str | None = None
        self.missing = self.scaled = 0

    def take(self, line: int, plain: str) -> bool:
        """Take a line; whether it was understood."""
        if match := _STARTED.match(plain):
            self._close()
            self.began = started(match[1])
            return True
        if match := _HEADING.match(plain):
            ended = self.ended
            self._open(line)
            of = _COMMAND.fullmatch(match[1])
            self.run |= {"command": of and of[1], "repetitions": int(match[2] or 1)}
            if of and ended and ended[0] == of[1].split(" ", 1)[0]:
                self.run["signal"] = ended[1]
                self.out.remark(line, f"a signal ended this command: {ended[1]}")
            return True
        if _INTERVALS.match(plain):
            self._open(line)
            self.intervals = True
            return True
        if match := _ENDED.match(plain):
            self.ended = (match[1], match[2])
            return True
        if not self.run:
            return False
        return self._time(plain) or self._count(line, plain) or self._derived_alone(line, plain)

    def _open(self, line: int) -> None:
        """Begin a run; headings between intervals, and the summary below, are of the same."""
        if self.intervals and "elapsed_s" not in self.run:
            return
        began = self.began
        self._close()
        self.runs += 1
        self.run = {"run_no": self.runs, "started_local": began, "line": line}

    def _close(self) -> None:
        if self.run:
            if "elapsed_s" not in self.run and not self.intervals:
                self.out.remark(
                    self.run["line"],
                    "this run of perf stat has no time at its end: it was cut, and counts that"
                    " should follow are missing",
                )
            self.out.record(RUN.name, **self.run)
        self.run, self.intervals, self.event = {}, False, None
        self.began = self.ended = None
        self.since = 0.0

    def _time(self, plain: str) -> bool:
        if not (match := _TIME.match(plain)):
            return False
        self.run[_TIMES[match[2]]] = _decimal(match[1])
        if match[3]:
            self.run["elapsed_scatter_percent"] = _decimal(match[3])
        return True

    def _count(self, line: int, plain: str) -> bool:
        match = _COUNT.match(plain)
        if not match or not is_event(match["event"]) or not _is_number(match):
            return False
        if match["derived"] and not _DERIVED.match(match["derived"]):
            return False
        since = float(match["since"]) if match["since"] else None
        if since is not None and since < self.since:  # another run, appended
            self._close()
            self._open(line)
            self.intervals = True
        self.since = since or self.since
        self.event, value = match["event"], _value(match)
        running = _decimal(match["running"])
        if running is None and value is not None:
            running = 100.0
        self.missing += value is None
        self.scaled += value is not None and (running or 0.0) < 100.0
        self.out.record(
            COUNT.name, line=line, run_no=self.runs, started_local=self.run["started_local"],
            since_start_s=since, cpu=int(match["cpu"]) if match["cpu"] else None,
            event=self.event, value=value, unit=match["unit"] or match["old"],
            status=f"not {match['no']}" if match["no"] else "counted",
            scatter_percent=_decimal(match["scatter"]), running_percent=running,
            **_derived(match["derived"]),
        )  # fmt: skip
        return True

    def _derived_alone(self, line: int, plain: str) -> bool:
        """A second ratio of the event above, on a line of its own."""
        if self.event is None or not _DERIVED.match(plain):
            return False
        self.out.record(
            COUNT.name, line=line, run_no=self.runs, started_local=self.run["started_local"],
            event=self.event, status="derived", **_derived(plain),
        )  # fmt: skip
        return True

    def end(self) -> None:
        """Close the last run, and say what is missing."""
        self._close()
        say(self.out, self.missing, self.scaled)


def _is_number(match: re.Match[str]) -> bool:
    """Whether one mark groups the digits, and decimals are those that perf prints."""
    marks = set(re.sub(r"\d", "", match["whole"] or ""))
    wanted = (6,) if match["old"] else (2,) if match["unit"] else ()
    fits = not match["decimals"] or len(match["decimals"]) in wanted
    return len(marks) < 2 and match["point"] not in marks and fits


def _value(match: re.Match[str]) -> float | None:
    """The number of a count; None if it was not counted."""
    if match["no"]:
        return None
    return float(re.sub(r"\D", "", match["whole"]) + "." + (match["decimals"] or "0"))


def _derived(printed: str | None) -> Row:
    match = _DERIVED.match(printed or "")
    if not match:
        return {}
    return {"derived_value": _decimal(match[1]), "derived_unit": match[2]}


def _decimal(printed: str | None) -> float | None:
    """A number with decimals, which nothing groups."""
    return float(printed.removesuffix("%").replace(",", ".")) if printed else None
