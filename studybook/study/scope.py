"""The scope of a figure: the runs of one study that it may see of a data set.

A figure is stale when a raw file of these runs changes that is of a source which it uses.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from studybook.dataset.inventory import Inventory
from studybook.dataset.manifest import FILE_NAME, factor_text

#: Stands among the factors for the name of a run.
RUN = "run"


@dataclass(frozen=True)
class Scope:
    """The runs that a figure may see.

    Parameters
    ----------
    study : str
        Name of the study.
    runs : mapping
        Factors that the runs must have: name to value, or to a list of values; None among them
        lets runs in that do not have the factor.
    stable_phase : tuple of float, optional
        Seconds since the start of the run, in the place of the phase found in each run.
    """

    study: str
    runs: Mapping[str, Any]
    stable_phase: tuple[float, float] | None = None

    def record(self) -> dict[str, Any]:
        """The scope as plain data."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Scope:
        """The scope that :meth:`record` wrote down."""
        phase = record.get("stable_phase")
        return cls(
            record["study"],
            record["runs"],
            None if phase is None else (float(phase[0]), float(phase[1])),
        )

    def inputs(self, inventory: Inventory, sources: Collection[str]) -> dict[str, str]:
        """Content hash of each raw file of some sources in the scope, and of their manifests.

        Of a run that is excluded it is that of the manifest, which says why.
        """
        found: dict[str, str] = {}
        for run in inventory.runs:
            if run.study == self.study and self.takes(run.factors | {RUN: run.run}):
                of_run = inventory.entries_of[run.run_id]
                within = {e.name: e.sha256 for e in of_run if e.source in sources}
                if within:
                    manifest = f"{run.run_id}/{FILE_NAME}"
                    found[manifest] = inventory.run_hashes[manifest]
                    if not run.excluded or self.names_runs:
                        found |= within
        return dict(sorted(found.items()))

    @property
    def names_runs(self) -> bool:
        """Whether runs are asked for by name: then those count, too, that a person has excluded."""
        return RUN in self.runs

    def takes(self, factors: Mapping[str, Any]) -> bool:
        """Whether a run with these factors is in the scope."""
        return all(
            factor_text(factors[name]) in texts(wanted) if name in factors else optional(wanted)
            for name, wanted in self.runs.items()
        )


def texts(wanted: Any) -> list[str]:
    """The values that a factor may have, as tables hold them."""
    values = wanted if isinstance(wanted, list | tuple) else [wanted]
    return [factor_text(value) for value in values if value is not None]


def optional(wanted: Any) -> bool:
    """Whether a run without the factor is let in."""
    return wanted is None or (isinstance(wanted, list | tuple) and None in wanted)
