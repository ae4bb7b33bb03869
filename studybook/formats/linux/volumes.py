"""What the outputs of LVM have in common: sizes, and rows of volumes by LVM's own field names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from studybook.formats.captures.section import Section
from studybook.formats.captures.sizes import is_doubtful, size_bytes
from studybook.formats.names import pairs

_PV = pairs("""
    pv_name=device vg_name=volume_group pv_fmt=format pv_attr=attributes pv_size=size pv_free=free
    pv_uuid=uuid
""")
_LV = pairs("""
    lv_name=volume vg_name=volume_group lv_attr=attributes lv_size=size lv_uuid=uuid
    seg_count=segments
""")
_SEGMENT = {"segtype": "kind", "stripes": "stripes", "stripe_size": "stripe_size"}
_DEVICE = re.compile(r"([^(),\s]{1,200})\(([0-9]{1,18})\)")


class Volumes(Section):
    """An output of LVM."""

    #: The command that prints such an output.
    name = ""

    def put(self, table: str, line: int, texts: Mapping[str, str | None], **values: Any) -> None:
        """Add a row with the command, the host and the number of the output, and bytes of sizes."""
        kinds = self.out.columns(table)
        for column in ("size", "free", "stripe_size"):
            if column in kinds and (text := texts.get(column)):
                values[f"{column}_bytes"] = size_bytes(text)
                if is_doubtful(text):
                    self.say(
                        line,
                        f"sizes like {text.strip()} are of powers of 1000 or of 1024, depending on"
                        " the release: no bytes are taken from them; use --units b",
                    )
        self.row(table, line, {"command": self.name, **texts}, **values)

    def detail(self, line: int, subject: str, name: str, value: str | None) -> None:
        """Add something that has no column."""
        self.put(
            "linux_volume_property", line, {"subject": subject, "property": name, "value": value}
        )

    def physical(self, line: int, fields: dict[str, str]) -> bool:
        """Add a physical volume from LVM's fields; False if it has no name."""
        texts = {column: _stripped(fields.pop(key, None)) for key, column in _PV.items()}
        if not texts["device"]:
            return False
        self.put("linux_physical_volume", line, texts)
        for name, value in fields.items():
            self.detail(line, texts["device"], name, value.strip())
        return True

    def logical(self, line: int, fields: dict[str, str], segment_no: int) -> bool:
        """Add a segment of a logical volume, with the volume itself where it is the first.

        Parameters
        ----------
        line : int
            Where it stands.
        fields : dict
            LVM's fields; each segment of a volume repeats those of the volume.
        segment_no : int
            Which segment of the volume it is, counted from 1.
        """
        texts = {column: _stripped(fields.pop(key, None)) for key, column in _LV.items()}
        segment = {column: _stripped(fields.pop(key, None)) for key, column in _SEGMENT.items()}
        devices = fields.pop("devices", "")
        if not texts["volume"]:
            return False
        of = {name: texts[name] for name in ("volume", "volume_group")}
        if segment_no == 1:
            self.put("linux_logical_volume", line, texts)
        if devices or any(segment.values()):
            self.put("linux_logical_volume_segment", line, of | segment, segment_no=segment_no)
        for number, (device, extent) in enumerate(_DEVICE.findall(devices)):
            where = of | {"device": device, "first_extent": extent}
            self.put(
                "linux_logical_volume_stripe", line, where, segment_no=segment_no, stripe_no=number
            )
        subject = "/".join(filter(None, (of["volume_group"], of["volume"])))
        for name, value in fields.items():
            self.detail(line, subject, name, value.strip())
        return True


def _stripped(text: str | None) -> str | None:
    return (text or "").strip() or None
