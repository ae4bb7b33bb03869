"""``mmdiag``: release, waiters, I/O history, connections and settings of one node."""

from __future__ import annotations

import re
from datetime import datetime

from studybook.formats.captures.section import Command, Line, Section, Start, TableSection
from studybook.formats.contract import Reading
from studybook.formats.names import pairs
from studybook.formats.scale.iohist import TITLE, IoHistory
from studybook.formats.scale.values import keep_setting

_BUILD = re.compile(r'Current GPFS build: "([^"]*)"\.?')
_BUILT = re.compile(r"Built on ([A-Z][a-z]{2} [0-9]{1,2} [0-9]{4} at [0-9:]{8})")
_RUNNING = re.compile(r"Running (.{1,200}), pid ([0-9]{1,10})")
_SPAN = re.compile(r"([0-9]{1,9}) (day|hour|minute|sec)s?")
_SECONDS = {"day": 86400, "hour": 3600, "minute": 60, "sec": 1}


class Version(Section):
    """Three lines: build, when it was built, how long it has been running."""

    def __init__(self, out: Reading, command: Command) -> None:
        super().__init__(out, command)
        self.first = 0
        self.texts: dict[str, str | None] = {}
        self.built: datetime | None = None

    def take(self, line: Line) -> bool:
        """Account for one of the lines."""
        text = line.squeezed
        if build := _BUILD.fullmatch(text):
            self.texts["build"] = build[1].strip()
        elif built := _BUILT.fullmatch(text):
            try:
                self.built = datetime.strptime(built[1], "%b %d %Y at %H:%M:%S")
            except ValueError:
                return False
        elif running := _RUNNING.fullmatch(text):
            spans = _SPAN.findall(running[1])
            self.texts["running"] = running[1]
            self.texts["running_s"] = str(sum(int(n) * _SECONDS[unit] for n, unit in spans))
            self.texts["pid"] = running[2]
        else:
            return False
        self.first = self.first or line.number
        self.out.used()
        return True

    def close(self) -> None:
        """Hand over the row."""
        if self.first:
            self.row("scale_version", self.first, self.texts, built=self.built)
            self.first = 0


_WAITING = re.compile(
    r"Waiting ([0-9.,]{1,30}) sec since ([^,]{1,40}), (\w{1,20}), thread ([0-9]{1,19}) ([^:]{1,80})"
    r"(?:: (.*))?"
)
#: Before release 4.2: an address, no time of day.
_WAITING_OLD = re.compile(
    r"0x[0-9A-Fa-f]{1,16}(?: \( ?([0-9]{1,19})\))? waiting ([0-9.,]{1,30}) seconds?,"
    r" ([^:]{1,80})(?:: (.*))?"
)


class Waiters(Section):
    """One line for each waiting thread; none is good news, and an answer too."""

    answered = True

    def take(self, line: Line) -> bool:
        """Account for a waiter."""
        if new := _WAITING.fullmatch(line.squeezed):
            seconds, since, monitored, thread, name, reason = new.groups()
            state = {"monitored": True, "ignored": False}.get(monitored)
        elif old := _WAITING_OLD.fullmatch(line.squeezed):
            thread, seconds, name, reason = old.groups()
            since, state = None, None
        else:
            return False
        texts = {
            "seconds_s": seconds, "since": since, "thread": thread, "thread_name": name,
            "reason": reason,
        }  # fmt: skip
        self.row("scale_waiter", line.number, texts, monitored=state)
        self.out.used()
        return True


_CONNECTION_COLUMNS = pairs("""
    hostname=hostname node=node idx=idx destination=destination status=status err=err sock=sock
    sent(MB)=sent_mb recvd(MB)=received_mb ostype=os
""")
_TITLE = re.compile(r"\S.{0,200}:")


class Network(Section):
    """The table of connections; what stands around it is kept word for word."""

    def __init__(self, out: Reading, command: Command) -> None:
        super().__init__(out, command)
        self.part = "network"
        self.columns: list[str] = []

    def take(self, line: Line) -> bool:
        """Account for a title, a connection or a detail."""
        if line.words[0] == "hostname" and "destination" in line.words:
            self.columns = line.words
            self.out.heading()
            return True
        if not line.text.startswith((" ", "\t")):
            if not _TITLE.fullmatch(line.squeezed):
                return False
            self.part = line.squeezed.rstrip(":")
            self.columns = []
            self.out.heading()
            return True
        if line.squeezed == "(none)":
            self.out.heading()
        elif self.columns and len(line.words) == len(self.columns):
            self._connection(line)
        else:
            self._detail(line)
        return True

    def _connection(self, line: Line) -> None:
        known: dict[str, str | None] = {}
        for printed, word in zip(self.columns, line.words, strict=True):
            if printed in _CONNECTION_COLUMNS:
                known[_CONNECTION_COLUMNS[printed]] = word
        self.row("scale_connection", line.number, known)
        self.out.used()

    def _detail(self, line: Line) -> None:
        text = line.text.strip()
        # In the configuration part name and value stand apart: 'my address      10.1.1.2/24'.
        name, gap, value = text.partition("  ") if "configuration" in self.part else (text, "", "")
        texts = {
            "command": "mmdiag", "section": self.part, "name": name if gap else None,
            "value": value.strip() if gap else text,
        }  # fmt: skip
        self.row("scale_y", line.number, texts)
        self.out.used()


class Effective(TableSection):
    """``name value`` with a mark before what was changed."""

    has_rule = False
    takes_any = True

    def take_row(self, line: Line) -> bool:
        """Account for a setting."""
        words = line.text.split(None, 1)
        mark = words.pop(0) if words[0] in ("!", "*") else None
        name, *rest = words[0].split(None, 1) if mark and words else words or [""]
        if not re.fullmatch(r"[A-Za-z][\w.-]{1,80}", name):
            return False
        value = rest[0].strip() if rest else None
        keep_setting(self, line, name, value, command="mmdiag", changed=mark)
        return True


class Other(Section):
    """A part of mmdiag that has no table: its lines are counted as not understood."""

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Say so."""
        super().begin(line, match)
        self.say(
            line.number,
            f"no reader knows the text of mmdiag --{match[1]}; its lines are counted as not"
            f" understood. Capture mmdiag --{match[1]} -Y, which says what its columns are",
        )


_PARTS: dict[str, type[Section]] = {
    "version": Version, "waiters": Waiters, "iohist": IoHistory, "network": Network,
    "config": Effective,
}  # fmt: skip


STARTS = (
    *(Start(re.compile(f"=== mmdiag: {part} ==="), section) for part, section in _PARTS.items()),
    Start(re.compile(r"=== mmdiag: (\w{2,30}) ==="), Other),
    # Without mmdiag's title above it: mmfsadm dump iohist.
    Start(re.compile(TITLE), IoHistory),
)
