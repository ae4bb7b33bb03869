"""Where response times of a setup begin to outgrow its load: the knee, for each repetition.

A curve takes the runs of all load levels of a setup, so a repetition of it has one knee for each of
the two engines. It stands at the run of the highest load level. A knee beyond the highest load is
not seen, and is none.
"""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa

from studybook.statistics import knee

READS = ("run_factors", "run_metric", "setup")

SCHEMA = pa.schema(
    [
        ("run_id", pa.string()),
        ("metric", pa.string()),
        ("own", pa.map_(pa.string(), pa.string())),
        ("value", pa.float64()),
    ]
)

#: Significant digits: as many as the solver is sure of on any machine.
DIGITS = 4


def rows(ask: Callable[[str], pa.Table]) -> pa.Table:
    """Compute the knees of all setups, in per cent of the processors of the guest of both engines.

    Parameters
    ----------
    ask : callable
        Gives the rows of a query.
    """
    runs = ask(
        """
        SELECT
            s.cpus, f.origin, coalesce(f.factors['repetition'], '') AS repetition,
            upper(left(time.metric, 2)) AS engine, s.run_id, s.load_level, busy.value AS load,
            time.value AS response
        FROM setup s
        JOIN run_factors f USING (run_id)
        JOIN run_metric busy ON busy.run_id = s.run_id AND busy.metric = 'ce_pe_busy_percent'
        JOIN run_metric time
            ON time.run_id = s.run_id AND time.metric IN ('ce_response_ms', 'pe_response_ms')
        WHERE s.cpus IS NOT NULL AND s.load_level IS NOT NULL AND busy.value > 0
            AND time.value > 0
        ORDER BY ALL
        """
    ).to_pandas()
    found = []
    curves = runs.groupby(["cpus", "origin", "repetition", "engine"], sort=True)
    for (_, _, _, engine), of_curve in curves:
        if of_curve["load_level"].nunique() < knee.FEWEST:
            continue
        load, response = (of_curve[name].to_numpy(dtype=float) for name in ("load", "response"))
        turn = float(knee.fit(load, response, levels=of_curve["load_level"].tolist()).parameters[1])
        if turn <= load.max():
            last = of_curve.sort_values(["load_level", "run_id"]).iloc[-1]
            own = [("engine", engine)]
            value = float(f"{turn:.{DIGITS}g}")
            found.append(
                {
                    "run_id": last["run_id"],
                    "metric": "knee_busy_percent",
                    "own": own,
                    "value": value,
                }
            )
    return pa.Table.from_pylist(found, schema=SCHEMA)
