"""``sadf -x``: XML, read element by element as the parser meets them; no tree is built.

sadf writes comments as they were typed: markup in them is escaped here first. A file that
declares entities is refused: sadf declares none, and they may be made to fill all memory.
"""

from __future__ import annotations

import re
from xml.parsers import expat
from xml.sax.saxutils import escape

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.raw import Head, RawFile
from studybook.formats.sar.sadf_export import Export
from studybook.formats.sar.sadf_names import known
from studybook.formats.sar.sadf_sample import Samples

_START = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE\s+(?:sysstat|Configure)\b[^>]*>\s*)?<sysstat[\s>]"
)
_ENTITY = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<!DOCTYPE\s+sysstat\b")
#: One attempt a line: blanks at its start, then the element, as sadf prints it.
_COMMENT = re.compile(
    r'^([ \t]*<comment\s[^\n]{0,300}?\scom=")(.*)("[ \t]*/>[ \t]*)$', re.MULTILINE
)
_LOOSE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)|[<\"]")
_BLOCK = 1024 * 1024

#: Elements whose values are in elements of their own: one row each.
_GATHERED = frozenset({"memory", "hugepages", "io"})
#: Those that were so until release 9.0.5, and have attributes since.
_ONCE_GATHERED = frozenset({"kernel"})

#: Attributes that say what the values are, and are none.
_LABELS = frozenset({"per", "unit"})

#: Elements within a host that tell of it.
_FACTS = frozenset({"release", "machine", "number-of-cpus", "file-date"})


def recognise(head: Head) -> bool:
    """Whether the file starts as ``sadf -x`` does."""
    return bool(_START.match(head.text) or _ENTITY.match(head.text))


def read(raw: RawFile, out: Reading) -> None:
    """Read the samples of every host, and their restarts and comments.

    Raises
    ------
    Refused
        If the file is no XML, ends too early, or declares entities.
    """
    reader = _Reader(Samples(Export(out), raw))
    lines = 0
    try:
        for first, block in raw.blocks(_BLOCK):
            lines = first - 1 + block.count(b"\n")
            if b'com="' in block:
                block = _escaped(block, first, out)
            reader.parser.Parse(block)
        reader.parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise Refused(
            f"is not the XML that sadf -x prints: {expat.ErrorString(error.code)}",
            "export it again, with the whole output in the file: LC_ALL=C sadf -x FILE -- -A",
            line=error.lineno,
        ) from error
    reader.samples.finish(lines)


def _escaped(block: bytes, first: int, out: Reading) -> bytes:
    text = block.decode()

    def put_right(match: re.Match[str]) -> str:
        start, comment, end = match.groups()
        if _LOOSE.search(comment):
            line = first + text.count("\n", 0, match.start(1))
            out.repaired(line, "a comment with quotes or markup in it, not escaped")
            comment = escape(comment, {'"': "&quot;"})
        return f"{start}{comment}{end}"

    return _COMMENT.sub(put_right, text).encode()


class _Reader:
    def __init__(self, samples: Samples) -> None:
        self.samples = samples
        self.path: list[str] = []
        self.group = ""  # the element whose values are being gathered
        self.gathered: dict[str, str | None] = {}
        self.interface: str | None = None
        self.began = 0
        self.text = ""
        self.parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.EntityDeclHandler = self.entity

    @property
    def line(self) -> int:
        return self.parser.CurrentLineNumber

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.text = ""
        if len(self.path) > 20:
            raise self.refusal("elements stand too deep within each other")
        path, line, samples = self.path, self.line, self.samples
        parent = path[-1] if path else ""
        path.append(name)
        if name == "host":
            samples.host(line)
            samples.fact("nodename", attributes.get("nodename", ""))
            samples.account(line, line)
        elif samples.export.report_no < 0:
            return
        elif name == "timestamp":
            samples.begin(attributes, line, line)
        elif name == "boot":
            samples.restart(attributes, line, line)
        elif name == "comment":
            samples.comment(attributes, line, line)
        elif "timestamp" in path:
            self.values(name, parent, attributes, line)

    def values(self, name: str, parent: str, attributes: dict[str, str], line: int) -> None:
        leaf: dict[str, str | None] = {
            key: value for key, value in attributes.items() if key not in _LABELS
        }
        if name == "net-device":
            # To release 8.0 the name of an interface stands around its values, not beside them.
            self.interface = leaf.get("iface")
            self.samples.account(line, line)
            return
        if name in ("net-dev", "net-edev") and self.interface and "iface" not in leaf:
            leaf = {"iface": self.interface, **leaf}
        gathered = name in _GATHERED or (name in _ONCE_GATHERED and not leaf)
        if gathered and not self.group:
            self.group, self.gathered, self.began = name, leaf, line
        elif self.group:
            self.gathered |= leaf
        elif leaf:
            group = name if known(name) or not known(parent) else parent
            self.samples.values(group, leaf, line, line)

    def end(self, name: str) -> None:
        self.path.pop()
        text, self.text = self.text.strip(), ""
        if self.group:
            if text:
                self.gathered[name] = text
            if name == self.group and self.group not in self.path:
                if self.gathered:
                    last = self.line if self.line == self.began else self.line - 1
                    self.samples.values(name, self.gathered, self.began, last)
                self.group = ""
        elif name in _FACTS and self.path[-1:] == ["host"] and self.samples.fact(name, text):
            self.samples.account(self.line, self.line)

    def characters(self, data: str) -> None:
        if len(self.text) < 1000:
            self.text += data

    def entity(self, name: str, *_: object) -> None:
        raise self.refusal(f"declares an entity, {name[:60]}, which sadf -x never does")

    def refusal(self, reason: str) -> Refused:
        """Say what is wrong, and where."""
        return Refused(reason, "export it again: LC_ALL=C sadf -x FILE -- -A", line=self.line)
