"""IOR's JSON output (``-O summaryFormat=JSON``), IOR 3.2 to 4.x.

IOR 3.2 overwrites the beginning of its own JSON file, and a warning breaks the JSON of
every version; the reader gets over both and says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from studybook.errors import Refused
from studybook.formats.contract import Reading, Table
from studybook.formats.ior import words
from studybook.formats.ior.json_tokens import Builder, Node, Token, tokens
from studybook.formats.ior.log import Log, Test
from studybook.formats.ior.tables import ITERATION, MAXIMUM, SUMMARY
from studybook.formats.names import pairs
from studybook.formats.raw import Head, RawFile

_ITERATION_KEYS = pairs("""
    bwMiB=bandwidth_mib_s iops=ops_per_s latency=latency_s blockKiB=block_kib xferKiB=transfer_kib
    openTime=open_s wrRdTime=transfer_s closeTime=close_s totalTime=total_s
""")
_SUMMARY_KEYS = pairs("""
    operation=operation repetitions=repetitions bwMaxMIB=max_mib_s bwMinMIB=min_mib_s
    bwMeanMIB=mean_mib_s bwStdMIB=sd_mib_s OPsMax=max_ops_per_s OPsMin=min_ops_per_s
    OPsMean=mean_ops_per_s OPsSD=sd_ops_per_s MeanTime=mean_s StoneWallTime=stonewall_s
    StoneWallbwMeanMIB=stonewall_mib_s numTasks=tasks tasksPerNode=tasks_per_node
    filePerProc=file_per_process reorderTasks=reorder_tasks taskPerNodeOffset=reorder_offset
    reorderTasksRandom=reorder_random reorderTasksRandomSeed=reorder_seed segmentCount=segments
    blockSize=block_size_bytes transferSize=transfer_size_bytes API=api ReferenceNumber=reference
""")


def recognise(head: Head) -> bool:
    """Whether the file holds IOR's JSON."""
    return words.dialect(head) == "json"


def read(raw: RawFile, out: Reading) -> None:
    """Read every run of the file.

    Raises
    ------
    Refused
        If no IOR object can be made out, or the nesting is beyond all reason.
    """
    reader = _Reader(out)
    for line, text in words.without_environment(raw.lines(), out):
        out.account(line, text, reader.take(line, text))
    reader.finish()


class _Reader:
    def __init__(self, out: Reading) -> None:
        self.out = out
        self.log = Log(out)
        self.builder = Builder()
        self.banner: str | None = None
        self.intruders = 0
        self.in_hints = False
        self.first_intruder = 0

    def take(self, line: int, text: str) -> bool | None:
        stripped = text.strip()
        if words.RULE.match(stripped) or not stripped:
            return False
        # At -vvv, hints of MPI stand in brackets, which are none of the JSON.
        if self.in_hints or words.HINTS.match(stripped):
            self.in_hints = not stripped.endswith("}")
            return self.intruder(line, "note", stripped)
        if banner := words.BANNER.match(stripped):
            self.banner = banner[1]
            return True
        if level := words.message_level(stripped):
            return self.intruder(line, level, stripped)
        # The message may have run into a line of JSON.
        found, rest = tokens(text)
        level = words.message_level(rest) if rest else None
        if rest and level is None:
            return None
        placed = [self.feed(token, line) for token in found]
        if rest and level:
            return self.intruder(line, level, rest)
        if all(kind == "mark" for kind, _ in found):
            return False
        return all(placed) or None

    def intruder(self, line: int, level: str, text: str) -> bool:
        """Record a message that came between the lines of JSON."""
        self.intruders += 1
        self.first_intruder = self.first_intruder or line
        self.log.message(line, level, text)
        return True

    def feed(self, token: Token, line: int) -> bool:
        """Hand a token to the builder, and rows to the log where a run is whole."""
        was_inside = self.builder.inside
        placed = self.builder.feed(*token, line)
        if self.builder.inside and not was_inside:
            self.log.start_run(line)
        elif was_inside and not self.builder.inside:
            self.document()
        return placed

    def finish(self) -> None:
        """Read what is there of a run that was cut, and close the account."""
        self.document()
        self.log.finish()
        if not self.log.started:
            raise Refused(
                "is no JSON that could be repaired: no run of IOR can be made out in it",
                "run IOR again with its text output, which survives warnings",
            )
        if self.intruders:
            self.log.remark_once(
                self.first_intruder, f"broken JSON: {self.intruders} messages between its lines"
            )
        if self.builder.broken:
            self.log.remark_once(1, "broken JSON: brackets out of place")
        if self.builder.conflict:
            self.log.remark_once(
                1, f"key {self.builder.conflict!r} comes twice with different values: last one kept"
            )

    def document(self) -> None:
        """Record one run from its outermost object."""
        root = self.builder.take()
        if root is None:
            return
        run = self.log.run(root.line)
        printed = root.get("Version", self.banner)
        run.version = str(printed) if printed else None
        run.command = _text(root.get("Command line"))
        run.machine = _text(root.get("Machine"))
        run.began = words.ctime(str(root.get("Began")))
        run.finished = words.ctime(str(root.get("Finished")))
        run.ended = "Finished" in root
        run.guess_version("3.3+" if "Version" in root else "3.2.x")
        for test in _nodes(root.get("tests")):
            self.test(test)
        for summary in _nodes(root.get("summary")):
            self.summary(summary)
        self.banner = None

    def test(self, node: Node) -> None:
        """Record a test, its iterations and its maxima."""
        number = node.get("TestID")
        test = self.log.test(node.line, number if isinstance(number, int) else None)
        test.began = words.ctime(str(node.get("StartTime")))
        for options in (node, node.get("Parameters"), node.get("Options")):
            test.options |= _scalars(options)
        for result in _nodes(node.get("Results")):
            self.iteration(result, test)
        best = node.get("max")
        if isinstance(best, Node):
            for operation in ("write", "read"):
                if f"{operation}MiB" in best:
                    self.maximum(best, operation)

    def iteration(self, node: Node, test: Test) -> None:
        """Record a phase; JSON does not number the repetitions, their order does."""
        operation = node.get("access")
        if operation not in words.OPERATIONS:
            self.log.remark_once(node.line, "a result is of no known operation: left out")
            return
        values = self.columns(ITERATION, _ITERATION_KEYS, node)
        values |= {"operation": operation, "iteration": test.iterations.get(operation, 0)}
        self.log.iteration(node.line, values)

    def summary(self, node: Node) -> None:
        """Record a summary object."""
        if node.get("operation") not in words.OPERATIONS:
            self.log.remark_once(node.line, "a summary is of no known operation: left out")
            return
        values = self.columns(SUMMARY, _SUMMARY_KEYS, node)
        number = node.get("TestID")
        values["test_no"] = number if isinstance(number, int) else 0
        size = node.get("xsizeMiB")
        self.log.summary(node.line, values, float(size) if isinstance(size, int | float) else None)

    def maximum(self, node: Node, operation: str) -> None:
        """Record the best rate of an operation."""
        keys = {f"{operation}MiB": "max_mib_s", f"{operation}MB": "max_mb_s"}
        values = self.columns(MAXIMUM, keys, node)
        self.log.maximum(node.line, operation, values.get("max_mib_s"), values.get("max_mb_s"))

    def columns(self, table: Table, keys: Mapping[str, str], node: Node) -> dict[str, Any]:
        """Return the columns of a row; a value of the wrong type is left out, with a remark."""
        values: dict[str, Any] = {}
        for key, column in keys.items():
            cell = node.get(key)
            if cell is None:
                continue
            try:
                values[column] = words.typed(table.columns[column], _text(cell) or "")
            except ValueError:
                self.log.remark_once(node.line, f"{key} is not what it should be: no value")
                continue
            if values[column] is None:
                self.log.remark_once(node.line, "prints nan or inf in places: kept as no value")
        return values


def _text(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    return repr(value) if isinstance(value, int | float) else None


def _scalars(node: Any) -> dict[str, Any]:
    """The plain values of an object, which is what options are."""
    if not isinstance(node, Node):
        return {}
    return {key: value for key, value in node.items() if not isinstance(value, dict | list)}


def _nodes(value: Any) -> list[Node]:
    """The objects of a list, however deep: IOR 3.2 and 3.3 have a list per repetition."""
    if isinstance(value, Node):
        return [value]
    return [node for item in value for node in _nodes(item)] if isinstance(value, list) else []
