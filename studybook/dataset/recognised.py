"""Formats of raw files, remembered: each file is recognised once, not by every load notebook.

What is remembered goes by the hash of a file's content, and holds for the version of the readers
that found it.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from studybook.code import reach_digest, text_digest
from studybook.formats import FOLDER, Format, RawFile, named, plugged_files, recognise


def _code() -> str:
    """Hash of everything that recognises files."""
    return " ".join([text_digest(FOLDER), *map(reach_digest, plugged_files())])


class Recognised:
    """The formats of a data set's files.

    Parameters
    ----------
    memory : pathlib.Path
        Where they are kept; need not be there.
    """

    def __init__(self, memory: Path) -> None:
        self._memory = memory
        self._names: dict[str, str] = {}
        self._new = False
        try:
            kept = json.loads(memory.read_text(encoding="utf-8"))
            if kept["code"] == _code():
                self._names = kept["formats"]
        except (OSError, ValueError, KeyError, TypeError):
            pass  # nothing is remembered, or nothing that can be read: look at the files

    def format(self, path: Path, sha256: str) -> Format:
        """Return the format of a file.

        Raises
        ------
        Refused
            If it has none.
        """
        if known := self._names.get(sha256):
            return named(known)
        found = recognise(RawFile(path))
        self._names[sha256] = found.name
        self._new = True
        return found

    def keep(self) -> None:
        """Remember what was found, for the next time; who may only read goes on without."""
        if not self._new:
            return
        temporary = self._memory.with_suffix(f".{os.getpid()}.tmp")
        with suppress(OSError):
            self._memory.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps({"code": _code(), "formats": self._names}))
            temporary.replace(self._memory)
