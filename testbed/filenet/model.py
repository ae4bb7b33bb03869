"""The model of FileNet P8: a closed network of users, the CE/PE guest, database and directory.

Users of the Content Engine (CE) and of the Process Engine (PE) do operations one after another,
with think time between. Both engines run in one guest, whose processors are the bottleneck. What
the engines and their Java virtual machines do one at a time is a centre of one server, the locks:
with eight processors it is nearly as busy as they are, and waiting for it costs processor time
(spinning). So up to four processors give throughput in proportion, and eight give less, while the
processor time of an operation is the same for any number of processors.

One processor has to leave more of its time idle than two for the same response time (any queue
does that), so it carries less than half of what two carry at the highest response time accepted.

The document's throughput is normalised: 1 is that of the lowest level with one processor. How many
operations per second that is was not published, so the absolute scale is our choice: it follows
from the processor time of an operation, which the published response times leave little room for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from scipy.optimize import brentq

from studybook.errors import StudyBookError
from testbed.centre import Centre
from testbed.filenet.guests import Busy, guests
from testbed.filenet.mix import ENGINES, KINDS, Engine, Kind, mean, of
from testbed.prediction import Operation, Prediction, Station
from testbed.queueing import Network, RequestClass, Solution, solve
from testbed.rounded import rounded

CPU, LOCKS, DATABASE, DIRECTORY, DISKS = "CEPE cpu", "locks", "DB2 cpu", "LDAP cpu", "disks"

#: Load levels in percent of the users at the highest one. With one processor, throughput goes from
#: 1 to 5 (Table 10); with two, it nearly quadruples between the extremes (Figure 6).
ONE_CPU_LEVELS = (19.0, 40.0, 60.0, 80.0, 100.0)
LEVELS = (26.0, 45.0, 63.0, 80.0, 100.0)


@dataclass(frozen=True)
class Setup:
    """Virtual processors of the two guests that were varied (Table 10).

    Parameters
    ----------
    ce_pe_cpus : {1, 2, 4, 8}
        Of the guest of Content Engine and Process Engine.
    db_cpus : {1, 2}
        Of the database guest.
    """

    ce_pe_cpus: Literal[1, 2, 4, 8] = 2
    db_cpus: Literal[1, 2] = 2

    def __post_init__(self) -> None:
        if self.ce_pe_cpus not in (1, 2, 4, 8) or self.db_cpus not in (1, 2):
            raise StudyBookError(
                f"{self.ce_pe_cpus} CE/PE and {self.db_cpus} database processors\n"
                "  → give 1, 2, 4 or 8, and 1 or 2"
            )

    @property
    def name(self) -> str:
        """As the document names it: ``2-2``."""
        return f"{self.ce_pe_cpus}-{self.db_cpus}"


#: The four setups of Table 10.
SETUPS = (Setup(1, 1), Setup(2, 2), Setup(4, 2), Setup(8, 2))


def predict(setup: Setup, users: float, parameters: Mapping[str, float]) -> Prediction:
    """Return the steady state of a setup.

    Parameters
    ----------
    setup : Setup
        The virtual processors.
    users : float
        Virtual users of both engines together.
    parameters : mapping of str to float
        Values of the sections ``shared`` and ``filenet`` of the file of parameters.

    Returns
    -------
    Prediction
        Rounded to nine significant digits, so that it is the same on every machine.
    """
    solution = solve(_network(setup, parameters), users)
    operations = _operations(solution, parameters)
    use = guests(
        rates={each.page: each.per_s for each in operations},
        busy=Busy(
            ce_pe=(setup.ce_pe_cpus, solution.busy[CPU]),
            database=(setup.db_cpus, solution.busy[DATABASE]),
            directory=(1, solution.busy[DIRECTORY]),
        ),
        p=parameters,
    )
    ifl = sum(each.user_ifl + each.system_ifl + each.hypervisor_ifl for each in use)
    return rounded(
        Prediction(
            users=users,
            think_time_s=parameters["think_time_s"],
            throughput_per_s=sum(each.per_s for each in operations),
            response_ms=mean((each.per_s, each.response_ms) for each in operations),
            total_ifl=ifl + parameters["cp_background_ifl"],
            cp_ifl=parameters["cp_background_ifl"],
            operations=operations,
            guests=use,
            stations=_stations(setup, solution),
        )
    )


def predict_level(setup: Setup, percent: float, parameters: Mapping[str, float]) -> Prediction:
    """Return the steady state at a load level, in percent of the users at the highest one."""
    users = percent / 100.0 * _most_users(setup, tuple(sorted(parameters.items())))
    return predict(setup, users, parameters)


def levels(setup: Setup, parameters: Mapping[str, float]) -> tuple[float, ...]:
    """Return the users of each load level, from the lowest to the highest, in whole numbers.

    The highest is where the slowest group of operations of the Content Engine reaches the response
    time ``good_response_ms``.
    """
    most = _most_users(setup, tuple(sorted(parameters.items())))
    shares = ONE_CPU_LEVELS if setup.ce_pe_cpus == 1 else LEVELS
    # Rounded, but never beyond the highest.
    return tuple(float(min(round(share / 100.0 * most), int(most))) for share in shares)


def unit_per_s(parameters: Mapping[str, float]) -> float:
    """Return how many operations per second are a normalised throughput of 1."""
    one = SETUPS[0]
    return predict(one, levels(one, parameters)[0], parameters).throughput_per_s


def group_response_ms(operations: tuple[Operation, ...], engine: Engine) -> dict[str, float]:
    """Return the mean response time of each group of operations of an engine."""
    groups: dict[str, list[Operation]] = {}
    for operation in operations:
        name, _, group = operation.transaction.partition(" ")
        if name == engine:
            groups.setdefault(group, []).append(operation)
    return {
        group: mean((each.per_s, each.response_ms) for each in members)
        for group, members in groups.items()
    }


@lru_cache(maxsize=64)
def _most_users(setup: Setup, parameters: tuple[tuple[str, float], ...]) -> float:
    """Return with how many users the slowest group of CE just takes ``good_response_ms``."""
    p = dict(parameters)
    good_ms = p["good_response_ms"]
    network = _network(setup, p)

    def excess_ms(users: float) -> float:
        operations = _operations(solve(network, users), p)
        return max(group_response_ms(operations, "CE").values()) - good_ms

    # A search in small steps: the solver needs long, or gives up, where spinning has taken over.
    step = users = 5.0 * setup.ce_pe_cpus
    while excess_ms(users) < 0.0:
        users += step
    low = users - step or 1.0
    if excess_ms(low) > 0.0:
        raise StudyBookError(
            f"setup {setup.name}: a single user waits longer than {good_ms:g} ms\n"
            "  → raise good_response_ms, or lower the demands of an operation"
        )
    return float(brentq(excess_ms, low, users, xtol=1e-9, rtol=1e-12))


def _demands_s(kind: Kind, p: Mapping[str, float]) -> dict[str, float]:
    """Return what one operation needs of each centre."""
    # Work of both engines is of one nature; an operation of PE is so much more of it.
    work_ms = kind.relative_work * (p["pe_work"] if kind.engine == "PE" else 1.0)
    disks_ms = p["database_ios"] * p["database_io_ms"]
    if kind.upload_kib or kind.download_kib:
        disks_ms += p["filestore_share"] * p["filestore_io_ms"]
    demands_ms = {
        CPU: p["ce_pe_cpu_ms"] * work_ms,
        LOCKS: p["lock_ms"] * work_ms,
        DATABASE: p["database_cpu_ms"] * work_ms,
        DIRECTORY: p["directory_cpu_ms"] if kind.group == "logon" else 0.0,
        DISKS: disks_ms,
    }
    return {centre: demand_ms / 1000.0 for centre, demand_ms in demands_ms.items()}


def _network(setup: Setup, p: Mapping[str, float]) -> Network:
    shares = {"CE": p["ce_user_share"], "PE": 1.0 - p["ce_user_share"]}
    return Network(
        centres=(
            Centre(CPU, setup.ce_pe_cpus),
            Centre(LOCKS, spin_share=p["spin_share"], spins_at=CPU),
            Centre(DATABASE, setup.db_cpus),
            Centre(DIRECTORY),
            # With 20 HyperPAV aliases no request waits for another one to the same disk.
            Centre(DISKS, kind="delay"),
        ),
        classes=tuple(
            RequestClass(each, p["think_time_s"], _mean_demands_s(each, p), shares[each])
            for each in ENGINES
        ),
    )


def _mean_demands_s(engine: Engine, p: Mapping[str, float]) -> dict[str, float]:
    """Return what the mean operation of an engine needs of each centre."""
    demands = [(kind.share, _demands_s(kind, p)) for kind in of(engine)]
    return {
        centre: mean((share, each[centre]) for share, each in demands) for centre in demands[0][1]
    }


def _operations(solution: Solution, p: Mapping[str, float]) -> tuple[Operation, ...]:
    return tuple(
        Operation(
            transaction=f"{kind.engine} {kind.group}",
            page=kind.name,
            per_s=kind.share * solution.throughput_per_s[kind.engine],
            response_ms=1000.0 * solution.time_s(kind.engine, _demands_s(kind, p)),
        )
        for kind in KINDS
    )


def _stations(setup: Setup, solution: Solution) -> tuple[Station, ...]:
    servers = {CPU: setup.ce_pe_cpus, LOCKS: 1, DATABASE: setup.db_cpus, DIRECTORY: 1}
    return tuple(Station(name, n, solution.busy[name] / n) for name, n in servers.items())
