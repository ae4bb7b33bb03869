"""Which of the runs in the scope of a figure is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from studybook.study.study import Study


@dataclass(frozen=True)
class Configuration:
    """A run whose captures are drawn.

    Parameters
    ----------
    run_id : str
        Study and run.
    origin : str
        Where its captures come from: measured, simulated, published.
    factors : dict
        Its factors, as text.
    matching : int
        How many runs of the scope could have been drawn.
    """

    run_id: str
    origin: str
    factors: dict[str, str]
    matching: int

    @property
    def said(self) -> str:
        """Which run is drawn, for the subtitle."""
        name = self.run_id.split("/", 1)[1]
        among = f", the first of {self.matching} that match" if self.matching > 1 else ""
        return f"run {name}{among}"


def configuration(
    study: Study, captured: Literal["cluster_disk", "cluster_node", "system_host"], needs: str
) -> Configuration:
    """Take the first run that has what a figure draws, captures of a configuration before others.

    Parameters
    ----------
    study : Study
        The opened study; the factors of its scope choose among the runs.
    captured : {"cluster_disk", "cluster_node", "system_host"}
        The view in which the run must have rows.
    needs : str
        Which raw export gives such rows, for people.

    Raises
    ------
    NeedsData
        If there is no such run.
    """
    found = study.require(
        f"""
        SELECT run_id, origin, map_keys(factors) AS names, map_values(factors) AS texts,
               count(*) OVER () AS matching
        FROM run_factors
        WHERE run_id IN (SELECT run_id FROM {captured})
        ORDER BY kind != 'configuration', run_id
        LIMIT 1
        """,
        needs,
    ).to_dict("records")[0]
    factors = dict(zip(found["names"], found["texts"], strict=True))
    return Configuration(found["run_id"], found["origin"], factors, int(found["matching"]))
