"""A closed network of queues as a discrete-event simulation, to check the solver against."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import simpy


@dataclass(frozen=True)
class Simulated:
    """Throughput, and mean response time with half the width of its 95 % interval."""

    throughput_per_s: float
    response_s: float
    half_width_s: float


def simulate(
    users: int,
    think_time_s: float,
    demands_s: Mapping[str, float],
    servers: Mapping[str, int],
    seconds: float,
    seed: int,
) -> Simulated:
    """Let users think and send requests that visit all stations, first come first served.

    All times are exponential. The first fifth of the time is left out; the interval comes from
    20 batches of the rest.

    Parameters
    ----------
    users : int
        Number of users.
    think_time_s : float
        Mean think time.
    demands_s, servers : mapping
        Mean service time of the one visit to each station, and its servers.
    seconds : float
        Simulated time.
    seed : int
        Of the random generator.
    """
    environment = simpy.Environment()
    random = np.random.default_rng(seed)
    station = {name: simpy.Resource(environment, servers[name]) for name in demands_s}
    ended: list[tuple[float, float]] = []

    def user() -> Iterator[simpy.Event]:
        while True:
            yield environment.timeout(random.exponential(think_time_s))
            sent = environment.now
            for name, demand in demands_s.items():
                with station[name].request() as turn:
                    yield turn
                    yield environment.timeout(random.exponential(demand))
            ended.append((environment.now, environment.now - sent))

    for _ in range(users):
        environment.process(user())
    environment.run(until=seconds)
    counted = [time for end, time in ended if end > seconds / 5]
    batches = [float(np.mean(batch)) for batch in np.array_split(counted, 20)]
    return Simulated(
        throughput_per_s=len(counted) / (seconds * 4 / 5),
        response_s=float(np.mean(counted)),
        half_width_s=2.09 * float(np.std(batches, ddof=1)) / math.sqrt(20),
    )
