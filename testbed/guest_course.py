"""A guest, interval by interval: its part of a prediction, and what follows from that.

Processors, network and each disk wander by themselves around a load that all share. What the model
does not speak of (memory, tasks, interrupts, context switches) follows by the rules below; their
constants are plain assumptions, chosen to be usual, and no published value rests on them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from testbed import addresses
from testbed.course import Disk, FileSystem, Guest, Interface, Series
from testbed.ecm import Setup
from testbed.noise import settled, wandering
from testbed.parameters import read_parameters
from testbed.planned import PlannedRun, cluster_of
from testbed.prediction import GuestUse

#: Relative spreads within a run: of processors, packets, the size of packets, disks.
SPREAD = {"cpu": 0.015, "packets": 0.012, "size": 0.006, "disk": 0.03, "time": 0.03}

#: Memory in MiB: of the kernel with its daemons, and of the servers that run in a guest.
KERNEL_MIB, BUFFERS_MIB = 420, 60
SERVERS_MIB = {
    "ecm-node": 9200, "database": 5600, "nsd-server": 180, "web-server": 700,
    "deployment-manager": 1100, "directory": 900, "other": 900,
}  # fmt: skip
#: Page cache after boot, in MiB; logs add to it as they are written.
CACHE_MIB, LOGS_KIB_S = 260, 12
#: No kernel lets more than this of its memory be used.
MOST_USED = 0.97

#: Context switches per second: of an idle kernel, per packet, per disk request, per busy IFL.
SWITCHES = (250, 0.4, 2.5, 400)
#: Interrupts per second: of a processor's clock, per packet, per disk request.
INTERRUPTS = (100, 0.35, 1.0)

SYSTEM_DISK = "dasda"

#: A quantity of the guest's prediction along the run, without any noise.
Plain = Callable[[str], Series]


class GuestCourse:
    """Makes the course of one guest.

    Parameters
    ----------
    random : numpy.random.Generator
        For what is drawn.
    planned : PlannedRun
        The run.
    use : GuestUse
        What the model says of the guest with all users.
    plain : callable
        A quantity of it along the run, by name.
    load : numpy.ndarray
        Factor by which all rates differ.
    ifl_wait : numpy.ndarray
        Time that a virtual processor waits for a real one, per time that it uses one.
    memory : float
        How much of a deviation is left after an interval.
    """

    def __init__(
        self,
        random: np.random.Generator,
        planned: PlannedRun,
        use: GuestUse,
        plain: Plain,
        load: Series,
        ifl_wait: Series,
        memory: float,
    ) -> None:
        self.random, self.planned, self.use, self.plain = random, planned, use, plain
        self.load, self.ifl_wait, self.memory = load, ifl_wait, memory
        self.steps = len(load)

    def make(self) -> Guest:
        """Return it all."""
        use, n = self.use, self.steps
        cpu = self.load * self._own("cpu")
        user = self.plain("user_ifl") * cpu
        system = self.plain("system_ifl") * cpu * self._own("size")
        steal = (user + system) * (0.003 + self.ifl_wait)
        disks = self._disks()
        reads = sum((disk.reads_per_s for disk in disks), np.zeros(n))
        requests = reads + sum((disk.writes_per_s for disk in disks), np.zeros(n))
        # A processor waits for the disk when it has nothing else to do while a read is on its way.
        idle = np.maximum(use.vcpus - user - system - steal, 0.0)
        waiting = reads * self.plain("disk_wait_ms") / 1000
        iowait = 0.3 * idle * waiting / (waiting + use.vcpus)
        # Noise must not take more than there is.
        fits = np.minimum(0.99 * use.vcpus / (user + system + steal + iowait), 1.0)
        interface = self._interface()
        packets = interface.rx_packets_per_s + interface.tx_packets_per_s
        busy = (user + system) * fits
        used, cached = self._memory()
        noise = self.random.standard_normal((3, n))
        idle_switches, per_packet, per_request, per_ifl = SWITCHES
        clock, of_packet, of_request = INTERRUPTS
        return Guest(
            name=use.name,
            role=use.role,
            vcpus=use.vcpus,
            memory_mib=use.memory_mib,
            user_ifl=settled(user * fits),
            system_ifl=settled(system * fits),
            iowait_ifl=settled(iowait * fits),
            steal_ifl=settled(steal * fits),
            hypervisor_ifl=settled(self.plain("hypervisor_ifl") * self.load * self._own("cpu")),
            memory_used_mib=used,
            cached_mib=cached,
            buffers_mib=np.full(n, float(BUFFERS_MIB)),
            # Of a processor that is busy for a share of the time, so much waits beside it.
            run_queue=settled(np.maximum(busy * busy / use.vcpus * (1 + 0.3 * noise[0]), 0.0)),
            tasks=180 + 25 * use.vcpus + np.rint(3 * noise[1]),
            context_switches_per_s=settled(
                idle_switches + per_packet * packets + per_request * requests + per_ifl * busy
            ),
            created_per_s=settled(np.maximum(0.6 + 0.3 * noise[2], 0.0)),
            interrupts_per_s=settled(
                clock * use.vcpus + of_packet * packets + of_request * requests
            ),
            interfaces=(interface,),
            disks=(self._system_disk(), *disks),
            file_system=self._file_system(),
        )

    def _own(self, what: Literal["cpu", "packets", "size", "disk", "time"]) -> Series:
        """Return noise of the guest's own."""
        return 1 + wandering(self.random, self.steps, SPREAD[what], self.memory)

    def _memory(self) -> tuple[Series, Series]:
        """Return the memory in use, and the page cache in it, in MiB."""
        use, setup = self.use, self.planned.setup
        pinned, cache = 0, float(CACHE_MIB)
        if isinstance(setup, Setup):
            if use.role == "nsd-server":
                pinned = setup.server_pagepool_mib
            elif use.role == "ecm-node" and setup.file_system == "scale":
                pinned = setup.client_pagepool_mib
            elif use.role == "ecm-node":
                known = read_parameters(self.planned.parameters)
                cache = known.values("ecm")["xfs_cache_mib"]
        logs = np.arange(self.steps) * (self.planned.interval_s * LOGS_KIB_S / 1024)
        room = MOST_USED * use.memory_mib - BUFFERS_MIB
        wanted = min(KERNEL_MIB + SERVERS_MIB[use.role] + pinned, room - 20)
        fixed = wanted + 2 * wandering(self.random, self.steps, 1.0, self.memory)
        cached = np.clip(cache + logs, 0, room - fixed)
        return settled(fixed + cached + BUFFERS_MIB), settled(cached)

    def _interface(self) -> Interface:
        use = self.use
        rx = self.plain("rx_packets_per_s") * self.load * self._own("packets")
        tx = self.plain("tx_packets_per_s") * self.load * self._own("packets")
        rx_kib = self.plain("rx_kib_s") * self.load * self._own("packets")
        tx_kib = self.plain("tx_kib_s") * self.load * self._own("packets")
        # No packet is larger than the MTU, with its Ethernet header.
        most = (use.mtu + 14) / 1024
        return Interface(
            name="eth0",
            address=addresses.address(use.name),
            mac=addresses.mac(use.name),
            mtu=use.mtu,
            rx_packets_per_s=settled(rx),
            tx_packets_per_s=settled(tx),
            rx_kib_s=settled(np.minimum(rx_kib, rx * most)),
            tx_kib_s=settled(np.minimum(tx_kib, tx * most)),
        )

    def _system_disk(self) -> Disk:
        """Return the disk with the guest's own files: logs, and little else."""
        writes = np.maximum(3 + self.random.standard_normal(self.steps), 0.2)
        major, minor = addresses.device(SYSTEM_DISK)
        zero, service = np.zeros(self.steps), np.full(self.steps, 0.8)
        kib_s = LOGS_KIB_S / 3 * writes
        return Disk(
            major, minor, None, zero, settled(writes), zero, settled(kib_s), service, 1.1 * service
        )

    def _disks(self) -> list[Disk]:
        found = []
        for place, (name, share) in enumerate(self.use.disk_shares):
            nsd = name if name.startswith("nsd") else None
            major, minor = addresses.device(name) if nsd is None else (8, 16 * place)
            read = share * self.load * self._own("disk")
            write = share * self.load * self._own("disk")
            time = self._own("time")
            found.append(
                Disk(
                    major,
                    minor,
                    nsd,
                    reads_per_s=settled(self.plain("disk_reads_per_s") * read),
                    writes_per_s=settled(self.plain("disk_writes_per_s") * write),
                    read_kib_s=settled(self.plain("disk_read_kib_s") * read * self._own("size")),
                    write_kib_s=settled(self.plain("disk_write_kib_s") * write * self._own("size")),
                    service_ms=settled(self.plain("disk_service_ms") * time),
                    wait_ms=settled(self.plain("disk_wait_ms") * time),
                )
            )
        return found

    def _file_system(self) -> FileSystem | None:
        made = cluster_of(self.planned.setup)
        if made is None or self.use.role != "ecm-node":
            return None
        read = self.plain("file_system_read_kib_s") * self.load * self._own("size")
        write = self.plain("file_system_write_kib_s") * self.load * self._own("size")
        # Applications read and write 64 KiB at a time, and a document has some 512 KiB.
        opens = (read + write) / 512
        return FileSystem(
            name=made.file_system,
            cluster=made.name,
            disks=len(made.nsds),
            read_kib_s=settled(read),
            write_kib_s=settled(write),
            opens_per_s=settled(opens),
            closes_per_s=settled(opens),
            reads_per_s=settled(read / 64),
            writes_per_s=settled(write / 64),
            readdirs_per_s=settled(0.05 * opens),
            inode_updates_per_s=settled(0.3 * opens),
        )
