"""JTL files as XML: samples, with their parts nested in them.

Elements are read as the parser meets them; no tree is built. What a sample is stands in its
start tag, so a file that was cut gives every sample that was begun. Where the text is no XML,
reading goes on with the next line that begins a sample.
"""

from __future__ import annotations

import re
from typing import Any
from xml.parsers import expat

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.jtl.columns import ATTRIBUTES, SAMPLE, begin_ms, values_of
from studybook.formats.jtl.passes import Passes
from studybook.formats.raw import Head, RawFile

_START = re.compile(r"\ufeff?\s*(?:<\?[^>]*\?>\s*){0,5}<testResults[\s>/]")
#: How a line begins where reading can start anew.
_ANEW = re.compile(
    r"\s*<(?:\?xml\s|testResults[\s>]|(httpSample|sample|statSample|sampleResult)\s)"
)

_SAMPLES = frozenset({"httpSample", "sample", "statSample", "sampleResult"})

#: JMeter goes down ten levels; markup of other kinds adds a few.
_DEEPEST = 40

#: Rows of one sample with its parts that are kept until it ends, and lines of one start tag.
_MOST = 1_000

#: A part begins within its sample's time; clocks of threads differ by less than this, in ms.
_JITTER_MS = 1_000


def recognise(head: Head) -> bool:
    """Whether the file's root is that of JMeter's results."""
    return bool(_START.match(head.text))


def read(raw: RawFile, out: Reading) -> None:
    """Read the samples of the file.

    Raises
    ------
    Refused
        If there is none, or if the file declares entities.
    """
    reader = _Reader(out)
    for number, text in raw.lines():
        reader.line(number, text)
    reader.close()
    if not reader.samples:
        raise Refused(
            "has the root of JMeter's results, but no sample that could be read",
            "run the test again, and copy the file when JMeter has ended",
            line=out.first_unknown,
        )


class _Reader:
    """Feeds the parser line by line, and accounts for each by what the parser met in it."""

    def __init__(self, out: Reading) -> None:
        self.out = out
        self.passes = Passes()
        self.samples = 0
        self.last_line = 0
        self.broken: list[int] = []  # lines at which the text was no XML
        self.waiting: list[tuple[int, str]] = []  # lines of a tag that is not whole yet
        self.begin(synthetic_root=False)

    # --- lines --------------------------------------------------------------------------

    def begin(self, *, synthetic_root: bool) -> None:
        """Start a parser: at the start of a document, or at a sample in mid-file."""
        self.path: list[tuple[str, dict[str, Any] | None]] = []
        self.base = 0
        self.rows: list[dict[str, Any]] = []
        self.text = ""
        self.ended = False
        self.parser: expat.XMLParserType | None = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.ProcessingInstructionHandler = self.instruction
        self.parser.XmlDeclHandler = self.instruction
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.forget()
        if synthetic_root:
            self.parser.Parse(b"<testResults>")
            self.forget()

    def forget(self) -> None:
        """Begin a line: nothing was met in it."""
        self.met = self.met_sample = self.met_other = False

    def line(self, number: int, text: str) -> None:
        """Read a line."""
        self.last_line = number
        anew = _ANEW.match(text)
        if anew and (self.parser is None or self.ended):
            self.begin(synthetic_root=anew[1] is not None)
        if self.parser is None:
            self.out.unknown(number, text)
            return
        inside = self.has_sample
        self.forget()
        try:
            self.parser.Parse(text.encode(errors="replace") + b"\n")
        except (expat.ExpatError, _TooDeepError):
            stopped = inside or bool(self.waiting)
            self.stop(number)
            if anew and stopped:
                # What came before was cut; this line may be whole.
                self.begin(synthetic_root=anew[1] is not None)
                self.line(number, text)
            else:
                self.out.unknown(number, text)
            return
        if not self.met and not self.ended and (self.waiting or text.strip()):
            # A tag goes on; the parser looks at it anew with each line.
            self.waiting.append((number, text))
            if len(self.waiting) > _MOST:
                self.stop(number)
            return
        self.account([*self.waiting, (number, text)], inside=inside)
        self.waiting = []

    def account(self, lines: list[tuple[int, str]], *, inside: bool) -> None:
        """Account for lines by what was met in them."""
        for number, text in lines:
            if self.met_other:
                self.out.unknown(number, text)
            elif inside or self.met_sample:
                self.out.used()
            else:
                self.out.heading()

    def stop(self, number: int) -> None:
        """Leave the parser: the text is no XML from here on."""
        self.broken.append(number)
        self.hand_over()
        for waiting in self.waiting:
            self.out.unknown(*waiting)
        self.waiting = []
        self.parser = None

    def close(self) -> None:
        """Hand over the last samples, and say how the file ends."""
        cut = self.parser is not None and not self.ended
        inside = self.has_sample
        self.hand_over()
        for number, text in self.waiting:
            self.out.unknown(number, text)
        if self.broken:
            self.out.remark(
                self.broken[0],
                f"the text is no XML at {len(self.broken)} places, here first: samples that were"
                " begun before are kept, reading goes on at the next sample",
            )
        if cut:
            self.out.remark(
                self.last_line,
                "the file ends in mid-sample: it was cut" if inside or self.waiting else
                "the file ends without </testResults>: it was cut, or JMeter was still running",
            )  # fmt: skip

    # --- what the parser meets ----------------------------------------------------------

    @property
    def has_sample(self) -> bool:
        """Whether a sample is open."""
        return any(name in _SAMPLES for name, _ in self.path)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element: a sample, or what belongs to one."""
        self.met = True
        self.text = ""
        if len(self.path) >= _DEEPEST:
            raise _TooDeepError
        row = None
        if name in _SAMPLES:
            self.met_sample = True
            row = self.sample(attributes)
            self.met_other |= row is None
        elif self.path and not self.has_sample:
            self.met_other = True
        self.path.append((name, row))

    def sample(self, attributes: dict[str, str]) -> dict[str, Any] | None:
        """Read the attributes of a sample; None if they are none of a sample's."""
        given: dict[str, str] = {}
        for key, value in attributes.items():
            if key in ATTRIBUTES:
                # Variables of the test plan come last, and may have any name.
                given.setdefault(ATTRIBUTES[key], value)
        row = values_of(given.items()) if "elapsed" in given else None
        if row is None:
            return None
        wholes = [each for _, each in self.path[self.base :] if each]
        if wholes and not _is_part(row, wholes[-1]):
            # The end of the sample before is missing.
            self.base = len(self.path)
            wholes = []
        if not wholes or len(self.rows) >= _MOST:
            self.hand_over()
        line = self.waiting[0][0] if self.waiting else self.last_line
        # What a Transaction Controller holds are requests of their own.
        requests = [whole for whole in wholes if not whole["is_transaction"]]
        self.rows.append({**row, "depth": len(requests), "line": line})
        return self.rows[-1]

    def end(self, name: str) -> None:
        """End an element."""
        self.met = True
        text, self.text = self.text.strip(), ""
        self.path.pop()
        self.base = min(self.base, len(self.path))
        self.ended = not self.path
        owner = next((row for _, row in reversed(self.path) if row), None)
        above = self.path[-1][0] if self.path else ""
        if name in _SAMPLES:
            self.met_sample = True
            if not self.has_sample:
                self.hand_over()
        elif owner is None or not text:
            return
        elif name in ("java.net.URL", "url") and above in _SAMPLES:
            owner["url"] = text
        elif name == "failureMessage" and above == "assertionResult" and not owner.get("success"):
            owner["failure_message"] = owner.get("failure_message") or text

    def characters(self, text: str) -> None:
        """Keep the text of an element; outside of samples there is none."""
        if self.has_sample:
            self.met = True
            if len(self.text) < _MOST:
                self.text += text[:_MOST]
        elif text.strip():
            self.met = self.met_other = True

    def instruction(self, *_: Any) -> None:
        """Pass over a declaration."""
        self.met = True

    def doctype(self, *_: Any) -> None:
        """Refuse a document type: it may declare entities that fill all memory."""
        raise Refused(
            "declares a document type, which JMeter does not",
            "copy the file again from where JMeter wrote it",
            line=self.last_line,
        )

    def hand_over(self) -> None:
        """Hand over the samples that are known."""
        # A sample stands before its parts, and ends with them.
        whole = self.rows[0] if self.rows else {}
        if whole.get("time_local"):
            took = whole["elapsed_ms"] + (whole.get("idle_ms") or 0)
            if self.passes.one((begin_ms(whole) or 0) + took):
                self.rows = [{**row, "set_back": True} for row in self.rows]
        for row in self.rows:
            self.out.record(SAMPLE.name, **row)
        self.samples += len(self.rows)
        self.rows = []


class _TooDeepError(Exception):
    """Elements within each other as JMeter never writes them."""


def _is_part(row: dict[str, Any], whole: dict[str, Any]) -> bool:
    """Whether a sample nested in another one can be a part of it."""
    if row.get("thread") != whole.get("thread"):
        return False
    begin, whole_begin = begin_ms(row), begin_ms(whole)
    if begin is None or whole_begin is None:
        return True
    took = whole["elapsed_ms"] + (whole.get("idle_ms") or 0)
    return bool(begin <= whole_begin + max(took, 0) + _JITTER_MS)
