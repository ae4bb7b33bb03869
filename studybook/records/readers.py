"""The code that makes records of raw files: they are made again where it says something else."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from studybook.code import code_digest, reach_digest
from studybook.formats import named, plugged_in, reader_file

#: The code between readers and records, whichever format these are of.
_INTO_RECORDS = ("load/read.py", "../formats/whole_file.py")


def format_code(name: str) -> str:
    """Hash of the code that reads a format, with all that it is made of, tables beside it too."""
    code = reach_digest(reader_file(name))
    if plugged_in(name):  # it may make its tables of anything
        code = hashlib.sha256(f"{code} {named(name).tables!r}".encode()).hexdigest()
    return code


@cache
def reader_code(names: tuple[str, ...]) -> str:
    """Hash of all code between the raw files of some formats and their records."""
    here = Path(__file__).parent
    parts = [code_digest(here / name) for name in _INTO_RECORDS] + [format_code(n) for n in names]
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()
