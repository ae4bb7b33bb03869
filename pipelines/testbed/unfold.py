"""A planned run unfolded: from the steady states of the model to a course, interval by interval.

The model is solved at some numbers of users; in between, while users log in or end, quantities are
interpolated. Around that lies noise: a repetition as a whole is a little off, and within a run the
load and each guest wander about (first-order autoregressive, so neighbouring intervals are alike).
What the model does not say (interrupts, tasks, memory) follows from what it says by plain rules.

Noise is made by sums and products only, so that it is the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy.signal import lfilter

from pipelines.errors import StudyBookError
from pipelines.testbed import addresses, cluster, ecm, filenet
from pipelines.testbed.course import (
    Counts,
    Course,
    Disk,
    Driver,
    FileSystem,
    Guest,
    Interface,
    Requests,
    Series,
)
from pipelines.testbed.parameters import read_parameters
from pipelines.testbed.plan import PlannedRun
from pipelines.testbed.prediction import GuestUse, Operation, Prediction

#: Shares of the users for which the model is solved.
SHARES = (0.02, 0.25, 0.5, 0.75, 1.0)

#: Relative spreads: of a repetition as a whole, of the load within a run, of one guest.
RUN_SPREAD = {"load": 0.002, "response": 0.012, "guest": 0.006}
LOAD_SPREAD, RESPONSE_SPREAD, GUEST_SPREAD = 0.012, 0.03, 0.015

#: How much of a deviation is left after an interval of the load driver.
MEMORY = 0.8

#: Spread of the response times of one page, by their mean; and its fastest and slowest.
PAGE_STDEV, PAGE_MIN = 0.55, 0.4

SYSTEM_DISK = "dasda"


def unfold(planned: PlannedRun) -> Course:
    """Make the course of a run.

    Parameters
    ----------
    planned : PlannedRun
        The run.
    """
    states = _states(planned)
    driver_steps = planned.phases.total_s // planned.driver_interval_s
    per_interval = planned.interval_s // planned.driver_interval_s
    intervals = driver_steps // per_interval
    random = np.random.default_rng(planned.seed)
    off = {what: 1 + spread * random.standard_normal() for what, spread in RUN_SPREAD.items()}
    users, completed = _users(planned, driver_steps)
    load = off["load"] * (1 + _wandering(random, driver_steps, LOAD_SPREAD, MEMORY))
    response = off["response"] * (1 + _wandering(random, driver_steps, RESPONSE_SPREAD, MEMORY))

    def along(value: Callable[[Prediction], float], at: Series) -> Series:
        return np.interp(at, [each.users for each in states], [value(each) for each in states])

    def coarse(series: Series) -> Series:
        whole = series[: intervals * per_interval].reshape(intervals, per_interval)
        return np.asarray(whole.mean(axis=1))

    driver = Driver(
        interval_s=planned.driver_interval_s,
        users=users,
        completed_users=completed,
        think_time_s=states[-1].think_time_s,
        requests=tuple(
            _requests(random, planned, number, operation, along, users, load, response)
            for number, operation in enumerate(states[-1].operations)
        ),
    )
    at, common = coarse(users.astype(float)), coarse(load)
    memory = MEMORY**per_interval
    guests = []
    for number, use in enumerate(states[-1].guests):
        own = off["guest"] * (1 + _wandering(random, intervals, GUEST_SPREAD, memory))

        def series(name: str, number: int = number, own: Series = own) -> Series:
            return along(lambda state: getattr(state.guests[number], name), at) * common * own

        guests.append(_guest(random, planned, use, series, states[-1]))
    return Course(
        study=planned.study,
        run=planned.run,
        start=planned.start,
        interval_s=planned.interval_s,
        ifls=getattr(planned.setup, "ifls", 16),
        system=addresses.SYSTEM,
        guests=tuple(guests),
        cp_ifl=along(lambda state: state.cp_ifl, at)
        * (1 + _wandering(random, intervals, 0.03, memory)),
        driver=driver,
        seed=planned.seed,
    )


def _states(planned: PlannedRun) -> Sequence[Prediction]:
    users = [share * planned.users for share in SHARES]
    known = read_parameters(planned.parameters)
    if isinstance(planned.setup, ecm.Setup):
        return [ecm.predict(planned.setup, each, known.values("ecm")) for each in users]
    return [filenet.predict(planned.setup, each, known.values("filenet")) for each in users]


def _wandering(random: np.random.Generator, steps: int, spread: float, memory: float) -> Series:
    """Return noise with mean 0 in which neighbours are alike; held within three spreads."""
    fresh = random.standard_normal(steps) * (spread * math.sqrt(1 - memory * memory))
    fresh[0] *= 1 / math.sqrt(1 - memory * memory)
    noise: Series = lfilter([1.0], [1.0, -memory], fresh)
    return np.clip(noise, -3 * spread, 3 * spread)


def _users(planned: PlannedRun, steps: int) -> tuple[Counts, Counts]:
    """Return the users at work and those that have ended, at the end of each step.

    They log in one after another, and end one after another.
    """
    phases = planned.phases
    at_s = np.arange(1, steps + 1) * planned.driver_interval_s
    most = int(planned.users)
    begun = np.minimum(at_s * most // phases.ramp_up_s, most)
    ending_s = at_s - phases.ramp_up_s - phases.stable_s
    ended = np.clip(ending_s * most // phases.ramp_down_s, 0, most)
    return begun - ended, ended


def _requests(
    random: np.random.Generator,
    planned: PlannedRun,
    number: int,
    operation: Operation,
    along: Callable[[Callable[[Prediction], float], Series], Series],
    users: Counts,
    load: Series,
    response: Series,
) -> Requests:
    at = users.astype(float)
    expected = along(lambda state: state.operations[number].per_s, at) * load
    # Below the fewest users that the model was solved for, there is no work in proportion.
    expected *= np.minimum(at / (SHARES[0] * planned.users), 1.0) * planned.driver_interval_s
    # Users of a closed system take turns, so their number spreads less than a Poisson count.
    hits = np.rint(expected + 0.6 * np.sqrt(expected) * random.standard_normal(len(expected)))
    hits = np.maximum(hits, 0).astype(np.int64)
    several = np.sqrt(np.maximum(hits, 1))
    mean = along(lambda state: state.operations[number].response_ms, at) * response
    mean *= 1 + np.clip(PAGE_STDEV * random.standard_normal(len(mean)) / several, -0.3, 0.6)
    slowest = mean * (1 + PAGE_STDEV * (1.5 + 0.5 * np.abs(random.standard_normal(len(mean)))))
    spread = hits > 1
    return Requests(
        transaction=operation.transaction,
        page=operation.page,
        hits=hits,
        mean_ms=mean,
        stdev_ms=np.where(spread, PAGE_STDEV * mean, 0.0),
        min_ms=np.where(spread, PAGE_MIN * mean, mean),
        max_ms=np.where(spread, slowest, mean),
    )


def _guest(
    random: np.random.Generator,
    planned: PlannedRun,
    use: GuestUse,
    series: Callable[[str], Series],
    state: Prediction,
) -> Guest:
    user, system = series("user_ifl"), series("system_ifl")
    # Processors that are shared by more guests than there are of them are not always at hand.
    pressed = min(state.total_ifl / getattr(planned.setup, "ifls", 16), 1.0) ** 4
    steal = (user + system) * (0.005 + 0.03 * pressed)
    reads = series("disk_reads_per_s")
    # A processor waits for the disk when it has nothing else to do while a read is on its way.
    idle = np.maximum(use.vcpus - user - system - steal, 0.0)
    waiting = reads * use.disk_wait_ms / 1000
    iowait = 0.3 * idle * waiting / (waiting + use.vcpus)
    # Noise must not take more than there is.
    fits = np.minimum(0.99 * use.vcpus / (user + system + steal + iowait), 1.0)
    n = len(user)
    noise = random.standard_normal((5, n))
    packets = series("rx_packets_per_s") + series("tx_packets_per_s")
    used = use.memory_mib * np.clip(0.72 + np.arange(n) * (0.15 / n) + 0.002 * noise[0], 0, 0.98)
    busy = (user + system) * fits
    return Guest(
        name=use.name,
        role=use.role,
        vcpus=use.vcpus,
        memory_mib=use.memory_mib,
        user_ifl=user * fits,
        system_ifl=system * fits,
        iowait_ifl=iowait * fits,
        steal_ifl=steal * fits,
        hypervisor_ifl=series("hypervisor_ifl"),
        memory_used_mib=used,
        cached_mib=0.35 * used,
        buffers_mib=0.02 * used,
        run_queue=np.maximum(busy * busy / use.vcpus * (1 + 0.3 * noise[1]), 0.0),
        tasks=180 + 25 * use.vcpus + np.rint(3 * noise[2]),
        context_switches_per_s=250 + 0.4 * packets + 2.5 * reads + 400 * busy,
        created_per_s=np.maximum(0.6 + 0.3 * noise[3], 0.0),
        interrupts_per_s=100 * use.vcpus + 0.35 * packets + reads,
        interfaces=(_interface(use, series),),
        disks=(_system_disk(noise[4]), *_disks(use, series)),
        file_system=_file_system(planned, series) if _has_scale(planned, use) else None,
    )


def _interface(use: GuestUse, series: Callable[[str], Series]) -> Interface:
    return Interface(
        name="eth0",
        address=addresses.address(use.name),
        mac=addresses.mac(use.name),
        mtu=use.mtu,
        rx_packets_per_s=series("rx_packets_per_s"),
        tx_packets_per_s=series("tx_packets_per_s"),
        rx_kib_s=series("rx_kib_s"),
        tx_kib_s=series("tx_kib_s"),
    )


def _system_disk(noise: Series) -> Disk:
    """Return the disk with the guest's own files: logs, and little else."""
    writes = np.maximum(3 + noise, 0.2)
    major, minor = addresses.device(SYSTEM_DISK)
    zero = np.zeros(len(noise))
    service = np.full(len(noise), 0.8)
    return Disk(major, minor, None, zero, writes, zero, 12 * writes, service, 1.1 * service)


def _disks(use: GuestUse, series: Callable[[str], Series]) -> list[Disk]:
    found = []
    rates: Mapping[str, Series] = {
        name: series(f"disk_{name}")
        for name in ("reads_per_s", "writes_per_s", "read_kib_s", "write_kib_s")
    }
    service, wait = series("disk_service_ms"), series("disk_wait_ms")
    for place, (name, share) in enumerate(use.disk_shares):
        nsd = name if name.startswith("nsd") else None
        major, minor = addresses.device(name) if nsd is None else (8, 16 * place)
        found.append(
            Disk(
                major,
                minor,
                nsd,
                **{key: share * rate for key, rate in rates.items()},
                service_ms=service,
                wait_ms=wait,
            )
        )
    return found


def _has_scale(planned: PlannedRun, use: GuestUse) -> bool:
    setup = planned.setup
    return isinstance(setup, ecm.Setup) and setup.file_system == "scale" and use.role == "ecm-node"


def _file_system(planned: PlannedRun, series: Callable[[str], Series]) -> FileSystem:
    made = cluster_of(planned.setup)
    read, write = series("file_system_read_kib_s"), series("file_system_write_kib_s")
    # Applications read and write 64 KiB at a time, and a document has some 512 KiB.
    opens = (read + write) / 512
    return FileSystem(
        name=made.file_system,
        cluster=made.name,
        disks=len(made.nsds),
        read_kib_s=read,
        write_kib_s=write,
        opens_per_s=opens,
        closes_per_s=opens,
        reads_per_s=read / 64,
        writes_per_s=write / 64,
        readdirs_per_s=0.05 * opens,
        inode_updates_per_s=0.3 * opens,
    )


def cluster_of(setup: ecm.Setup | filenet.Setup) -> cluster.Cluster:
    """Return the Spectrum Scale cluster of a setup.

    Raises
    ------
    StudyBookError
        If the setup has none.
    """
    if not isinstance(setup, ecm.Setup) or setup.cluster == "none":
        raise StudyBookError(
            "there is no cluster in this setup\n  → ask for captures of its guests"
        )
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
