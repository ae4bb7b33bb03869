"""Raw formats: one tool a package, found by being there.

A tool is a package in this folder (or a module) that has ``FORMAT = Format(...)``, or several
of them in ``FORMATS``; it is found by being there. Other packages add theirs by the entry-point
group ``studybook.formats``, a book by a file in its ``pipelines/formats/``.
"""

from studybook.formats.contract import Format, Hints, Reading, Sink, Table
from studybook.formats.mapped import mapped_format
from studybook.formats.raw import RawFile
from studybook.formats.recognition import recognise
from studybook.formats.registry import (
    FOLDER,
    all_formats,
    every_format,
    known_names,
    named,
    plugged_files,
    plugged_in,
    reader_file,
    source_of,
    summaries,
)
from studybook.formats.whole_file import read

__all__ = [
    "FOLDER", "Format", "Hints", "RawFile", "Reading", "Sink", "Table", "all_formats",
    "every_format", "known_names", "mapped_format", "named", "plugged_files",
    "plugged_in", "read", "reader_file", "recognise",
    "source_of", "summaries",
]  # fmt: skip
