"""How much is measured: numbers of processes, seconds, sizes of files."""

from __future__ import annotations

from dataclasses import dataclass, replace

from studybook.errors import StudyBookError

#: A process of dbench has so much on disk, in MiB: 340 MiB for 16 of them (seen, dbench 4.0).
DBENCH_MIB = 22

#: A file smaller than this is written before a process has warmed up.
LEAST_MIB = 4


@dataclass(frozen=True)
class Scale:
    """How much is measured.

    Parameters
    ----------
    processes : tuple of int
        Numbers of processes of dbench.
    writers : tuple of int
        Numbers of processes that write and read in sequence.
    dbench_s, tcp_s : int
        Seconds of one test.
    file_mib : int
        File of each process that reads and writes in sequence, in MiB.
    switching : tuple of int
        Numbers of processes that switch.
    switch_kib : tuple of int
        Data that each of them touches, in KiB.
    switch_us : int
        Least time of one timing of ``lat_ctx``, in microseconds.
    switch_loops : int
        Operations of ``perf bench sched pipe``.
    connections : int
        Connections at once in the tests of many.
    copy_mib : int
        What ``dd`` writes, in MiB.
    notes : tuple of str
        What a reader of the numbers must know.
    """

    processes: tuple[int, ...]
    writers: tuple[int, ...]
    dbench_s: int
    tcp_s: int
    file_mib: int
    switching: tuple[int, ...]
    switch_kib: tuple[int, ...]
    switch_us: int
    switch_loops: int
    connections: int
    copy_mib: int
    notes: tuple[str, ...] = ()

    def within(self, most_mib: int) -> Scale:
        """The same with files so small that no command needs more disk space than this.

        Raises
        ------
        StudyBookError
            If nothing can be measured in so little.
        """
        most_writers = max(self.writers)
        least = max(DBENCH_MIB * min(self.processes), LEAST_MIB * most_writers)
        if most_mib < least:
            raise StudyBookError(
                f"--max-mib {most_mib}: the experiments need {least} MiB of disk space at least\n"
                f"  → give {least} or more"
            )
        return replace(
            self,
            file_mib=min(self.file_mib, most_mib // most_writers),
            copy_mib=min(self.copy_mib, most_mib),
        )


FULL = Scale(
    processes=(1, 2, 4, 8, 16),
    writers=(1, 2, 4, 8, 16),
    dbench_s=6,
    tcp_s=8,
    file_mib=96,
    switching=(2, 4, 8, 16),
    switch_kib=(0, 16, 64),
    switch_us=100_000,
    switch_loops=1_000_000,
    connections=10,
    copy_mib=1024,
)

#: A look at whether everything works: its numbers are worth nothing.
QUICK = Scale(
    processes=(1, 4),
    writers=(2,),
    dbench_s=2,
    tcp_s=1,
    file_mib=16,
    switching=(2, 8),
    switch_kib=(0, 16),
    switch_us=5_000,
    switch_loops=20_000,
    connections=10,
    copy_mib=64,
    notes=("Measured with --quick, to see whether it works: the numbers are worth nothing.",),
)
