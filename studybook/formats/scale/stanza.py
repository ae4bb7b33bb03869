"""Input of ``mmcrnsd`` and the like: stanza files, and the colon descriptors before them."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Command, Line, Section, Start
from studybook.formats.contract import Reading
from studybook.formats.names import pairs

_KINDS = "nsd|pool|fs|rg|da|vdisk|pdisk|recoverygroup|declusteredarray|server|node"
_PAIRS = re.compile(r'([A-Za-z][\w-]{0,60})=("[^"]*"|\S*)')
_COLUMNS = pairs("""
    device=device nsd=nsd servers=servers usage=usage failuregroup=failure_group pool=pool
""")
_USAGE = "dataAndMetadata|dataOnly|metadataOnly|descOnly|localCache"


class Stanza(Section):
    """``%nsd:`` and the ``key=value`` pairs up to the next stanza."""

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the kind, and pairs behind it."""
        self.line = line.number
        self.texts: dict[str, str | None] = {"kind": match[1].lower()}
        self.other: list[str] = []
        rest = match[2].strip()
        if not rest:
            self.out.heading()
        elif not self.pairs(rest):
            self.out.unknown(line.number, line.text)

    def take(self, line: Line) -> bool:
        """Account for pairs or a comment."""
        if line.squeezed.startswith("#"):
            self.out.heading()
            return True
        return self.pairs(line.squeezed)

    def pairs(self, text: str) -> bool:
        """Account for a line that consists of pairs and nothing else."""
        found = _PAIRS.findall(text)
        if not found or " ".join(f"{key}={value}" for key, value in found) != text:
            return False
        for key, value in found:
            column = _COLUMNS.get(key.lower())
            if column and column not in self.texts:
                self.texts[column] = value.strip('"')
            else:
                self.other.append(f"{key}={value}")
        self.out.used()
        return True

    def close(self) -> None:
        """Hand over the row."""
        if len(self.texts) > 1 or self.other:
            self.row("scale_stanza", self.line, {**self.texts, "other": " ".join(self.other)})


_DESCRIPTOR = re.compile(
    rf"(?P<comment># ?)?(?P<disk>[^:\s#]+):(?P<primary>[^:\s]*):(?P<backup>[^:\s]*)"
    rf":(?P<usage>{_USAGE}):(?P<group>-?[0-9,]*)(?::(?P<name>[^:\s]*))?(?::(?P<pool>[^:\s]*))?:?"
)


class Descriptors(Section):
    """One disk per line; mmcrnsd turns the line into a comment and puts its own below."""

    begins_with_content = True

    def __init__(self, out: Reading, command: Command) -> None:
        super().__init__(out, command)
        self.original: tuple[int, dict[str, str | None]] | None = None

    def expects(self, line: Line) -> bool:
        """Further descriptors do not begin a new output."""
        return bool(_DESCRIPTOR.fullmatch(line.squeezed))

    def take(self, line: Line) -> bool:
        """Account for a descriptor or a comment."""
        match = _DESCRIPTOR.fullmatch(line.squeezed)
        if not match:
            if not line.squeezed.startswith("#"):
                return False
            self.out.heading()
            return True
        self.out.used()
        texts = _descriptor(match)
        if match["comment"]:
            self.close()
            self.original = (line.number, texts)
        elif self.original and self.original[1]["nsd"] == texts["nsd"]:
            stated = {column: text for column, text in texts.items() if text}
            self.row("scale_stanza", line.number, self.original[1] | stated)
            self.original = None
        else:
            self.close()
            self.row("scale_stanza", line.number, texts)
        return True

    def close(self) -> None:
        """Hand over an original that mmcrnsd did not replace."""
        if self.original:
            line, texts = self.original
            self.row("scale_stanza", line, texts | {"other": "commented out"})
            self.original = None


def _descriptor(match: re.Match[str]) -> dict[str, str | None]:
    name, disk = match["name"], match["disk"]
    # Without a name of its own the first field is a device before mmcrnsd, an NSD after it.
    is_device = bool(name) or disk.startswith("/dev/")
    return {
        "kind": "descriptor", "device": disk if is_device else None,
        "nsd": name if is_device else disk,
        "servers": ",".join(filter(None, (match["primary"], match["backup"]))),
        "usage": match["usage"], "failure_group": match["group"], "pool": match["pool"],
    }  # fmt: skip


STARTS = (
    Start(re.compile(rf"%({_KINDS}):(.*)", re.IGNORECASE), Stanza),
    Start(_DESCRIPTOR, Descriptors),
)
