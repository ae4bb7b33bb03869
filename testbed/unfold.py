"""A planned run unfolded: from the steady states of the model to a course, interval by interval.

The model is solved at some numbers of users; in between, while users log in or end, quantities are
interpolated. Noise lies around that: a repetition as a whole is a little off, and within a run
response times, and what each guest does, wander about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from testbed import addresses, ecm, filenet
from testbed.course import Course, Series
from testbed.driver_course import FEWEST, MEMORY, driver_of, load_of, response_noise
from testbed.guest_course import GuestCourse
from testbed.noise import settled, wandering
from testbed.parameters import read_parameters
from testbed.planned import PlannedRun
from testbed.prediction import Prediction

#: Shares of the users for which the model is solved.
SHARES = (FEWEST, 0.25, 0.5, 0.75, 1.0)

#: Relative spread of the work per page between repetitions; of CP's own load within a run.
WORK_SPREAD, CP_SPREAD = 0.006, 0.03


def unfold(planned: PlannedRun) -> Course:
    """Make the course of a run.

    Parameters
    ----------
    planned : PlannedRun
        The run.
    """
    random = np.random.default_rng(planned.seed)
    states = _states(planned, random)
    steps = planned.phases.total_s // planned.driver_interval_s
    per_interval = planned.interval_s // planned.driver_interval_s
    intervals = steps // per_interval
    response = response_noise(random, steps)
    load = load_of(random, states[-1], response)

    def along(value: Callable[[Prediction], float], at: Series) -> Series:
        return np.interp(at, [each.users for each in states], [value(each) for each in states])

    def coarse(series: Series) -> Series:
        whole = series[: intervals * per_interval].reshape(intervals, per_interval)
        return np.asarray(whole.mean(axis=1))

    driver = driver_of(random, planned, states[-1], along, load, response)
    at, common = coarse(driver.users.astype(float)), coarse(load)
    memory = MEMORY**per_interval
    ifl_wait = along(lambda state: state.ifl_wait_share, at)
    guests = []
    for number, use in enumerate(states[-1].guests):
        work = common * (1 + WORK_SPREAD * random.standard_normal())

        def plain(name: str, number: int = number) -> Series:
            return along(lambda state: float(getattr(state.guests[number], name)), at)

        guests.append(GuestCourse(random, planned, use, plain, work, ifl_wait, memory).make())
    cp = along(lambda state: state.cp_ifl, at)
    return Course(
        study=planned.study,
        run=planned.run,
        start=planned.start,
        interval_s=planned.interval_s,
        ifls=planned.ifls,
        system=addresses.SYSTEM,
        guests=tuple(guests),
        cp_ifl=settled(cp * (1 + wandering(random, intervals, CP_SPREAD, memory))),
        driver=driver,
        seed=planned.seed,
    )


def _states(planned: PlannedRun, random: np.random.Generator) -> Sequence[Prediction]:
    users = [share * planned.users for share in SHARES]
    known = read_parameters(planned.parameters)
    setup = planned.setup
    if isinstance(setup, filenet.Setup):
        return [filenet.predict(setup, each, known.values("filenet")) for each in users]
    states = [ecm.predict(setup, each, known.values("ecm")) for each in users]
    if setup.routing == "round-robin":
        return states
    # The model says how unevenly sessions fall; on which node the most do is chance.
    order = random.permutation(setup.nodes)
    return [_shuffled(state, order.tolist()) for state in states]


def _shuffled(state: Prediction, order: list[int]) -> Prediction:
    nodes = [guest for guest in state.guests if guest.role == "ecm-node"]
    others = tuple(guest for guest in state.guests if guest.role != "ecm-node")
    moved = (replace(nodes[new], name=old.name) for new, old in zip(order, nodes, strict=True))
    return replace(state, guests=(*moved, *others))
