"""IOR's normal output, as IOR 2.10 to 4.x print it for people.

One file may hold any number of runs, with the lines of wrapper scripts, MPI and the job
launcher between them. Pasted text that lost the version line is read too.
"""

from __future__ import annotations

import re
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.ior import words
from studybook.formats.ior.layout import Layout, layout, not_finite
from studybook.formats.ior.log import Log, Run
from studybook.formats.ior.tables import SUMMARY
from studybook.formats.raw import Head, RawFile

_OTHER_TOOLS = {"md-workbench": r"^MD-Workbench "}
_KEY = re.compile(
    r"(Run began|Began|Command line used|Command line|Machine|TestID|StartTime|Path|FS"
    r"|Participating tasks|Run finished|Finished)( *): ?(.*)$"
)
_TEST_STARTED = re.compile(r"Test (\d{1,9}) started: (.*)$")
_OPTIONS = re.compile(r"(Summary|Options|TEST):(?:\s+(\S.*))?$")
_OPTION = {
    "Options": re.compile(r"([A-Za-z][\w ]{0,40}?) *: ?(.*)$"),
    "Summary": re.compile(r"([A-Za-z][\w ]{0,40}?) *= *(.*)$"),
    "TEST": re.compile(r"([A-Za-z][\w /]{0,50}?)=(.*)$"),
}
_MAXIMUM = re.compile(r"Max (Write|Read): +(\S+) MiB/sec \((\S+) MB/sec\)$")
_TASK = re.compile(r"task (\d{1,9}) on (\S+)$")
_COMMENCING = re.compile(r"Commencing (write|read) performance test[:.] *(.*)$")
_HEADER = re.compile(r"(access|Operation)\s+(bw|Max) ?\(")
_TITLES = re.compile(r"(Summary of all tests|Results):$")


def recognise(head: Head) -> bool:
    """Whether the file is text output of IOR, or of what its users mistake for it."""
    return words.dialect(head) == "text"


def read(raw: RawFile, out: Reading) -> None:
    """Read all runs of the file.

    Raises
    ------
    Refused
        If it is the output of another tool, or IOR failed before it started.
    """
    _refuse_others(raw.head)
    reader = _Reader(out)
    for line, text in words.without_environment(raw.lines(), out):
        out.account(line, text, reader.take(line, text.strip()))
    reader.log.finish()
    if not reader.log.started:
        place, said = reader.log.first_error or (1, "")
        raise Refused(
            f"IOR stopped before any test: {said}" if said else "IOR stopped before any test",
            "there are no results in it; put the command right and run IOR again",
            line=place,
        )


def _refuse_others(head: Head) -> None:
    if not re.search(rf"^\s*{words.BANNER.pattern}", head.text, re.M):
        for tool, mark in _OTHER_TOOLS.items():
            if re.search(mark, head.text, re.M):
                raise Refused(
                    f"is output of {tool}, which comes with IOR but measures metadata",
                    f"no reader for {tool} exists; leave the file out",
                )
    if words.only_names_a_file(head):
        names = {match[1] for line in head.lines if (match := words.ELSEWHERE.match(line))}
        raise Refused(
            "holds no results: IOR says that it wrote them to another file",
            "take " + ", ".join(sorted(names)[:3]),
        )


class _Reader:
    """Takes one line after the other; each method handles some kinds of line.

    A method returns None if the line is not of its kind, True if its content is kept,
    and False if there is nothing in it to keep.
    """

    def __init__(self, out: Reading) -> None:
        self.log = Log(out)
        self.layout: Layout | None = None
        self.block = ""
        self.options_read = 0
        self.commenced: dict[str, Any] = {}
        self.awaits_date = ""

    def take(self, line: int, text: str) -> bool | None:
        kinds = (
            self.blank, self.row, self.header, self.message, self.option, self.key, self.value,
        )  # fmt: skip
        try:
            return next((kept for kind in kinds if (kept := kind(line, text)) is not None), None)
        except ValueError:
            return None

    def blank(self, _: int, text: str) -> bool | None:
        if words.RULE.match(text) or not text:
            if self.options_read:
                self.block = ""
            return False
        return None

    def row(self, line: int, text: str) -> bool | None:
        if text.split(None, 1)[0] not in words.OPERATIONS or self.layout is None:
            return None
        values: dict[str, Any] = self.layout.row(text)
        if not_finite(text):
            self.log.remark_once(line, "prints nan or inf in places: kept as no value")
        if self.layout.table is SUMMARY:
            self.log.summary(line, values, values.pop("aggregate_mib", None))
        else:
            values["began"] = self.commenced.pop(values["operation"], None)
            self.log.iteration(line, values)
        return True

    def new_run(self, line: int) -> Run:
        self.layout, self.block, self.commenced = None, "", {}
        return self.log.start_run(line)

    def header(self, line: int, text: str) -> bool | None:
        if match := words.BANNER.match(text):
            self.new_run(line).version = match[1]
            return True
        if _TITLES.match(text):
            self.block = ""
            return False
        if match := _OPTIONS.match(text):
            test = self.log.test(line)
            if test.described:
                test = self.log.test(line, test.number + 1)
            # TEST: lists all parameters of a test before its Summary: does, at -vvv.
            test.described = match[1] != "TEST"
            self.block, self.options_read = match[1], 0
            return self.option(line, match[2]) if match[2] else False
        if not _HEADER.match(text):
            return None
        self.layout, self.block = layout(text), ""
        if self.layout is None:
            return None
        if self.layout.version:
            self.log.run(line).guess_version(self.layout.version)
        elif self.log.run(line).inferred == "3.2+":
            self.log.run(line).guess_version("3.2.x")
        return False

    def message(self, line: int, text: str) -> bool | None:
        level = words.message_level(text)
        if level is None:
            return None
        if match := _COMMENCING.match(text):
            self.awaits_date = "" if match[2] else match[1]
            self.commenced[match[1]] = words.ctime(match[2])
        self.log.message(line, level, text)
        return True

    def option(self, line: int, text: str) -> bool | None:
        match = _OPTION[self.block].match(text) if self.block else None
        if not match:
            self.block = ""
            return None
        options = self.log.test(line).options
        # TEST: lists every parameter; what Summary: prints of the same name is for people.
        options[match[1]] = match[2]
        self.options_read += 1
        return True

    def key(self, line: int, text: str) -> bool | None:
        match = _KEY.match(text)
        if not match:
            return None
        key, value = match[1], match[3].strip()
        if key in ("Run began", "Began"):
            return self.began(line, key, padded=bool(match[2]), value=value)
        run = self.log.run(line)
        if key in ("Command line used", "Command line"):
            run.command = run.command or value
        elif key == "Machine":
            run.machine = run.machine or value
        elif key == "TestID":
            self.log.test(line, words.whole(value) or 0)
        elif key == "StartTime":
            self.log.test(line).began = words.ctime(value)
        elif key in ("Run finished", "Finished"):
            run.finished, run.ended = words.ctime(value), True
        else:
            self.log.test(line).options[key] = value
        return True

    def began(self, line: int, key: str, *, padded: bool, value: str) -> bool | None:
        date = words.ctime(value)
        if date is None:
            return None
        run = self.log.run(line)
        if run.began or run.tests or run.ended:
            run = self.new_run(line)
        run.began = date
        run.guess_version("2.10.x" if key == "Run began" else "3.2+" if padded else "2.999-3.1")
        return True

    def value(self, line: int, text: str) -> bool | None:
        if match := _TEST_STARTED.match(text):
            self.log.test(line, int(match[1])).began = words.ctime(match[2])
        elif match := _MAXIMUM.match(text):
            mib, mb = words.number(match[2]), words.number(match[3])
            self.log.maximum(line, match[1].lower(), mib, mb)
        elif match := _TASK.match(text):
            hosts = self.log.test(line).hosts
            hosts[match[2]] = hosts.get(match[2], 0) + 1
        elif self.awaits_date and (date := words.ctime(text)):
            # IOR 2.10 prints the date of 'Commencing ...' on a line of its own.
            self.commenced[self.awaits_date], self.awaits_date = date, ""
        else:
            return None
        return True
