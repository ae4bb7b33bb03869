"""When the runs of a study began."""

from __future__ import annotations

import pandas as pd

from studybook.records.models import models_of
from studybook.study.study import Study

_STATED = """
    SELECT r.run_id, coalesce(r.start_utc, p.start_utc) AS start_utc
    FROM run r LEFT JOIN stable_phase p USING (run_id)
    ORDER BY ALL
"""


def starts(study: Study) -> pd.DataFrame:
    """The start of each run: stated, that of its load, or the first moment its files tell of.

    Parameters
    ----------
    study : Study
        The opened study.

    Returns
    -------
    pandas.DataFrame
        ``run_id`` and ``start_utc``, NaT where nothing tells.
    """
    stated = study.query(_STATED)
    if not stated["start_utc"].isna().any():
        return stated
    names = sorted(name for name in models_of() if name.endswith("_coverage"))
    told = " UNION ALL ".join(f"SELECT file_id, first_utc FROM {name}" for name in names)
    first = study.query(
        f"SELECT run_id, min(first_utc) AS first_utc FROM ({told}) JOIN raw_file USING (file_id)"
        " GROUP BY run_id"
    ).set_index("run_id")["first_utc"]
    # Not map: it fails where no file of the study tells of a time.
    dates = pd.Series(first.reindex(stated["run_id"]).to_numpy(), index=stated.index)
    return stated.assign(start_utc=stated["start_utc"].fillna(dates))
