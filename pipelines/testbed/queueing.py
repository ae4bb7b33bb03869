"""Closed queueing networks with think time: what they consist of, and their mean values.

:func:`solve` gives throughput, response times and utilisation by approximate mean value analysis;
:mod:`pipelines.testbed.mean_value` says how, how accurate it is, and whose method it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pipelines.errors import StudyBookError
from pipelines.testbed import mean_value


@dataclass(frozen=True)
class Centre:
    """A place where requests are served.

    Parameters
    ----------
    name : str
        Its name in the network.
    servers : int
        Requests that are served at a time.
    copies : int
        Number of such places, among which the requests are spread evenly; the service demand and
        all results are those of all copies together.
    kind : {'queue', 'delay', 'overlay'}
        A delay has a server for everyone. An overlay is a resource that is held together with
        another (the real processors below the virtual ones): only waiting for it counts.
    contention : float
        Growth of the service demand with each other request that is served at the same time, on
        the servers beside: ``D (1 + contention n)``.
    spin_share, spins_at : float, str
        Share of the time of waiting here that is spent working, in vain, at another centre.
    """

    name: str
    servers: int = 1
    copies: int = 1
    kind: Literal["queue", "delay", "overlay"] = "queue"
    contention: float = 0.0
    spin_share: float = 0.0
    spins_at: str | None = None


@dataclass(frozen=True)
class RequestClass:
    """Users who do the same: think, then send a request that visits centres.

    Parameters
    ----------
    name : str
        Its name in the network.
    think_time_s : float
        Mean time between an answer and the next request.
    demands_s : mapping of str to float
        Service demand of one request at each centre, over all its visits.
    share : float
        Share of all users, between 0 and 1.
    """

    name: str
    think_time_s: float
    demands_s: Mapping[str, float]
    share: float = 1.0


@dataclass(frozen=True)
class Network:
    """A closed network: its centres and the classes of requests in it."""

    centres: tuple[Centre, ...]
    classes: tuple[RequestClass, ...]

    def __post_init__(self) -> None:
        known = {centre.name for centre in self.centres}
        spun = {centre.spins_at for centre in self.centres if centre.spins_at}
        unknown = spun.union(*(each.demands_s for each in self.classes)) - known
        if unknown:
            raise StudyBookError(
                f"the network has no centre {', '.join(sorted(unknown))}\n"
                "  → add it to the centres, or remove the demand for it"
            )


@dataclass(frozen=True)
class Solution:
    """The mean values of a network in equilibrium.

    Parameters
    ----------
    users : float
        Users of all classes.
    throughput_per_s, response_s : dict of str to float
        Requests per second, and time of a request, by class.
    busy : dict of str to float
        Mean number of busy servers by centre, wasted work included.
    requests : dict of str to float
        Mean number of requests at each centre, waiting or served.
    stretch : dict of str to dict of str to float
        Time per unit of demand at each centre (at an overlay only that of waiting), by class: a
        part of a request with demand ``d`` there takes ``d * stretch``.
    """

    users: float
    throughput_per_s: dict[str, float]
    response_s: dict[str, float]
    busy: dict[str, float]
    requests: dict[str, float]
    stretch: dict[str, dict[str, float]]

    def time_s(self, request_class: str, demands_s: Mapping[str, float]) -> float:
        """Return how long a part of a request of some class takes that has these demands."""
        stretch = self.stretch[request_class]
        return sum(demand * stretch[name] for name, demand in demands_s.items())


def solve(network: Network, users: float) -> Solution:
    """Return the mean values of a network with so many users.

    Parameters
    ----------
    network : Network
        Centres and classes.
    users : float
        Users of all classes together.

    Raises
    ------
    StudyBookError
        If the iteration does not settle.
    """
    if users <= 0:
        raise StudyBookError(f"{users:g} users: a load needs more\n  → give more than 0 users")
    centres, classes = network.centres, network.classes
    result = mean_value.linearizer(
        centres=centres,
        think_time_s=[each.think_time_s for each in classes],
        demand_s=[[each.demands_s.get(place.name, 0.0) for place in centres] for each in classes],
        population=[users * each.share for each in classes],
    )
    names = [each.name for each in classes]
    visible = [
        [
            time - (service if place.kind == "overlay" else 0.0)
            for place, time, service in zip(centres, *rows, strict=True)
        ]
        for rows in zip(result.residence_s, result.service_s, strict=True)
    ]

    def over_classes(values: list[list[float]], column: int) -> float:
        return sum(x * row[column] for x, row in zip(result.throughput_per_s, values, strict=True))

    columns = {centre.name: column for column, centre in enumerate(centres)}
    return Solution(
        users=users,
        throughput_per_s=dict(zip(names, result.throughput_per_s, strict=True)),
        response_s={name: sum(row) for name, row in zip(names, visible, strict=True)},
        busy={name: over_classes(result.service_s, column) for name, column in columns.items()},
        requests={
            name: over_classes(result.residence_s, column) for name, column in columns.items()
        },
        stretch={
            name: {
                place.name: time / demand if demand else 0.0
                for place, time, demand in zip(centres, *rows, strict=True)
            }
            for name, *rows in zip(names, visible, result.demand_s, strict=True)
        },
    )
