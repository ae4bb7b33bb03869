"""Closed queueing networks with think time: what they consist of, and their mean values.

:func:`solve` gives throughput, response times and utilisation by approximate mean value analysis;
:mod:`testbed.mean_value` says how, how accurate it is, and whose method it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from studybook.errors import StudyBookError
from testbed import mean_value
from testbed.centre import Centre


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
        named = {centre.spins_at for centre in self.centres if centre.spins_at}
        named = named.union(*(centre.over for centre in self.centres))
        unknown = named.union(*(each.demands_s for each in self.classes)) - known
        if unknown:
            raise StudyBookError(
                f"the network has no centre {', '.join(sorted(unknown))}\n"
                "  → add it to the centres, or remove the demand for it"
            )
        for centre in self.centres:
            if centre.occupied >= centre.servers:
                raise StudyBookError(
                    f"{centre.name}: {centre.occupied:g} of {centre.servers} servers are occupied\n"
                    "  → give it more servers, or less to do besides"
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
        Mean number of busy servers by centre, wasted work included, waiting for overlays not.
    requests : dict of str to float
        Mean number of requests at each centre, waiting or served.
    stretch : dict of str to dict of str to float
        Time per unit of demand at each centre, with that of waiting for overlays, by class: a part
        of a request with demand ``d`` there takes ``d * stretch``. At an overlay, where nothing
        has a demand, it is 0.
    wait_share : dict of str to float
        Time of waiting for each centre per time of its service, over all classes; that for the
        overlays over it included.
    """

    users: float
    throughput_per_s: dict[str, float]
    response_s: dict[str, float]
    busy: dict[str, float]
    requests: dict[str, float]
    stretch: dict[str, dict[str, float]]
    wait_share: dict[str, float]

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
    columns = {centre.name: column for column, centre in enumerate(centres)}

    def over_classes(values: list[list[float]], column: int) -> float:
        return sum(x * row[column] for x, row in zip(result.throughput_per_s, values, strict=True))

    busy = {name: over_classes(result.service_s, column) for name, column in columns.items()}
    requests = {name: over_classes(result.residence_s, column) for name, column in columns.items()}
    return Solution(
        users=users,
        throughput_per_s=dict(zip(names, result.throughput_per_s, strict=True)),
        response_s=dict(zip(names, result.response_s, strict=True)),
        busy=busy,
        requests=requests,
        stretch={
            name: {
                place.name: time / demand if demand else 0.0
                for place, time, demand in zip(centres, *rows, strict=True)
            }
            for name, *rows in zip(names, result.residence_s, result.demand_s, strict=True)
        },
        wait_share={
            name: (requests[name] - busy[name]) / busy[name] if busy[name] else 0.0
            for name in columns
        },
    )
