"""Tables as JSON, by the mapping of their run: objects, or arrays within one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from studybook.errors import Refused, did_you_mean
from studybook.formats.contract import Reading
from studybook.formats.json_documents import documents
from studybook.formats.mapped.rows import Rows
from studybook.formats.raw import RawFile
from studybook.text import counted


def read_json(raw: RawFile, out: Reading) -> None:
    """Read JSON: an object per row, one after another or in an array, or rows within objects.

    Members of objects within a row are columns of the name ``outer.inner``; so are those of the
    objects around it, where ``rows`` says in which array of an object they stand.

    Raises
    ------
    Refused
        If no object has a column of the mapping, or no row can be read.
    """
    rows = Rows(out)
    columns = Columns(rows.mapping.columns)
    way = tuple(rows.mapping.rows.split(".")) if rows.mapping.rows else ()
    checked = any_document = False
    for document in documents(raw, out, "this table"):
        whole = document.value if isinstance(document.value, list) else [document.value]
        objects = [each for each in whole if isinstance(each, dict)]
        any_document = any_document or bool(objects)
        if not objects:
            out.remark(document.line, "holds no object of JSON: a row is one")
            for number in range(document.line, document.line + document.lines):
                out.unknown(number, str(document.value)[:100])
            continue
        of_document = [row for each in objects for row in columns.rows(each, way)]
        if not checked and (of_document or not way):
            # A member that is null in one row may be missing in the next. What is around rows is
            # no column that anyone would miss.
            around = f"{rows.mapping.rows}." if way else ""
            wanted = rows.mapping.columns
            rows.check(
                [each for each in columns.seen if each in wanted or each.startswith(around)],
                document.line,
            )
            checked = True
        if columns.twice:
            raise Refused(
                f"has two members {min(columns.twice)!r} in an object: one has it as its name, the"
                " other by an object within", "rename one of them", line=document.line,
            )  # fmt: skip
        alone = len(whole) == 1 and not way
        for row in of_document:
            given = {name: row.get(name) for name in rows.mapping.columns}
            if alone:
                rows.take(document.line, document.lines, given, "\n" * (document.lines - 1))
            else:
                rows.take(document.line, 0, given, "")
        if not alone:
            out.used(document.lines)
            if odd := len(whole) - len(objects):
                out.remark(document.line, f"{odd} entries are no objects, and not read")
    if any_document and not checked and (name := rows.mapping.rows):
        near = did_you_mean(name, columns.arrays) or f"arrays: {', '.join([*columns.arrays][:20])}"
        if name in columns.arrays:
            raise Refused(f"has an array at {name!r}, and nothing in it", "measure again")
        raise Refused(f"has no rows at {name!r}, as its table in run.yml or study.yml says", near)
    if columns.without:
        out.remark(1, f"{counted(columns.without, 'object')} without {rows.mapping.rows!r}")
    rows.close()


class Columns:
    """Rows of objects of JSON by the names of their columns, of which only some are kept.

    Parameters
    ----------
    wanted : sequence of str, optional
        The names of those; by default all are kept.
    """

    def __init__(self, wanted: Sequence[str] | None = None) -> None:
        self.wanted = wanted if wanted is None else {*wanted}
        #: The names of all columns, in the order in which they were met; those of arrays.
        self.seen: dict[str, None] = {}
        self.arrays: dict[str, None] = {}
        #: How many objects have no rows; what one has twice, for a key has a dot.
        self.without = 0
        self.twice: set[str] = set()

    def rows(
        self, value: Any, way: Sequence[str], name: str = "", around: dict[str, Any] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Go the way to the rows within a value, which has a name: outer members are columns."""
        around = around or {}
        if isinstance(value, list) and name:
            self.arrays[name] = None
            for each in value:
                yield from self.rows(each, way, name, around)
        elif not way:
            if name.endswith("*") and not isinstance(value, dict):
                value = {"value": value}  # its key is the column of the name
            yield around | (
                self.flat(value, name) if isinstance(value, dict) else self._cell(name, value)
            )
        elif isinstance(value, dict) and way[0] == "*":
            for key, inner in value.items():
                inside = f"{name}.*" if name else "*"
                yield from self.rows(inner, way[1:], inside, around | self._cell(inside, key))
        elif isinstance(value, dict):
            others = {key: inner for key, inner in value.items() if key != way[0]}
            around = around | self.flat(others, name)  # not that of entries beside it
            inside = f"{name}.{way[0]}" if name else way[0]
            if way[0] in value:
                yield from self.rows(value[way[0]], way[1:], inside, around)
            else:
                self.without += 1
        else:
            self.without += 1

    def flat(self, row: dict[str, Any], outer: str = "") -> dict[str, Any]:
        """An object by the names of its columns, those of objects within among them."""
        found: dict[str, Any] = {}
        for key, value in row.items():
            name = f"{outer}.{key}" if outer else key
            inner = self.flat(value, name) if isinstance(value, dict) else self._cell(name, value)
            self.twice |= inner.keys() & found.keys()
            found |= inner
        return found

    def _cell(self, name: str, value: Any) -> dict[str, Any]:
        self.seen[name] = None
        if isinstance(value, list):
            self.arrays[name] = None
        return {name: value} if self.wanted is None or name in self.wanted else {}
