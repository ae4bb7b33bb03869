"""JTL files as CSV: with a header in any order, or as JMeter writes them without one."""

from __future__ import annotations

from studybook.errors import Refused
from studybook.formats.contract import Reading
from studybook.formats.jtl.layout import Layout, header_of, headless_of, is_headless
from studybook.formats.jtl.rows import Rows
from studybook.formats.raw import Head, RawFile

#: So many rows of the head are looked at before a file without a header is believed.
_LOOKED_AT = 200

WITH_HEADER = (
    "let JMeter write the names of the columns: jmeter.save.saveservice.print_field_names=true;"
    " in a file that is there already, put the line of names that belongs to it on top"
)


def recognise(head: Head) -> bool:
    """Whether the file begins with a header of JMeter's columns, or a row as JMeter writes it."""
    first = next((line for line in head.lines if line.strip()), "")
    return header_of(first) is not None or is_headless(first)


def read(raw: RawFile, out: Reading) -> None:
    """Read the samples of the file.

    Raises
    ------
    Refused
        If there is none, or if it cannot be told which column is which.
    """
    rows = Rows(out, _layout(raw, out))
    last_line = 0
    for line, block in raw.blocks():
        if raw.no_last_line_end:
            # JMeter ends each line: what has no end is cut, and its last number may be, too.
            last_line = line
            rows.close()
            out.unknown(line, block.decode().removesuffix("\n"))
        else:
            rows.take(line, block)
    rows.close()
    if last_line:
        out.remark(last_line, "the last line has no end: the file is cut off there")
    if not rows.samples:
        raise Refused(
            "has a header of JMeter's results, but no sample"
            if not out.lines_not_understood
            else "no row could be read: times, flags or numbers are not as JMeter prints them",
            "times must be in ms (jmeter.save.saveservice.timestamp_format=ms, the default) or"
            " like 2016/07/14 09:30:12.345",
            line=out.first_unknown,
        )
    if rows.parts.found:
        out.remark(
            1,
            f"{rows.parts.found} rows are parts of the sample before them in their thread, by"
            " label and time: kept, and not counted twice",
        )


def _layout(raw: RawFile, out: Reading) -> Layout:
    lines = [line for line in raw.head.lines if line.strip()]
    if layout := header_of(lines[0]):
        if not {"elapsed", "time"} & set(layout.names):
            raise Refused(
                "has no column elapsed: how long samples took was not saved",
                "run the test again with jmeter.save.saveservice.time=true",
                line=1,
            )
        if "timestamp" not in layout.names:
            out.remark(1, "there is no column timeStamp: the samples are in no interval")
        if layout.not_kept:
            names = ", ".join(layout.not_kept[:10])
            out.remark(1, f"{len(layout.not_kept)} columns are not kept: {names}")
        return layout
    # The last line of the head may be cut.
    layout = headless_of(lines[: max(min(_LOOKED_AT, len(lines) - 1), 1)])
    if layout is None:
        raise Refused(
            "has rows of JMeter's results without a header, and not the columns that JMeter saves"
            " by default: which column is which cannot be told",
            WITH_HEADER,
            line=1,
        )
    out.certainty = "inferred"
    out.remark(
        1,
        f"there is no header: the {len(layout.names)} columns are taken for those that JMeter"
        " saves by default, which no row contradicts",
    )
    return layout
