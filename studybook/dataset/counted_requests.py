"""How many requests of a log end in each interval: enough to tell its executions apart."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from studybook.statistics.executions import Execution, executions


class _Requests(NamedTuple):
    """A table of requests: how long these took, and which of its rows they are."""

    took_ms: str
    ends: bool = False  # its times are those of their ends
    metric: str = ""


_REQUESTS = {
    "gatling_request": _Requests("elapsed_ms"),
    "jtl_sample": _Requests("elapsed_ms"),
    "k6_sample": _Requests("value", ends=True, metric="http_req_duration"),
    "vegeta_result": _Requests("latency_ms"),
}
#: The intervals in which they are counted, in seconds, and how many of these at most.
_INTERVAL_S, _MOST_COUNTED = 10, 1_000_000
#: Later than any that can be told: the year 2200.
_LAST = 7_258_118_400 // _INTERVAL_S


class CountedRequests:
    """How many requests ended in each interval, and the time that they took."""

    def __init__(self) -> None:
        self.ended: Counter[int] = Counter()
        self.took_ms: Counter[int] = Counter()

    def see(self, table: str, rows: pa.Table) -> None:
        """Take in a batch of records."""
        if table not in _REQUESTS or len(self.ended) > _MOST_COUNTED:
            return
        clock = next((n for n in ("time_utc", "time_local") if rows[n].null_count < len(rows)), "")
        if not clock:
            return
        of = _REQUESTS[table]
        if of.metric:
            rows = rows.filter(pc.equal(rows["metric"].cast(pa.string()), of.metric))
        rows = pa.table({"time": rows[clock], "ms": rows[of.took_ms]}).drop_null()
        ended = rows["time"].cast(pa.timestamp("ms"), safe=False).cast(pa.int64())
        if not of.ends:
            ended = pc.add(ended, rows["ms"].cast(pa.int64(), safe=False))
        ended = pc.divide(ended, _INTERVAL_S * 1000)
        counted = pa.table({"ended": ended, "ms": rows["ms"]}).group_by("ended")
        for each in counted.aggregate([("ms", "count"), ("ms", "sum")]).to_pylist():
            if not 0 < each["ended"] < _LAST:
                continue
            self.ended[each["ended"]] += each["ms_count"]
            self.took_ms[each["ended"]] += each["ms_sum"]

    def executions(self) -> list[Execution]:
        """Those that the load falls into."""
        places = np.array(sorted(self.ended), np.int64)
        ended = np.array([self.ended[place] for place in places], float)
        took_ms = np.array([self.took_ms[place] for place in places], float)
        return executions(
            ((places + 1) * _INTERVAL_S).astype("M8[s]"), np.full(len(places), float(_INTERVAL_S)),
            ended, took_ms / ended / 1000, np.full(len(places), np.nan),
        )  # fmt: skip
