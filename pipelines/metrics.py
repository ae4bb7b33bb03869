"""The registry of metrics: each quantity has one name, one unit, one label, one format.

To add a metric, add an entry here and a branch to ``sql/20_metric.sql``; axes, tables and
claims then know it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from pipelines.errors import StudyBookError


@dataclass(frozen=True)
class Metric:
    """A named quantity.

    Parameters
    ----------
    name : str
        Name with its unit as suffix, as in the semantic views.
    label : str
        What an axis or a table says, without unit.
    unit : str
        The unit as printed; empty for counts and texts.
    better : {"higher", "lower", "neither"}
        Which direction is an improvement.
    decimals : int
        Decimals to print.
    """

    name: str
    label: str
    unit: str
    better: Literal["higher", "lower", "neither"]
    decimals: int

    @property
    def title(self) -> str:
        """Label and unit, as an axis shows them."""
        return f"{self.label} ({self.unit})" if self.unit else self.label

    def show(self, value: float | None) -> str:
        """The value with its unit, as the book prints it; a dash where there is none."""
        if value is None or math.isnan(value):
            return "–"
        number = f"{value:,.{self.decimals}f}"
        return f"{number} {self.unit}" if self.unit else number


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("bandwidth_gb_s", "Bandwidth", "GB/s", "higher", 2),
        Metric("client_nodes", "Client nodes", "", "neither", 0),
        Metric("file_systems", "File systems", "", "neither", 0),
        Metric("first_server_disks", "Disks served first", "", "neither", 0),
        Metric("nsd_disks", "Disks", "", "neither", 0),
        Metric("nsd_servers", "NSD servers", "", "neither", 0),
        Metric("scale_build", "Spectrum Scale release", "", "neither", 0),
        Metric("usable_capacity_tb", "Usable capacity", "TB", "neither", 0),
    )
}


def metric(name: str) -> Metric:
    """The metric of that name.

    Raises
    ------
    StudyBookError
        If it is not in the registry.
    """
    if name not in METRICS:
        raise StudyBookError(f"{name!r} is not a metric\n  → known: {', '.join(sorted(METRICS))}")
    return METRICS[name]
