"""Input of ``mmcrnsd`` and the like: stanza files, and the colon descriptors before them."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Section, Start
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
        elif self._pairs(rest):
            self.out.used()
        else:
            self.out.unknown(line.number, line.text)

    def _take(self, line: Line) -> bool | None:
        return False if line.squeezed.startswith("#") else self._pairs(line.squeezed) or None

    def _pairs(self, text: str) -> bool:
        """Take a line that consists of pairs and nothing else."""
        found = _PAIRS.findall(text)
        if not found or " ".join(f"{key}={value}" for key, value in found) != text:
            return False
        for key, value in found:
            column = _COLUMNS.get(key.lower())
            if column and column not in self.texts:
                self.texts[column] = value.strip('"')
            else:
                self.other.append(f"{key}={value}")
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
    original: tuple[int, dict[str, str | None]] | None = None

    def expects(self, line: Line) -> bool:
        """Further descriptors do not begin a new output."""
        return bool(_DESCRIPTOR.fullmatch(line.squeezed))

    def _take(self, line: Line) -> bool | None:
        match = _DESCRIPTOR.fullmatch(line.squeezed)
        if not match:
            return False if line.squeezed.startswith("#") else None
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
        if self.original and self.ends_file:
            self.say(
                self.original[0], "the file ends with a descriptor that is a comment: it gives no "
                "disk, for the one that takes its place may be cut off",
            )  # fmt: skip
        elif self.original:
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
    Start(rf"(?i:%({_KINDS})):(.*)", Stanza),
    Start(_DESCRIPTOR.pattern, Descriptors),
)
