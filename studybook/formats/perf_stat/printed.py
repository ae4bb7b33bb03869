"""perf stat as it prints by default, for people: a table of counts, and the time below it.

Outputs of release 6.1 were recorded: of a command, of several repetitions (``-r``), by interval
(``-I``, with ``--summary`` too) and by processor (``-a -A``). Of older releases the unit stands
behind the event (``task-clock (msec)``), and the part of the time in brackets: from memory. Digits
are grouped as the locale has it. A number with a unit has two decimals or none, and one without is
whole; so ``1.234`` is 1,234.

Counts and times are printed together only here: CSV and JSON have no time of the command.
"""

from __future__ import annotations

import math
import re
from datetime import datetime

from studybook.formats.contract import Reading
from studybook.formats.perf_stat.reader import COUNT, RUN, STARTED, Row, is_event, say, started
from studybook.formats.raw import LONGEST_LINE, Head, RawFile

_BEGINS = re.compile(r" ?Performance counter stats for ")
_HEADING = re.compile(r" ?Performance counter stats for (.+?)(?: \((\d{1,6}) runs\))?:$", re.S)
_INTERVALS = re.compile(r"# +time +(?:CPU +)?counts unit events *$")
#: Targets that stand in the place of a command.
_COMMAND = re.compile(r"'(?!system wide'|CPU\(s\) |BPF program\(s\) |pipe')(.*)'", re.S)
#: What a run begins with, where output of the command may stand before it.
BANNER = r"(?:# started on \w{3} \w{3} |Performance counter stats for |# +time +(?:CPU +)?counts )"

_GROUPED = r"\d{1,3}(?:[.,'’\u00a0\u202f]\d{3}){1,6}|\d{1,18}"
_PERCENT = r"\d{1,6}[.,]\d{1,2}%"
#: Of several repetitions, and of a part of the time; in brackets before perf 4.
_TAIL = re.compile(
    rf"(?: {{1,60}}\( ?\+- {{0,9}}(?P<scatter>{_PERCENT}) ?\))?"
    rf"(?: {{1,60}}[(\[](?P<running>{_PERCENT})[)\]])?$",
    re.A,
)
_COUNT = re.compile(
    r" *(?:(?P<since>\d{1,9}\.\d{9}) +)?(?:CPU(?P<cpu>\d{1,6}) +)?"
    rf"(?:(?P<whole>{_GROUPED})(?:(?P<point>[.,])(?P<decimals>\d\d|\d{{6}}))?|"
    r"<not (?P<no>counted|supported)>) +"
    r"(?:(?P<unit>[A-Za-z%]{1,20}) +)?(?P<event>\S{2,121})(?: \((?P<old>msec)\))?$",
    re.A,
)
_DERIVED = re.compile(
    r" *(?P<value>-?\d{1,15}(?:[.,]\d{1,6})?)(?: ?%)? +"
    r"(?P<unit>[^\s()\[\]]{1,40}(?: [^\s()\[\]]{1,40}){0,8})$",
    re.A,
)
_TIME = re.compile(
    r" *(\d{1,9}[.,]\d{1,9})(?: \+- \d{1,9}[.,]\d{1,9})? seconds (time elapsed|user|sys)"
    rf"(?: +\( \+- *({_PERCENT}) \))? *$",
    re.A,
)
#: What perf says before the counts of a command that a signal ended, in English.
_ENDED = re.compile(
    r"(.{1,4000}): (Hangup|Interrupt|Quit|Illegal instruction|Trace/breakpoint trap|Aborted|"
    r"Bus error|Floating point exception|Killed|User defined signal [12]|Segmentation fault|"
    r"Broken pipe|Alarm clock|Terminated|Stack fault|CPU time limit exceeded|"
    r"File size limit exceeded|Virtual timer expired|Profiling timer expired|I/O possible|"
    r"Power failure|Bad system call|Unknown signal \d{1,3}|Real-time signal \d{1,3})$"
)
_TIMES = {"time elapsed": "elapsed_s", "user": "user_s", "sys": "system_s"}
#: Advice that perf prints below.
_ADVICE = re.compile(
    r"Some events weren't counted\. |"
    r"\t(?:echo \d > /proc/sys/kernel/nmi_watchdog|perf stat \.\.\.)$|"
    r"The events in group usually have to be from the same PMU\. "
)

#: No line of a count is longer.
_LONGEST = 1000

#: A command of so many lines or letters is none.
_MOST_LINES, _LONG = 200, LONGEST_LINE // 4

#: After so many intervals perf prints their heading again.
_REPEATED = 25


def recognise(head: Head) -> bool:
    """Whether a run of perf stat stands in the first line, and counts or times below."""
    lines = [each for each in head.lines if each.strip()]
    first = lines[1:2] if lines and STARTED.match(lines[0]) else lines[:1]
    return any(_BEGINS.match(each) or _INTERVALS.match(each) for each in first) and any(
        _TIME.match(each) or _parsed(each) for each in lines[1:] if len(each) < _LONGEST
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read counts and times of each run."""
    reader = _Reader(out)
    for line, plain in raw.lines():
        short = bool(reader.pending) or len(plain) < _LONG
        understood = reader.take(line, plain) if short else False
        if understood:
            out.used()
        elif understood is not None:
            _leave(out, line, plain)
    reader.end()


def _leave(out: Reading, line: int, plain: str) -> None:
    """Account for a line that is in no record: a blank one, advice, or one that nobody knows."""
    if not plain.strip() or _ADVICE.match(plain):
        out.heading()
    else:
        out.unknown(line, plain)


class _Reader:
    """The run under way, and what is to be said in the end."""

    def __init__(self, out: Reading) -> None:
        self.out = out
        self.runs = -1
        #: The run under way; of its counts all that stand below a heading, or the last, of which a
        #: second line may say more.
        self.run: Row = {}
        self.counts: list[Row] = []
        #: Intervals that may be those of the run under way, which is their summary then.
        self.before: Row = {}
        self.intervals = False
        #: Whether something else stands below its times.
        self.over = False
        self.since, self.number = 0.0, 0
        self.began: datetime | None = None
        self.ended: tuple[str, str] | None = None
        #: A heading whose command has lines of its own, until it ends.
        self.pending: list[tuple[int, str]] = []
        self.missing = self.scaled = 0

    def take(self, line: int, plain: str) -> bool | None:
        """Take a line: whether it was understood; None if that is not known yet."""
        if self.pending and any(each.match(plain) for each in (STARTED, _BEGINS, _TIME)):
            self._give_up()
        if self.pending:
            self._go_on(line, plain)
            return None
        if match := STARTED.match(plain):
            self._close()
            self.began = started(match[1])
            return True
        if _BEGINS.match(plain):
            if match := _HEADING.match(plain):
                self._begin(line, match)
                return True
            self.pending = [(line, plain)]
            return None
        if _INTERVALS.match(plain):
            self._head_intervals(line)
            return True
        if match := _ENDED.match(plain):
            self.ended = (match[1], match[2])
            return True
        understood = bool(self.run) and len(plain) <= _LONGEST and (
            self._time(plain) or self._count(line, plain) or self._derived_alone(line, plain)
        )  # fmt: skip
        self.over |= bool(plain.strip()) and not understood and "elapsed_s" in self.run
        return understood

    def _go_on(self, line: int, plain: str) -> None:
        """Take a line of a command that has several."""
        self.pending.append((line, plain))
        if len(self.pending) > _MOST_LINES or sum(len(text) for _, text in self.pending) > _LONG:
            self._give_up()
        elif plain.endswith(":"):
            whole = "\n".join(text for _, text in self.pending)
            if match := _HEADING.match(whole):
                self._begin(self.pending[0][0], match)
                self.out.used(len(self.pending))
                self.pending = []

    def _give_up(self) -> None:
        """Begin a run of which nobody knows the command: its counts are none of the run before."""
        pending, self.pending = self.pending, []
        if pending:
            self._open(pending[0][0])
            for line, plain in pending:
                _leave(self.out, line, plain)

    def _begin(self, line: int, heading: re.Match[str]) -> None:
        ended = self.ended
        before, since = (self.run, self.since) if self.intervals else ({}, 0.0)
        if before:
            self._flush()
            self.run = {}
        self._open(line)
        self.before, self.since = before, since
        of = _COMMAND.fullmatch(heading[1])
        command = of and " ".join(of[1].split("\n"))
        self.run |= {"command": command, "repetitions": int(heading[2] or 1)}
        if command and ended and f"{command} ".startswith(f"{ended[0]} "):
            self.run["signal"] = ended[1]
            self.out.remark(line, f"a signal ended this command: {ended[1]}")

    def _head_intervals(self, line: int) -> None:
        """Begin a run by intervals, unless the heading is printed once more."""
        if not (self.intervals and self.number == _REPEATED):
            self._open(line)
            self.intervals = True
        self.number = 0

    def _open(self, line: int) -> None:
        began = self.began
        self._close()
        self.runs += 1
        self.run = {"run_no": self.runs, "started_local": began, "line": line}

    def _close(self) -> None:
        """Record the run under way; with the intervals before it, if it is their summary."""
        if self.run and self.before:
            elapsed = self.run.get("elapsed_s", math.inf)
            if abs(elapsed - self.since) <= 0.01 + 0.02 * self.since:
                self.runs -= 1
                same = {name: self.before[name] for name in ("run_no", "started_local", "line")}
                self.run |= same
            else:
                self.out.record(RUN.name, **self.before)
        if self.run:
            if "elapsed_s" not in self.run and not self.intervals:
                self.out.remark(
                    self.run["line"],
                    "this run of perf stat has no time at its end: it was cut, and counts that"
                    " should follow are missing",
                )
            self._flush()
            self.out.record(RUN.name, **self.run)
        self.run, self.before, self.intervals, self.over = {}, {}, False, False
        self.began = self.ended = None
        self.since, self.number = 0.0, 0

    def _flush(self) -> None:
        """Hand on the counts that nothing more is said of."""
        of = {"run_no": self.run["run_no"], "started_local": self.run["started_local"]}
        for row in self.counts:
            self.missing += row["status"].startswith("not")
            self.scaled += row["status"] == "counted" and row["running_percent"] < 100.0
            self.out.record(COUNT.name, **of, **row)
        self.counts = []

    def _time(self, plain: str) -> bool:
        """Take a time: that which went by first, then those of processors; each once."""
        match = _TIME.match(plain)
        if not match or self.intervals or self.over or _TIMES[match[2]] in self.run:
            return False
        if match[2] == "time elapsed":
            self.run["elapsed_scatter_percent"] = _decimal(match[3])
        elif "elapsed_s" not in self.run:
            return False
        self.run[_TIMES[match[2]]] = _decimal(match[1])
        return True

    def _count(self, line: int, plain: str) -> bool:
        found = _parsed(plain)
        # What stands behind the time, or beside counts with times or processors, is none of perf.
        if not found or "elapsed_s" in self.run:
            return False
        if (found["since_start_s"] is not None) != self.intervals:
            return False
        if self.counts and (found["cpu"] is None) != (self.counts[-1]["cpu"] is None):
            return False
        if self.intervals:
            if found["since_start_s"] < self.since:  # another run, appended
                self._open(line)
                self.intervals = True
            self.number += found["since_start_s"] > self.since
            self.since = found["since_start_s"]
            self._flush()
        self.counts.append(found | {"line": line})
        return True

    def _derived_alone(self, line: int, plain: str) -> bool:
        """A second ratio of the event above, on a line of its own; its end is of that event."""
        before, mark, behind = plain.rstrip(" ").partition("#")
        said, scatter, running = _without_tail(behind)
        derived = _derived(said)
        if not mark or before.strip() or not derived or not self.counts:
            return False
        count = next(each for each in reversed(self.counts) if each["status"] != "derived")
        if scatter is not None:
            count["scatter_percent"] = scatter
        if running is not None and count["status"] == "counted":
            count["running_percent"] = running
        of = {name: count[name] for name in ("event", "since_start_s", "cpu")}
        self.counts.append(of | {"status": "derived", "line": line} | derived)
        return True

    def end(self) -> None:
        """Close the last run, and say what is missing."""
        self._give_up()
        self._close()
        say(self.out, self.missing, self.scaled)


def _parsed(plain: str) -> Row | None:
    """A line as a count; None if it is none."""
    counted, mark, behind = plain.rstrip(" ").partition(" #")
    said, scatter, running = _without_tail(behind if mark else counted)
    match = _COUNT.match(counted.rstrip(" ") if mark else said)
    derived = _derived(said) if mark else {}
    if not match or derived is None or not is_event(match["event"]) or not _is_number(match):
        return None
    return {
        "since_start_s": float(match["since"]) if match["since"] else None,
        "cpu": int(match["cpu"]) if match["cpu"] else None,
        "event": match["event"], "value": _value(match), "unit": match["unit"] or match["old"],
        "status": f"not {match['no']}" if match["no"] else "counted",
        "scatter_percent": scatter,
        "running_percent": 100.0 if running is None and not match["no"] else running,
    } | derived  # fmt: skip


def _without_tail(printed: str) -> tuple[str, float | None, float | None]:
    """A text without its end; the scatter and the part of the time that this says."""
    match = _TAIL.search(printed)
    if not match:
        return printed, None, None
    return printed[: match.start()], _decimal(match["scatter"]), _decimal(match["running"])


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


def _derived(printed: str) -> Row | None:
    """What perf makes of a count; None if it is nothing of the kind."""
    match = _DERIVED.match(printed.rstrip(" "))
    return match and {"derived_value": _decimal(match["value"]), "derived_unit": match["unit"]}


def _decimal(printed: str | None) -> float | None:
    """A number with decimals, which nothing groups."""
    return float(printed.removesuffix("%").replace(",", ".")) if printed else None
