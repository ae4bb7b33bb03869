"""``mmdiag``: release, waiters, I/O history, connections and settings of one node.

The I/O history is that of ``mmfsadm dump iohist``, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from studybook.formats.captures.section import Line, Section, Start, TableSection
from studybook.formats.names import pairs
from studybook.formats.scale.settings import keep_setting

_BUILD = re.compile(r'Current GPFS build: "([^"]*)"\.?')
_BUILT = re.compile(r"Built on ([A-Z][a-z]{2} [0-9]{1,2} [0-9]{4} at [0-9:]{8})")
_RUNNING = re.compile(r"Running (.{1,200}), pid ([0-9]{1,10})")
_SPAN = re.compile(r"([0-9]{1,9}) (day|hour|minute|sec)s?")
_SECONDS = {"day": 86400, "hour": 3600, "minute": 60, "sec": 1}


@dataclass
class Version(Section):
    """Three lines: build, when it was built, how long it has been running."""

    texts: dict[str, str | None] = field(default_factory=dict, init=False)

    first = 0
    built: datetime | None = None

    def _take(self, line: Line) -> bool | None:
        text = line.squeezed
        if build := _BUILD.fullmatch(text):
            self.texts["build"] = build[1].strip()
        elif built := _BUILT.fullmatch(text):
            try:
                self.built = datetime.strptime(built[1], "%b %d %Y at %H:%M:%S")
            except ValueError:
                return None
        elif running := _RUNNING.fullmatch(text):
            spans = _SPAN.findall(running[1])
            self.texts["running"] = running[1]
            self.texts["running_s"] = str(sum(int(n) * _SECONDS[unit] for n, unit in spans))
            self.texts["pid"] = running[2]
        else:
            return None
        self.first = self.first or line.number
        return True

    def close(self) -> None:
        """Hand over the row."""
        if self.first:
            self.row("scale_version", self.first, self.texts, built=self.built)
            self.first = 0


_WAITING = re.compile(
    r"Waiting (?P<seconds_s>[0-9.,]{1,30}) sec since (?P<since>[^,]{1,40}), (?P<state>\w{1,20}),"
    r" thread (?P<thread>[0-9]{1,19}) (?P<thread_name>[^:]{1,80})(?:: (?P<reason>.*))?"
)
#: Before release 4.2: an address, no time of day.
_WAITING_OLD = re.compile(
    r"0x[0-9A-Fa-f]{1,16}(?: \( ?(?P<thread>[0-9]{1,19})\))? waiting (?P<seconds_s>[0-9.,]{1,30})"
    r" seconds?, (?P<thread_name>[^:]{1,80})(?:: (?P<reason>.*))?"
)
#: Whether the daemon counts a waiter among those that may mean trouble.
MONITORED = {"monitored": True, "ignored": False}


class Waiters(Section):
    """One line for each waiting thread; none is good news, and an answer too."""

    answered = True

    def _take(self, line: Line) -> bool | None:
        found = _WAITING.fullmatch(line.squeezed) or _WAITING_OLD.fullmatch(line.squeezed)
        if not found:
            return None
        texts = found.groupdict()
        monitored = MONITORED.get(texts.pop("state", ""))
        self.row("scale_waiter", line.number, texts, monitored=monitored)
        return True


_HISTORY = "I/O history:"
_TIME = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}[.,][0-9]{1,9}")
_FIRST = ("start_time", "read_write", "buffer_type", "disk_sector", "sectors", "time_ms")
_TYPES = frozenset(("lcl", "cli", "srv", "pd", "vd", "rem"))
#: Headings that consist of several words, made one word each.
_HEADINGS = (
    ("I/O start time", "start_time"), ("Buf type", "buffer_type"), ("time ms", "time_ms"),
    ("Device/NSD ID", "nsd_id"), ("Disk UID", "nsd_id"), ("NSD node", "nsd_node"),
    ("NSD server", "nsd_node"), ("disk:sectorNum", "disk_sector"), ("nSec", "sectors"),
    ("tag1", "info1"), ("tag2", "info2"), ("Type", "type"), ("typ ", "type "), ("RW", "read_write"),
)  # fmt: skip
_DEFAULT = (*_FIRST, "type", "nsd_id", "nsd_node")


class IoHistory(Section):
    """The last I/Os of a node: a table whose NSD node is blank for a local I/O."""

    columns: tuple[str, ...] = _DEFAULT

    def expects(self, line: Line) -> bool:
        """The title of mmfsadm stands below that of mmdiag, too."""
        return line.squeezed == _HISTORY

    def _take(self, line: Line) -> bool | None:
        if self.is_rule(line) or line.squeezed == _HISTORY:
            return False
        if line.squeezed.startswith("I/O start time "):
            text = f"{line.squeezed} "
            for printed, column in _HEADINGS:
                text = text.replace(printed, column, 1)
            known = self.out.columns("scale_io")
            self.columns = tuple(name for name in text.split() if name in known)
            return False
        columns, words = self.columns, line.words
        if len(words) == len(columns) - 1 and "nsd_node" in columns:
            columns = tuple(name for name in columns if name != "nsd_node")
        if not _TIME.fullmatch(words[0]) or not len(_FIRST) <= len(words) <= len(columns):
            return None
        texts: dict[str, str | None] = dict(zip(columns, words, strict=False))
        if texts.get("type") not in (None, *_TYPES) or len(words) < len(columns) - 1:
            self.say(line.number, "an I/O does not fill the columns of its heading")
        self.row("scale_io", line.number, texts)
        return True


_COLUMNS = pairs("""
    hostname=hostname node=node idx=idx destination=destination status=status err=err sock=sock
    sent(MB)=sent_mb recvd(MB)=received_mb ostype=os
""")
_TITLE = re.compile(r"\S.{0,200}:")


class Network(Section):
    """The table of connections; what stands around it is kept word for word."""

    part = "network"
    columns: Sequence[str] = ()

    def _take(self, line: Line) -> bool | None:
        if line.words[0] == "hostname" and "destination" in line.words:
            self.columns = line.words
            return False
        if not line.text.startswith((" ", "\t")):
            if not _TITLE.fullmatch(line.squeezed):
                return None
            self.part, self.columns = line.squeezed.rstrip(":"), ()
            return False
        if line.squeezed == "(none)":
            return False
        if self.columns and len(line.words) == len(self.columns):
            known = zip(self.columns, line.words, strict=True)
            texts = {_COLUMNS[name]: word for name, word in known if name in _COLUMNS}
            self.row("scale_connection", line.number, texts)
            return True
        text = line.text.strip()
        # In the configuration part name and value stand apart: 'my address      10.1.1.2/24'.
        name, gap, value = text.partition("  ") if "configuration" in self.part else (text, "", "")
        detail = {
            "command": "mmdiag", "section": self.part, "name": name if gap else None,
            "value": value.strip() if gap else text,
        }  # fmt: skip
        self.row("scale_y", line.number, detail)
        return True


class Effective(TableSection):
    """``name value`` with a mark before what was changed."""

    ruled = True
    takes_any = True

    def _row(self, line: Line) -> bool:
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
    *(Start(f"=== mmdiag: {part} ===", section) for part, section in _PARTS.items()),
    Start(r"=== mmdiag: (\w{2,30}) ===", Other),
    # Without mmdiag's title above it: mmfsadm dump iohist.
    Start(_HISTORY, IoHistory),
)
