"""A first file of goals for a study that has none: with metrics that its data have."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from typing import Any

from studybook.claims.goal_values import ALL, LABELS
from studybook.study.study import Study
from studybook.units import Metric, known_metrics

#: What people ask for first: how long it takes, how much is done, what it costs; one of each.
_FIRST = (
    ("response_p95_ms", "operation_p95_ms", "response_ms"),
    ("requests_per_s", "pages_per_s", "operations_per_s", "bandwidth_gb_s"),
    ("cpu_busy_percent",),
)
_MOST = 3


def example(study: Study) -> str:
    """Goals that fit the data at hand, as the text of a file; empty where no metric has a value.

    The bounds are such that today's data keep to them, with a fifth to spare.

    Parameters
    ----------
    study : Study
        The opened study.
    """
    # A goal without a label is judged by all requests together, where the export has these.
    of_label = ", ".join(f"factors['{name}']" for name in LABELS)
    rows = study.query(
        "SELECT metric, users, role, label, max(mean) AS most, min(mean) AS least"
        " FROM (SELECT metric, mean, factors['users'] AS users, factors['role'] AS role,"
        f" nullif(coalesce({of_label}), '{ALL}') AS label"
        " FROM metric WHERE text IS NULL AND NOT exact)"
        " GROUP BY metric, users, role, label"
        " ORDER BY metric, max(try_cast(users AS DOUBLE)) DESC, label NOTNULL, most DESC, role"
    ).to_dict("records")
    by_metric: dict[str, dict[Hashable, Any]] = {}
    for row in rows:
        by_metric.setdefault(row["metric"], row)
    known = known_metrics()
    of_each = ([name for name in group if name in by_metric] for group in _FIRST)
    wanted = [found[0] for found in of_each if found]
    wanted += [
        n for n in by_metric if n not in wanted and n in known and known[n].better != "neither"
    ]
    entries = [line for name in wanted[:_MOST] for line in _entry(known[name], by_metric[name])]
    return "\n".join(["goals:", *entries]) if entries else ""


def _entry(metric: Metric, row: dict[Hashable, Any]) -> Iterator[str]:
    lower = metric.better != "higher"
    value = float(str(row["most" if lower else "least"]))
    rounded = float(f"{value * (1.2 if lower else 0.8):.2g}")
    bound = f"{rounded:.9f}".rstrip("0").rstrip(".")
    if metric.unit == "%":
        bound = str(min(95, max(5, round(value * 1.2))))
    number = f"{bound} {metric.unit}".strip()
    users, role, label = (
        row[key] if isinstance(row[key], str) else "" for key in ("users", "role", "label")
    )
    where = f" of {label}" if label else ""
    where += (f" (role {role})" if role else "") + (f" at {users} users" if users else "")
    said = f"{metric.label}{where} {'below' if lower else 'above'} {number}"
    yield f"  - goal: {json.dumps(said, ensure_ascii=False)}"
    yield f"    metric: {metric.name}"
    if users:
        yield f"    at: {{users: {users}}}"
    if label:
        yield f"    label: {json.dumps(label, ensure_ascii=False)}"
    if role:
        yield f"    role: {role}"
    yield f"    {'below' if lower else 'above'}: {number}"
