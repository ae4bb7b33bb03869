"""A small plausible course of a run, for tests of the writers."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import numpy as np

from testbed.course import (
    Course,
    Disk,
    Driver,
    FileSystem,
    Guest,
    Interface,
    Requests,
    Series,
)

START = datetime(2016, 6, 14, 14, 0, 0, tzinfo=ZoneInfo("Europe/Berlin"))
PAGES = (
    ("Search", "Open desktop"),
    ("Search", "Search folder"),
    ("View", "Open document"),
    ("Add", "Add document"),
)


def course(
    seed: int = 1,
    *,
    intervals: int = 30,
    interval_s: int = 10,
    start: datetime = START,
    nodes: int = 2,
    servers: int = 2,
    vcpus: int = 8,
    disks: int = 3,
    driver_interval_s: int = 5,
    run: str = "nsd-2node-1492-1000",
) -> Course:
    """Make a course with ECM nodes and NSD servers.

    Parameters
    ----------
    seed : int
        Another seed gives other series of the same kind.
    intervals, interval_s : int
        Intervals of the hosts, and their length in seconds.
    start : datetime.datetime
        Start of the run.
    nodes, servers : int
        ECM nodes, which have a file system, and NSD servers, which have disks.
    vcpus, disks : int
        Virtual processors of a node; disks of each server.
    driver_interval_s : int
        Interval of the load driver.
    run : str
        Name of the run.
    """
    random = np.random.default_rng(seed)

    def series(level: float, spread: float = 0.1, lowest: float = 0.0) -> Series:
        noise = random.standard_normal(intervals)
        return np.asarray(np.maximum(level * (1 + spread * noise), lowest), np.float64)

    def interface(name: str, host: int, mtu: int, packets: float) -> Interface:
        received, sent = series(packets), series(0.7 * packets)
        return Interface(
            name=name,
            address=f"192.0.2.{host}",
            mac=f"02:00:00:00:00:{host:02x}",
            mtu=mtu,
            rx_packets_per_s=received,
            tx_packets_per_s=sent,
            rx_kib_s=received * (0.6 * mtu / 1024),
            tx_kib_s=sent * (0.3 * mtu / 1024),
        )

    def disk(number: int) -> Disk:
        reads, writes, service = series(200), series(60), series(1.2, lowest=0.2)
        return Disk(
            major=8,
            minor=16 * number,
            nsd=f"nsd{number + 1}",
            reads_per_s=reads,
            writes_per_s=writes,
            read_kib_s=reads * 64,
            write_kib_s=writes * 32,
            service_ms=service,
            wait_ms=service * 1.6,
        )

    def guest(name: str, role: str, host: int, cpus: int, memory_mib: int, busy: float) -> Guest:
        is_node = role == "ecm-node"
        return Guest(
            name=name,
            role=role,
            vcpus=cpus,
            memory_mib=memory_mib,
            user_ifl=series(0.55 * busy),
            system_ifl=series(0.15 * busy),
            iowait_ifl=series(0.05 * busy),
            steal_ifl=series(0.02 * busy),
            hypervisor_ifl=series(0.1 * busy),
            memory_used_mib=series(0.7 * memory_mib, 0.01),
            cached_mib=series(0.3 * memory_mib, 0.01),
            buffers_mib=series(0.02 * memory_mib, 0.01),
            run_queue=series(0.5 * busy, 0.5),
            tasks=series(240, 0.02),
            context_switches_per_s=series(9000),
            created_per_s=series(2, 0.5),
            interrupts_per_s=series(7000),
            interfaces=(
                interface("eth0", host, 1492, 9000),
                interface("eth1", host + 100, 8192, 1500),
            ),
            disks=() if is_node else tuple(disk(number) for number in range(disks)),
            file_system=file_system() if is_node else None,
        )

    def file_system() -> FileSystem:
        reads, writes, opens = series(700), series(240), series(50)
        return FileSystem(
            name="fs1",
            cluster="ecm.example.com",
            disks=disks * servers,
            read_kib_s=reads * 60,
            write_kib_s=writes * 60,
            opens_per_s=opens,
            closes_per_s=opens,
            reads_per_s=reads,
            writes_per_s=writes,
            readdirs_per_s=series(3),
            inode_updates_per_s=series(20),
        )

    return Course(
        study="ecm-scaleout",
        run=run,
        start=start,
        interval_s=interval_s,
        ifls=28,
        system="ZVMSYS1",
        guests=(
            *(guest(f"ECMnod{n + 1}", "ecm-node", n + 1, vcpus, 16384, 5.0) for n in range(nodes)),
            *(guest(f"NSDsrv{n + 1}", "nsd-server", n + 11, 2, 4096, 0.7) for n in range(servers)),
        ),
        cp_ifl=series(0.4),
        driver=_driver(random, -(-intervals * interval_s // driver_interval_s), driver_interval_s),
        seed=(seed, 7),
    )


def _driver(random: np.random.Generator, intervals: int, interval_s: int) -> Driver:
    def requests(transaction: str, page: str) -> Requests:
        mean = np.maximum(300 + 40 * random.standard_normal(intervals), 50.0)
        return Requests(
            transaction=transaction,
            page=page,
            hits=random.integers(0, 40, intervals),
            mean_ms=mean,
            stdev_ms=0.4 * mean,
            min_ms=0.4 * mean,
            max_ms=3 * mean,
        )

    return Driver(
        interval_s=interval_s,
        users=np.minimum(np.arange(1, intervals + 1) * 100, 1000),
        completed_users=np.zeros(intervals, np.int64),
        think_time_s=20.0,
        requests=tuple(requests(*page) for page in PAGES),
    )
