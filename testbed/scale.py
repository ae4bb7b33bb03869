"""A plan of any size, for benchmarks: clusters of the scale-out study, day by day.

Each run is a day of one cluster, so memory is that of a day, however many hours and hosts there
are. The runs are of a study of their own and belong to no document.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from studybook.errors import StudyBookError
from testbed import ecm
from testbed.ecm.plan import factors_of
from testbed.faults import Faults
from testbed.planned import ZONE, Phases, PlannedRun

STUDY = "scale"
DAY_S = 86_400
#: Guests of a cluster: four ECM nodes, and four others.
HOSTS = 8


def runs(hosts: int, hours: float, interval_s: int, users: int = 1000) -> Iterator[PlannedRun]:
    """Plan days of clusters, until there are as many hosts and hours.

    Parameters
    ----------
    hosts : int
        Hosts with a sar file each; a cluster has eight, so it is rounded up to eights.
    hours : float
        Length, in runs of a day and a rest.
    interval_s : int
        Interval of all exports, in seconds.
    users : int
        Virtual users of each cluster.
    """
    if hosts < 1 or interval_s < 1 or hours * 3600 < 10 * interval_s:
        raise StudyBookError(
            f"{hosts} hosts, {hours} h, every {interval_s} s is no plan\n"
            "  → give at least one host, one second, and ten intervals"
        )
    setup = ecm.Setup()
    first = datetime(2016, 1, 1, tzinfo=ZONE)
    seconds = int(hours * 3600)
    for day, begin_s in enumerate(range(0, seconds, DAY_S)):
        length_s = min(DAY_S, seconds - begin_s) // interval_s * interval_s
        ramp_s = length_s // 10 // interval_s * interval_s
        for cluster in range(-(-hosts // HOSTS)):
            if length_s < 10 * interval_s:
                continue
            yield PlannedRun(
                study=STUDY,
                run=f"cluster-{cluster + 1:04d}-day-{day + 1:04d}",
                title=f"Cluster {cluster + 1}, day {day + 1}: for benchmarks only",
                setup=setup,
                users=users,
                repetition=1,
                start=first + timedelta(days=day),
                seed=(9, cluster, day),
                factors=factors_of(setup) | {"users": users},
                phases=Phases(ramp_s, length_s - 2 * ramp_s, ramp_s),
                interval_s=interval_s,
                driver_interval_s=interval_s,
                # Fast to write and to read: what is measured should not be the packing.
                packing=Faults(compression="zst"),
            )
