"""Reading a raw file by its format, with what is said of any file, whatever its format."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from studybook.formats.contract import CUT, Format, Hints, Reading, Sink
from studybook.formats.failure import failing_in_words
from studybook.formats.raw import RawFile
from studybook.formats.recognition import recognise, refuse_prefixed
from studybook.formats.repetition import Repetition
from studybook.formats.unlike import differences
from studybook.text import counted


def read(
    path: Path, sink: Sink, hints: Hints | None = None, known: Format | None = None
) -> tuple[Format, Reading]:
    """Recognise a file and read it.

    Parameters
    ----------
    path : pathlib.Path
        The raw file.
    sink : callable
        Called with a table's name and an Arrow table for each batch of rows.
    hints : Hints, optional
        What the run's manifest knows and the file does not say.
    known : Format, optional
        The file's format, where it was recognised before.

    Returns
    -------
    tuple of Format and Reading
        What the file is, and the account of its lines.

    Raises
    ------
    Refused
        With the path filled in.
    """
    raw = RawFile(path)
    found = known or recognise(raw)
    beyond: list[Exception] = []

    def pass_on(table: str, rows: pa.Table) -> None:
        try:
            sink(table, rows)
        except Exception as error:
            beyond.append(error)
            raise

    reading = Reading(found.tables, pass_on, hints or Hints(), found.certainty)
    raw.ends_itself = found.ends_itself
    with failing_in_words(path, f"its reader ({found.name})", found, beyond):
        found.read(raw, reading)
        if 2 * reading.lines_not_understood > reading.lines and not raw.binary:
            refuse_prefixed(raw)
        if not raw.binary and (again := raw.repetition):
            _say_again(reading, raw, again)
        if reading.not_understood and not raw.binary:
            shown = {line for line, _ in reading.not_understood}
            reading.unlike = differences(raw, shown, reading.unread)
        if raw.cut_line:
            reading.unknown(*raw.cut_line)
            reading.unlike[raw.cut_line[0]] = "it has no line end"
            reading.remark(
                raw.cut_line[0],
                f"{CUT}: its last value may be cut, so it is not read;"
                " if it is whole, add the line end and read the file again",
            )
        if raw.hole:
            reading.remark(
                raw.hole,
                "NUL bytes: what stood there was never written, or was overwritten while the file"
                " was copied; copy it again from where it was recorded",
            )
        if raw.coloured:
            reading.repaired(1, "colours for a terminal were taken out of this file")
        if raw.mixed:
            reading.remark(1, "bytes that are no UTF-8 were read as Windows-1252")
        reading.finish()
    return found, reading


def _say_again(reading: Reading, raw: RawFile, again: Repetition) -> None:
    """Say that lines repeat all that stand before them."""
    if raw.repeated:
        last = raw.repeated[-1]
        said, why = (
            (f"this line is cut, and the file begins anew: to line {last}",
             "a whole export appended to one that broke off")
            if again.cut else
            (f"from here to line {last}", "an export that was appended to itself")
        )  # fmt: skip
        reading.heading(raw.count - reading.lines)
        reading.repaired(
            raw.repeated.start,
            f"{said}, the lines before it stand once more, to the letter ({why}): they are read"
            " once",
        )
    elif again.in_part:
        lines = raw.lines_of(again.start, again.end)
        reading.remark(
            1 + raw.lines_of(0, again.start),
            f"here the first {counted(lines, 'line')} of the file stand once more, to the letter,"
            " and others than there follow: two exports of the same time, of which one goes on"
            " longer? What both tell may count twice; keep the longer one alone",
        )
    elif again.cut:
        reading.remark(
            1 + raw.lines_of(0, again.start),
            "this line is cut, and the file begins anew, to the letter: each of the two counts;"
            " if one export broke off and was taken again, delete what stands above",
        )
    elif again.by_chance:
        times = "twice" if again.copies == 1 else f"{again.copies + 1} times"
        reading.remark(
            1,
            f"the file holds the same {times}, to the letter: each counts;"
            " if it was appended to itself, delete what is there again",
        )
