"""``lvdisplay`` of LVM, with or without ``-m``: logical volumes, their segments and stripes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from studybook.formats.captures.section import Line, Start
from studybook.formats.linux.lvm import Volumes, subject_of
from studybook.formats.names import pairs

_TITLE = re.compile("--- Logical volume ---")
_SEGMENTS = re.compile("--- Segments ---")
_COLUMNS = pairs("""
    VG Name=volume_group; LV UUID=uuid; LV Status=status; LV Size=size; Current LE=extents;
    Segments=segments
""")
#: Labels that are told from their values even where a transcription squeezed the blanks.
_LABEL = re.compile(
    r"(?P<label>LV Path|LV Name|VG Name|LV UUID|LV Write Access|LV Creation host, time|LV Status"
    r"|LV snapshot status|LV Pool name|LV Pool metadata|LV Pool data|LV Thin origin name"
    r"|LV merging to|LV external origin name|LV Size|LV Type|# open|Current LE|Mirrored volumes"
    r"|Segments|Allocation|Allocated to snapshot|Allocated pool data|Allocated metadata"
    r"|Allocated pool chunks|Mapped size|COW-table size|COW-table LE|Snapshot chunk size"
    r"|Read ahead sectors|- currently set to|Block device|Persistent major|Persistent minor"
    r"|LV Cache pool name|LV Cache origin name|LV read ahead) (?P<value>\S.{0,400})"
)
_SEGMENT = re.compile(
    r"Logical extents? (?P<first_extent>[0-9]{1,40}) to (?P<last_extent>[0-9]{1,40}):"
)
_OF_SEGMENT = re.compile(
    r"(?P<label>Type|Stripes|Stripe size|Mirrors|Mirror size|Mirror log volume|Mirror region size"
    r"|Monitoring|Chunk size|Discards|Device ID|Thin count|Transaction ID|Zero new blocks"
    r"|Logical volume|Raid (?:Data|Metadata) LV [0-9]{1,3}|Physical volume"
    r"|Virtual size) (?P<value>\S.{0,400})"
)
_SEGMENT_COLUMNS = {"Type": "kind", "Stripes": "stripes", "Stripe size": "stripe_size"}
_STRIPE = re.compile(r"(?:Stripe (?P<stripe_no>[0-9]{1,9})|Mirror (?:original|destinations)):")
_EXTENTS = re.compile(
    r"Physical extents (?P<first_extent>[0-9]{1,40}) to (?P<last_extent>[0-9]{1,40})"
)


@dataclass
class Display(Volumes):
    """Any number of volumes, each below its title."""

    texts: dict[str, str | None] = field(default_factory=dict, init=False)
    details: list[tuple[int, str, str]] = field(default_factory=list, init=False)
    segment: tuple[int, dict[str, str | None]] = field(default_factory=lambda: (0, {}), init=False)
    stripes: list[tuple[int, dict[str, str | None]]] = field(default_factory=list, init=False)

    name = "lvdisplay"
    #: Whether a volume's title stands above.
    titled = True
    line = 0
    segment_no = 0
    stripe_no: str | None = None
    device: tuple[int, str] | None = None

    def expects(self, line: Line) -> bool:
        """The title of the next volume: all that one command prints is one output."""
        return bool(_TITLE.fullmatch(line.squeezed))

    def _take(self, line: Line) -> bool | None:
        text = line.squeezed
        if _TITLE.fullmatch(text):
            self.close()
            self.titled = True
            return False
        if not self.titled:
            return None
        if _SEGMENTS.fullmatch(text) and self.texts:
            return False
        if segment := _SEGMENT.fullmatch(text):
            if not self.texts:
                return None
            self._end_segment()
            self.segment_no += 1
            self.segment = (line.number, segment.groupdict())
        elif self.segment_no:
            if not self._of_segment(line, text):
                self._stop(line)
                return None
        elif (label := _LABEL.fullmatch(text)) and label["label"] not in {
            each for _, each, _ in self.details
        }:
            self._label(line, label["label"], label["value"])
        else:
            self._stop(line)
            return None
        return True

    def _label(self, line: Line, label: str, value: str) -> None:
        self.line = self.line or line.number
        self.details.append((line.number, label, value))
        if label in ("LV Name", "LV Path"):
            # Old releases give the path as the name; it has the volume group in it.
            self.texts["volume"] = value.rpartition("/")[2]
        elif label in _COLUMNS:
            self.texts[_COLUMNS[label]] = value

    def _of_segment(self, line: Line, text: str) -> bool:
        if stripe := _STRIPE.fullmatch(text):
            self.stripe_no = stripe["stripe_no"]
        elif extents := _EXTENTS.fullmatch(text):
            if self.device is None:
                return False
            self._end_stripe(extents.groupdict())
        elif found := _OF_SEGMENT.fullmatch(text):
            label, value = found.groups()
            if label == "Physical volume":
                self._end_stripe({})
                self.device = (line.number, value)
            elif label in _SEGMENT_COLUMNS:
                self.segment[1][_SEGMENT_COLUMNS[label]] = value
            else:
                self.details.append((line.number, f"segment {self.segment_no}: {label}", value))
        else:
            return False
        return True

    def _end_stripe(self, extents: dict[str, str | None]) -> None:
        if self.device:
            line, device = self.device
            where = extents | {"device": device, "stripe_no": self.stripe_no}
            self.stripes.append((line, where))
        self.device = None

    def _stop(self, line: Line) -> None:
        """End the volume at the title of something else, whose lines must not count for this."""
        if line.squeezed.startswith("--- "):
            self.close()
            self.titled = False

    def _of(self) -> dict[str, str | None]:
        return {name: self.texts.get(name) for name in ("volume", "volume_group")}

    def _end_segment(self) -> None:
        self._end_stripe({})
        number, texts = self.segment
        if texts:
            of = self._of()
            self.put("linux_logical_volume_segment", number, of | texts, segment_no=self.segment_no)
            for place, (line, where) in enumerate(self.stripes):
                stripe_no = where["stripe_no"] or str(place)
                self.put(
                    "linux_logical_volume_stripe",
                    line,
                    of | where | {"stripe_no": stripe_no},
                    segment_no=self.segment_no,
                )
        self.segment, self.stripes = (0, {}), []
        self.stripe_no = None

    def close(self) -> None:
        """Hand over the volume."""
        self._end_segment()
        if self.texts:
            self.put("linux_logical_volume", self.line, self.texts)
            subject = subject_of(self.texts)
            known = {*_COLUMNS, "LV Name"}
            for number, label, value in self.details:
                if label not in known:
                    self.detail(number, subject, label, value)
        self.line, self.texts, self.details, self.segment_no = 0, {}, [], 0


STARTS = (Start(_TITLE.pattern, Display),)
