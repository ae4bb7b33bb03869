"""The measurement plan of the FileNet P8 study: every load level of every setup."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path

from testbed.filenet.model import LEVELS, SETUPS, levels
from testbed.parameters import FILE, read_parameters
from testbed.planned import CAMPAIGNS, FILENET, ZONE, Phases, PlannedRun

#: z/VM has all of the machine's processors.
PROCESSORS = 16
PHASES = Phases(60, 240, 30)


def runs(file: Path = FILE) -> Iterator[PlannedRun]:
    """Plan every load level of each setup: a campaign a day, a run every ten minutes.

    Parameters
    ----------
    file : pathlib.Path
        File of the model's parameters: the levels follow from them.
    """
    parameters = read_parameters(file).values("filenet")
    levels_of = [
        (setup_number, setup, level, users)
        for setup_number, setup in enumerate(SETUPS)
        for level, users in enumerate(levels(setup, parameters), 1)
    ]
    for day, repetitions in enumerate(CAMPAIGNS):
        first = datetime(2012, 2, 6 + day, 9, 0, tzinfo=ZONE)
        each = product(levels_of, repetitions)
        for number, ((setup_number, setup, level, users), repetition) in enumerate(each):
            yield PlannedRun(
                study=FILENET,
                run=f"cpus-{setup.name}-level-{level}-{repetition}",
                title=f"{setup.ce_pe_cpus} CE/PE and {setup.db_cpus} database processors,"
                f" load level {level} of {len(LEVELS)}, repetition {repetition}",
                setup=setup,
                users=users,
                repetition=repetition,
                start=first + timedelta(minutes=10 * number),
                seed=(2, setup_number, level, repetition),
                factors={
                    "ce_pe_cpus": setup.ce_pe_cpus,
                    "db_cpus": setup.db_cpus,
                    "load_level": level,
                    "users": int(users),
                    "repetition": repetition,
                },
                phases=PHASES,
                ifls=PROCESSORS,
            )


def captures(file: Path = FILE) -> Iterator[PlannedRun]:
    """Plan the captures of each setup."""
    parameters = read_parameters(file).values("filenet")
    start = datetime(2012, 2, 3, 17, 0, tzinfo=ZONE)
    for number, setup in enumerate(SETUPS):
        yield PlannedRun(
            study=FILENET,
            run=f"configuration-cpus-{setup.name}",
            title=f"Configuration: {setup.ce_pe_cpus} CE/PE and {setup.db_cpus} database"
            " processors",
            setup=setup,
            users=levels(setup, parameters)[0],
            repetition=1,
            start=start + timedelta(minutes=5 * number),
            seed=(4, number),
            factors={"ce_pe_cpus": setup.ce_pe_cpus, "db_cpus": setup.db_cpus},
            phases=Phases(60, 60, 60),
            ifls=PROCESSORS,
            captures_only=True,
        )
