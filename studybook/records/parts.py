"""Parts: raw files of one run and kind that are read together, into one folder of records.

A folder has its name by what the records are made of: the content of the files, what ``run.yml``
says of them, and the code that reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from studybook.dataset.inventory import Entry, Inventory
from studybook.records.folders import hash_of
from studybook.records.readers import reader_code
from studybook.text import few

#: Bytes of raw files in a part, and their number; a file that is larger is one by itself.
PART_BYTES, PART_FILES = 24 * 1024 * 1024, 24


@dataclass(frozen=True, eq=False)
class Part:
    """Raw files of one run and one source."""

    entries: tuple[Entry, ...]

    def __str__(self) -> str:
        """Its first file, and how many there are more."""
        return few([each.name for each in self.entries], 1)

    @property
    def run_id(self) -> str:
        """The run that they are of."""
        return self.entries[0].run.run_id

    @property
    def source(self) -> str:
        """The kind of raw export that they are."""
        return self.entries[0].source

    @property
    def size(self) -> int:
        """Bytes of the raw files."""
        return sum(entry.content.size for entry in self.entries)

    @cached_property
    def code(self) -> str:
        """Hash of the code that reads them."""
        return reader_code(tuple(sorted({entry.format for entry in self.entries})))

    @cached_property
    def folder(self) -> str:
        """Where the records lie, below the folder of all records."""
        return self.folder_of({entry.file_id: entry.sha256 for entry in self.entries})

    def folder_of(self, digests: Mapping[int, str]) -> str:
        """Where records lie that come from files with these hashes, by ``file_id``."""
        made_of = [
            [
                entry.name, entry.format, digests[entry.file_id],
                entry.file.model_dump_json(), repr(entry.run.hints(entry.file)),
            ]
            for entry in self.entries
        ]  # fmt: skip
        return f"{self.run_id}/{self.source}-{hash_of([self.code, *made_of])}"


def parts_of(inventory: Inventory, sources: Iterable[str]) -> list[Part]:
    """The raw files of some sources in parts, in the order of runs and files."""
    wanted = {*sources}
    found: list[Part] = []
    for _, of_run in groupby(inventory.entries, lambda entry: entry.run.run_id):
        by_source: dict[str, list[Entry]] = {}
        for entry in of_run:
            by_source.setdefault(entry.source, []).append(entry)
        for source in sorted(wanted & by_source.keys()):
            found += _packed(by_source[source])
    return found


def _packed(entries: Iterable[Entry]) -> Iterator[Part]:
    together: list[Entry] = []
    for entry in entries:
        size = entry.content.size + sum(each.content.size for each in together)
        alone = entry.content.is_large or bool(together and together[-1].content.is_large)
        if together and (alone or size > PART_BYTES or len(together) == PART_FILES):
            yield Part(tuple(together))
            together = []
        together.append(entry)
    if together:
        yield Part(tuple(together))
