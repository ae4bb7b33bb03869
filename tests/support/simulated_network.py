"""A closed network of queues as a discrete-event simulation, to check the solver against."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import simpy

from testbed.centre import Centre
from testbed.queueing import Network, RequestClass


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
    held: Collection[str] = (),
    real: int = 1,
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
    held : collection of str
        Stations whose servers are held together with one of ``real`` others below them all.
    real : int
        How many of those there are.
    """
    environment = simpy.Environment()
    random = np.random.default_rng(seed)
    station = {name: simpy.Resource(environment, servers[name]) for name in demands_s}
    below = simpy.Resource(environment, real)
    ended: list[tuple[float, float]] = []

    def user() -> Iterator[simpy.Event]:
        while True:
            yield environment.timeout(random.exponential(think_time_s))
            sent = environment.now
            for name, demand in demands_s.items():
                with station[name].request() as turn:
                    yield turn
                    if name not in held:
                        yield environment.timeout(random.exponential(demand))
                        continue
                    with below.request() as real_turn:
                        yield real_turn
                        yield environment.timeout(random.exponential(demand))
            ended.append((environment.now, environment.now - sent))

    for _ in range(users):
        environment.process(user())
    environment.run(until=seconds)
    return _summary(ended, seconds)


def simulate_network(
    network: Network, users: float, seconds: float, seed: int
) -> dict[str, Simulated]:
    """Simulate a network of the solver's with all its classes; the results are by class.

    A request visits each centre once, at one of its copies, first come first served. Its service
    grows with the others that are served there when it begins; what is under an overlay keeps a
    server of that, too.
    """
    environment, random = simpy.Environment(), np.random.default_rng(seed)
    places = {
        centre.name: [simpy.Resource(environment, centre.servers) for _ in range(centre.copies)]
        for centre in network.centres
        if centre.kind == "queue"
    }
    below: dict[str, simpy.Resource] = {}
    for centre in network.centres:
        if centre.kind == "overlay":
            free = int(centre.servers - centre.occupied)
            below |= dict.fromkeys(centre.over, simpy.Resource(environment, free))
    ended: dict[str, list[tuple[float, float]]] = {each.name: [] for each in network.classes}

    def service_s(centre: Centre, demand_s: float, others: int) -> float:
        return float(random.exponential(demand_s)) * (1.0 + centre.contention * others)

    def visit(centre: Centre, demand_s: float) -> Iterator[simpy.Event]:
        if centre.kind == "delay":
            yield environment.timeout(random.exponential(demand_s))
            return
        copies = places[centre.name]
        # A demand is that of all copies; each visit goes to one of them.
        place = copies[int(random.integers(len(copies)))]
        with place.request() as turn:
            yield turn
            if centre.name not in below:
                yield environment.timeout(service_s(centre, demand_s, place.count - 1))
                return
            with below[centre.name].request() as real_turn:
                yield real_turn
                yield environment.timeout(service_s(centre, demand_s, place.count - 1))

    def user(kind: RequestClass) -> Iterator[simpy.Event]:
        while True:
            yield environment.timeout(random.exponential(kind.think_time_s))
            sent = environment.now
            for centre in network.centres:
                if centre.name in kind.demands_s:
                    yield from visit(centre, kind.demands_s[centre.name])
            ended[kind.name].append((environment.now, environment.now - sent))

    for kind in network.classes:
        for _ in range(round(users * kind.share)):
            environment.process(user(kind))
    environment.run(until=seconds)
    return {name: _summary(times, seconds) for name, times in ended.items()}


def _summary(ended: list[tuple[float, float]], seconds: float) -> Simulated:
    counted = [time for end, time in ended if end > seconds / 5]
    batches = [float(np.mean(batch)) for batch in np.array_split(counted, 20)]
    return Simulated(
        throughput_per_s=len(counted) / (seconds * 4 / 5),
        response_s=float(np.mean(counted)),
        half_width_s=2.09 * float(np.std(batches, ddof=1)) / math.sqrt(20),
    )
