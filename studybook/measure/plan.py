"""The plan of runs: their order, and the time and space that they take, before anything starts."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from studybook.errors import StudyBookError
from studybook.measure import (
    context_switch,
    dbench,
    dd_block_size,
    sequential_io,
    tcp_transactions,
)
from studybook.measure.command import Experiment, command_text
from studybook.measure.scale import Scale
from studybook.measure.tools import Tool, missing
from studybook.text import few

#: The study that the runs belong to, where no other is named.
STUDY = "linux-io"

#: In the order of each repetition.
EXPERIMENTS = (
    dbench.NAME,
    sequential_io.NAME,
    context_switch.NAME,
    tcp_transactions.NAME,
    dd_block_size.NAME,
)

#: Left free on the disk beside what the experiments need, in MiB.
SPARE_MIB = 64

#: Around the commands of a run: the recording, its compression.
_AROUND_RUN_S = 0.5

#: Activities that sar records: processors, switches, load, paging, memory, disks, network.
_SAR = (
    "sar", "-u", "ALL", "-P", "ALL", "-w", "-q", "-B", "-r", "-b", "-d", "-n", "DEV", "1",
)  # fmt: skip


@dataclass(frozen=True)
class PlannedRun:
    """One repetition of one experiment."""

    experiment: Experiment
    repetition: int

    @property
    def name(self) -> str:
        """Name of the run, and of its folder."""
        return f"{self.experiment.name}-{self.repetition}"

    @property
    def title(self) -> str:
        """The name of the run."""
        return f"{self.experiment.title}, repetition {self.repetition}"

    @property
    def seconds(self) -> float:
        """How long it will take, roughly."""
        return self.experiment.seconds + _AROUND_RUN_S


@dataclass(frozen=True)
class Plan:
    """All runs in their order, and where they take place.

    Parameters
    ----------
    runs : tuple of PlannedRun
        Each repetition runs every experiment once.
    lacking : mapping
        Experiments that cannot be run, with the tools of which they need one.
    target : pathlib.Path
        Folder of the study in the data set: runs are written below it.
    directory : pathlib.Path
        Where the folder of the test files is made.
    most_seconds : float
        No run begins that would not end by then; what runs longer is stopped.
    recorder : tuple of str
        The command that records the system beside each run; none where sar is missing.
    """

    runs: tuple[PlannedRun, ...]
    lacking: dict[str, list[Tool]]
    target: Path
    directory: Path
    most_seconds: float
    recorder: tuple[str, ...]

    @property
    def seconds(self) -> float:
        """How long all will take, roughly."""
        return sum(run.seconds for run in self.runs)

    @property
    def mib(self) -> float:
        """Most disk space that a command needs, in MiB; the files of each are deleted after it."""
        return max(
            (command.mib for run in self.runs for command in run.experiment.commands), default=0
        )

    @property
    def study(self) -> str:
        """Name of the study."""
        return self.target.name

    @property
    def data_set(self) -> str:
        """Name of the data set."""
        return self.target.parent.name

    @property
    def recorder_text(self) -> str:
        """The command of the recording as it would be typed."""
        return f"{command_text(self.recorder)} &"

    def check(self) -> None:
        """Refuse what must not begin.

        Raises
        ------
        StudyBookError
            If a run is there already, or the disk has too little space.
        """
        there = [run.name for run in self.runs if (self.target / run.name).exists()]
        if there:
            raise StudyBookError(
                f"{self.target}: has {few(there, 3)} already\n"
                "  → name another data set by --data-set, or move these runs away"
            )
        if not self.directory.is_dir():
            raise StudyBookError(
                f"{self.directory}: is not a folder\n  → make it, or name another by --directory"
            )
        free = shutil.disk_usage(self.directory).free / 2**20
        if free < self.mib + SPARE_MIB:
            raise StudyBookError(
                f"{self.directory}: {free:.0f} MiB are free, the experiments need"
                f" {self.mib:.0f} MiB and {SPARE_MIB} MiB to spare\n"
                "  → name another folder by --directory, or less space by --max-mib"
            )


def make_plan(
    names: Sequence[str],
    repetitions: int,
    scale: Scale,
    *,
    most_mib: int,
    most_seconds: float,
    directory: Path,
    target: Path,
    host: str | None = None,
) -> Plan:
    """Plan the experiments of these names, as many times; those without tools are left out."""
    fitting = scale.within(most_mib)
    makers: dict[str, Callable[[], Experiment | list[Tool]]] = {
        dbench.NAME: lambda: dbench.experiment(fitting, most_mib),
        sequential_io.NAME: lambda: sequential_io.experiment(fitting, directory),
        context_switch.NAME: lambda: context_switch.experiment(fitting),
        tcp_transactions.NAME: lambda: tcp_transactions.experiment(fitting, host, target),
        dd_block_size.NAME: lambda: dd_block_size.experiment(fitting),
    }
    made = {name: makers[name]() for name in EXPERIMENTS if name in names}
    able = [
        replace(each, notes=(*each.notes, *scale.notes))
        for each in made.values()
        if isinstance(each, Experiment)
    ]
    return Plan(
        tuple(PlannedRun(each, number) for number in range(1, repetitions + 1) for each in able),
        {name: each for name, each in made.items() if not isinstance(each, Experiment)},
        target,
        directory,
        most_seconds,
        () if missing("sar") else (*_SAR, str(int(most_seconds) + 1)),
    )
