"""A run to be: its setup, load, time, phases and faults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from testbed import addresses, cluster, ecm, filenet
from testbed.faults import Faults
from testbed.parameters import FILE

ECM, FILENET = "ecm-scaleout", "filenet-p8"
ZONE = ZoneInfo("Europe/Berlin")
#: The repetitions of each setup under each load, by the campaign in which they were run. With three
#: alone, the intervals of more than a tenth of a study's claims lay across a bound.
CAMPAIGNS = ((1, 2, 3), (4, 5))

PACKED = Faults(compression="xz")


@dataclass(frozen=True)
class Phases:
    """The phases of a run, in seconds: users log in, all work, users end."""

    ramp_up_s: int = 300
    stable_s: int = 900
    ramp_down_s: int = 120

    @property
    def total_s(self) -> int:
        """Length of the run."""
        return self.ramp_up_s + self.stable_s + self.ramp_down_s


@dataclass(frozen=True)
class PlannedRun:
    """A run to be.

    Parameters
    ----------
    study, run, title : str
        As in ``run.yml``.
    setup : ecm.Setup or filenet.Setup
        The system under test.
    users : float
        Virtual users of the stable phase.
    repetition : int
        1 for the first.
    start : datetime.datetime
        Start by the clock of the hosts.
    seed : tuple of int
        Of everything that is random in the run.
    factors : mapping
        What was varied, for ``run.yml``.
    phases : Phases
        How long it lasts.
    interval_s, driver_interval_s : int
        Intervals of the hosts and of the load driver; the one is a multiple of the other.
    faults : mapping of str to Faults
        What single exports carry, by their name without suffixes.
    ifls : int
        Processors of the LPAR.
    captures_only : bool
        Whether it is a capture of the configuration, after users have worked for a while.
    parameters : pathlib.Path
        File of the model's parameters.
    packing : Faults
        What an export carries that ``faults`` says nothing of: how it is packed.
    """

    study: str
    run: str
    title: str
    setup: ecm.Setup | filenet.Setup
    users: float
    repetition: int
    start: datetime
    seed: tuple[int, ...]
    factors: Mapping[str, Any]
    phases: Phases = Phases()
    interval_s: int = 30
    driver_interval_s: int = 10
    faults: Mapping[str, Faults] = field(default_factory=dict)
    ifls: int = 30
    captures_only: bool = False
    parameters: Path = FILE
    packing: Faults = PACKED


def cluster_of(setup: ecm.Setup | filenet.Setup) -> cluster.Cluster | None:
    """Return the Spectrum Scale cluster of a setup, if it has one."""
    if not isinstance(setup, ecm.Setup) or setup.cluster == "none":
        return None
    return cluster.of(
        setup.cluster,
        setup.nodes,
        setup.server_list,
        setup.client_pagepool_mib,
        setup.server_pagepool_mib,
        setup.nsd_servers,
        addresses={
            name: addresses.address(name) for name in (*setup.node_names, *setup.server_names)
        },
    )
