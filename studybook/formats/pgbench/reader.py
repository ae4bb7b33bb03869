"""What pgbench prints of each execution, of its scripts and statements, and of its progress.

Outputs of release 15 were recorded; those of 9.4 to 17 are as its documentation has them. What the
numbers mean is from that and from its source:

* Transactions that were processed are those that succeeded. One that failed, of a serialization or
  deadlock error that was not tried again, is a request without a response. Before release 15 such
  an error ended a client, and no failures are printed.
* The rate is that without the time to connect; from release 14 on with it by ``-C``, where each
  transaction connects. Where an older one has two rates that are far apart, a remark says so.
* What is processed of transactions that were asked for, and how long that took, tells where clients
  ended before their time: then there is no result.
* ``lag`` of a rate that is held (``-R``) is in the latencies. Transactions that were skipped, as
  they were late, are in neither rate nor latency.
* Progress goes to the standard error; with ``--progress-timestamp`` it has seconds since 1970, else
  since the start.

The logs of ``-l`` are tables without a header.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from studybook.formats.contract import Reading, never_negative, tables
from studybook.formats.line_reader import LineReader
from studybook.formats.load_summary import COUNT, NUMBER, load_tables
from studybook.formats.raw import Head, RawFile

TABLES = (
    load_tables(
        "pgbench",
        "pgbench",
        """
        scale BIGINT, query_mode VARCHAR, tries BIGINT, retried BIGINT,
        -- Not begun, for they were late; and that took longer than --latency-limit.
        skipped BIGINT, late BIGINT,
        -- How far transactions began behind the rate, in the mean.
        lag_ms DOUBLE,
        -- To connect all clients before the start; with -C one, in the mean.
        connect_ms DOUBLE,
        -- Whether it says itself that its results are incomplete.
        aborted BOOLEAN
        """,
    )[0],
    *never_negative(
        tables("""
pgbench_interval: what pgbench says of its progress, of an interval of an execution
    run_no BIGINT,
    -- When it ended: since the start, or as an instant.
    offset_s DOUBLE, time_utc TIMESTAMP,
    transactions_per_s DOUBLE, mean_ms DOUBLE, sd_ms DOUBLE,
    failed BIGINT, lag_ms DOUBLE, skipped BIGINT, retried BIGINT, retries BIGINT, line BIGINT

pgbench_script: one of the scripts of an execution
    run_no BIGINT, script_no BIGINT, name VARCHAR, weight BIGINT, transactions BIGINT,
    transactions_per_s DOUBLE, failed BIGINT, mean_ms DOUBLE, sd_ms DOUBLE, line BIGINT

pgbench_statement: a statement of a script, or a command of pgbench in it
    run_no BIGINT, script_no BIGINT, statement VARCHAR, mean_ms DOUBLE,
    failures BIGINT, retries BIGINT, line BIGINT
""")
    ),
)
_RUN, _INTERVAL, _SCRIPT, _STATEMENT = (table.name for table in TABLES)

_TITLE = re.compile(r"pgbench \(([^()\s,]{1,40}).*\)$")
_BEGUN = re.compile(r"pgbench: (?:error|fatal): |starting vacuum\.\.\.end\.$")
_TYPE = re.compile(r"transaction type: (.{1,300})$")
_PROGRESS = re.compile(
    rf"progress: {NUMBER} s, {NUMBER} tps, lat (\S{{1,30}}) ms stddev (\S{{1,30}}?)"
    rf"(?:, {COUNT} failed)?(?:, lag {NUMBER} ms)?(?:, {COUNT} skipped)?"
    rf"(?:, {COUNT} retried, {COUNT} retries)?$"
)
_OF = r"(?:/(\d{1,15}))?"
_SHARE = r"(?: \([\d.]{1,12} ?%\))?"
#: Lines of the summary: the column, or None of what is not kept; and what stands around the number.
_LINES = tuple((column, re.compile(pattern + "$")) for column, pattern in (
    ("scale", f"scaling factor: {COUNT}"),
    ("query_mode", r"query mode: (\w{1,20})"),
    ("connections", f"number of clients: {COUNT}"),
    ("threads", f"number of threads: {COUNT}"),
    ("tries", f"maximum number of tries: {COUNT}"),
    ("asked_s", f"duration: {NUMBER} s"),
    (None, f"number of transactions per client: {COUNT}"),
    ("responses", rf"number of transactions actually processed: {COUNT}{_OF}"),
    ("no_response", f"number of failed transactions: {COUNT}{_SHARE}"),
    (None, f"number of (?:serialization|deadlock) failures: {COUNT}{_SHARE}"),
    ("retried", f"number of transactions retried: {COUNT}{_SHARE}"),
    (None, f"(?:total number of|number of) retries: {COUNT}"),
    ("skipped", f"number of transactions skipped: {COUNT}{_SHARE}"),
    ("late", rf"number of transactions above the \S+ ms latency limit: {COUNT}{_OF}{_SHARE}"),
    ("mean_ms", f"latency average(?: =|:) {NUMBER} ms"),
    (None, rf"latency average = {NUMBER} ms \(including failures\)"),
    ("sd_ms", f"latency stddev(?: =|:) {NUMBER} ms"),
    ("lag_ms", rf"rate limit schedule lag: avg {NUMBER} \(max {NUMBER}\) ms"),
    ("connect_ms", f"(?:initial|average) connection time = {NUMBER} ms"),
    # Before release 14, with a second one behind it.
    ("including_per_s", rf"tps = {NUMBER} \(including connections establishing\)"),
    ("requests_per_s", rf"tps = {NUMBER} \((?:including|excluding|without) .{{5,40}}\)"),
))  # fmt: skip
_WHOLE = {
    "scale", "connections", "threads", "tries", "responses", "no_response", "retried", "skipped",
    "late",
}  # fmt: skip
_OF_SCRIPTS = re.compile(r"SQL script (\d{1,4}): (.{1,300})$")
_WEIGHT = re.compile(rf"- weight(?: is|:) {COUNT}\b.*$")
_SHARE_OF = re.compile(rf"- {COUNT} transactions \([\d.]{{1,12}}% of total, tps = {NUMBER}\)$")
_STATEMENTS = re.compile(r"(?:- )?statement latencies in milliseconds.*:$")
_LATENCY = re.compile(rf"{NUMBER}  +(?:{COUNT}  +)?(?:{COUNT}  +)?(\S.*)$")
_ABORTED = re.compile(
    r"(?:pgbench: error: )?(Run was aborted; the above results are incomplete)\b.*"
)
_ERROR = re.compile(r"(?:pgbench: (?:error|fatal): (.{1,400})|([Cc]lient \d+ aborted .{1,300}))$")
_HEADING = re.compile(
    r"end\.|pghost: .*|nclients: .*|vacuuming.*|done\b.*|pgbench: .*|partition method: .*|"
    r"partitions: .*|Is the server running .*|client \d+ .*|"
    r"(?:dropping|creating|generating) .*|[\d,]+ of [\d,]+ tuples .*"
)


def recognise(head: Head) -> bool:
    """Whether the file has a title, progress, an error or the start of a summary of pgbench."""
    return head.has(_TITLE, _PROGRESS, _BEGUN) or any(
        line.startswith("transaction type: ") and after.startswith("scaling factor: ")
        for line, after in pairwise(head.printed)
    )


def read(raw: RawFile, out: Reading) -> None:
    """Read every execution of the file."""
    _Reader(out).read(raw)


@dataclass
class _Reader(LineReader):
    run: dict[str, Any] = field(default_factory=dict)
    script: dict[str, Any] = field(default_factory=dict)
    #: Within the statements of a script.
    statements = False
    #: The last progress of the execution, in its own seconds.
    last_s = 0.0
    runs = 0

    def _take(self, line: int, text: str) -> bool | None:
        text = text.strip()
        if not text:
            return False
        if match := _TITLE.match(text):
            self._close()
            self.run = {"line": line, "version": match[1]}
        elif (match := _PROGRESS.match(text)) and float(match[1]) < _MOST_S:
            self._begin(line, anew=float(match[1]) <= self.last_s)
            self._progress(line, match)
        elif match := _TYPE.match(text):
            self._begin(line, anew="url" in self.run)["url"] = match[1]
        elif text.startswith("starting vacuum"):
            self._begin(line, anew=not self.run.keys() <= {"line", "version"})
            return False
        elif self.run and (match := _OF_SCRIPTS.match(text)):
            self._close_script()
            self.script = {"script_no": int(match[1]), "name": match[2], "line": line}
        elif self.run and _STATEMENTS.match(text):
            self.statements = True
            return False
        elif self.statements and (match := _LATENCY.match(text)):
            self._statement(line, match)
        elif match := _ABORTED.match(text):
            self._current(line)["aborted"] = True
            self.run.setdefault("error", match[1])
        elif match := _ERROR.match(text):
            self._begin(line).setdefault("error", match[1] or match[2])
        else:
            return self._number(line, text)
        return True

    def _number(self, line: int, text: str) -> bool | None:
        """Take a line of a summary, or of a script in it."""
        plain = text.removeprefix("- ")
        for column, pattern in _LINES:
            if not (match := pattern.match(plain)):
                continue
            if column is None:
                if "including failures" in plain:
                    self.out.remark(line, f"this holds failures, and is left out: {plain}")
                return False
            value: Any = match[1]
            if column != "query_mode":
                value = int(value) if column in _WHOLE else float(value)
            if self.script and plain != text:
                name = "failed" if column == "no_response" else column
                if name in ("failed", "mean_ms", "sd_ms"):
                    self.script[name] = value
                return True
            self._current(line)[column] = value
            if column == "responses" and match[2]:
                self.run["asked"] = int(match[2])
            return True
        if self.script and (match := _WEIGHT.match(text)):
            self.script["weight"] = int(match[1])
        elif self.script and (match := _SHARE_OF.match(text)):
            self.script |= {"transactions": int(match[1]), "transactions_per_s": float(match[2])}
        else:
            return False if _HEADING.fullmatch(text) else None
        return True

    def _progress(self, line: int, match: re.Match[str]) -> None:
        when, tps, mean, sd, failed, lag, skipped, retried, retries = match.groups()
        found: dict[str, Any] = {"offset_s": float(when)}
        self.last_s = float(when)
        if float(when) > _YEARS_S:
            found = {"time_utc": datetime.fromtimestamp(float(when), UTC).replace(tzinfo=None)}
        self.out.record(
            _INTERVAL, run_no=self.runs, transactions_per_s=float(tps), mean_ms=_ms(mean),
            sd_ms=_ms(sd), lag_ms=lag and float(lag), line=line, **found,
            **_counts(failed=failed, skipped=skipped, retried=retried, retries=retries),
        )  # fmt: skip

    def _statement(self, line: int, match: re.Match[str]) -> None:
        mean, failures, retries, statement = match.groups()
        self.out.record(
            _STATEMENT, run_no=self.runs, script_no=self.script.get("script_no", 1),
            statement=statement, mean_ms=float(mean), line=line,
            **_counts(failures=failures, retries=retries),
        )  # fmt: skip

    def _begin(self, line: int, *, anew: bool = False) -> dict[str, Any]:
        """The current execution; a new one where its rate has been printed, or that is asked."""
        if anew or "requests_per_s" in self.run:
            self._close()
        return self._current(line)

    def _current(self, line: int) -> dict[str, Any]:
        self.run = self.run or {"line": line}
        return self.run

    def _close_script(self) -> None:
        script, self.script, self.statements = self.script, {}, False
        if script:
            self.out.record(_SCRIPT, run_no=self.runs, **script)

    def _close(self) -> None:
        self._close_script()
        run, self.run, self.last_s = self.run, {}, 0.0
        if not run:
            return
        asked, including = run.pop("asked", None), run.pop("including_per_s", None)
        if per_s := run.get("requests_per_s"):
            self._judge(run, asked, run.get("responses", 0) / per_s)
            if including and including < 0.9 * per_s:
                self.out.remark(
                    run["line"],
                    f"with the time to connect, this execution had {including:g} transactions per"
                    f" second; the rate of {per_s:g} is without it",
                )
        if "requests_per_s" not in run or "responses" not in run or "error" in run:
            run["status"] = "failed" if "error" in run else "cut"
            self.out.remark(
                run["line"],
                "this execution of pgbench has no result:"
                f" {run.get('error', 'its summary is cut, or in another file')}",
            )
        else:
            run |= {"status": "complete", "bad_responses": 0}
        self.out.record(_RUN, run_no=self.runs, **run)
        self.runs += 1

    def _judge(self, run: dict[str, Any], asked: int | None, took_s: float) -> None:
        """Take down how long an execution took; it has no result where clients ended too early."""
        done = sum(run.get(name) or 0 for name in ("responses", "no_response", "skipped"))
        with_connecting_s = took_s + (run.get("connect_ms") or 0) / 1000
        if asked is not None and done < asked:
            run.setdefault("error", f"{done} of {asked} transactions were processed")
        elif "asked_s" in run and with_connecting_s < 0.9 * run["asked_s"]:
            run.setdefault("error", f"it ended after {took_s:.3g} of {run['asked_s']:g} s")
        else:
            run["duration_s"] = took_s


#: More seconds than any execution lasts: since 1970, and until 2100.
_YEARS_S, _MOST_S = 1e9, 4.1e9


def _counts(**printed: str | None) -> dict[str, int]:
    """Counts, of which a release prints some."""
    return {name: int(count) for name, count in printed.items() if count is not None}


def _ms(printed: str | None) -> float | None:
    """A time that is one; of no transaction at all pgbench prints 0, or nan."""
    return float(printed) or None if printed and re.fullmatch(NUMBER, printed) else None
