"""Exact mean value analysis of closed networks, to check the approximate one against.

Reiser and Lavenberg, "Mean-value analysis of closed multichain queuing networks", Journal of the
ACM 27(2), 1980: the recursion over populations with the marginal probabilities of stations whose
rate depends on the requests in them. In decimals of 60 digits, as the recursion subtracts
probabilities from 1 and loses all digits of a float. Cost grows with the product of the
populations: small networks only.
"""

from __future__ import annotations

import decimal
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

Population = tuple[int, ...]


@dataclass(frozen=True)
class Station:
    """Servers (0 for a delay), contention, and service demand of each class."""

    servers: int
    demands_s: Sequence[float]
    contention: float = 0.0

    def rate(self, requests: int) -> Decimal:
        """Return how many demands are worked off in a second, with so many requests here."""
        served = min(self.servers, requests) if self.servers else requests
        return served / (1 + Decimal(self.contention) * (served - 1))


@dataclass(frozen=True)
class Exact:
    """Throughput and response time by class."""

    throughput_per_s: tuple[float, ...]
    response_s: tuple[float, ...]


def exact_mva(
    stations: Sequence[Station], think_time_s: Sequence[float], population: Population
) -> Exact:
    """Solve a network with so many users of each class, who think for so long."""
    with decimal.localcontext(prec=60):
        return _recursion(stations, [Decimal(z) for z in think_time_s], population)


def _recursion(stations: Sequence[Station], think: list[Decimal], population: Population) -> Exact:
    classes, most = range(len(population)), sum(population)
    demands = [[Decimal(d) for d in station.demands_s] for station in stations]
    rates = [[station.rate(max(1, i)) for i in range(most + 1)] for station in stations]
    # Of each population: the probability of 0, 1, 2, … requests at each station.
    nobody = tuple(0 for _ in classes)
    marginal = {nobody: [[Decimal(1)] + [Decimal(0)] * most for _ in stations]}
    throughput, response = [Decimal(0) for _ in classes], [Decimal(0) for _ in classes]
    for now in itertools.product(*(range(n + 1) for n in population)):
        if now == nobody:
            continue
        total = sum(now)
        throughput = [Decimal(0) for _ in classes]
        for k in classes:
            if now[k]:
                before = marginal[_one_less(now, k)]
                response[k] = sum(
                    demand[k] * sum(i / rate[i] * p[i - 1] for i in range(1, total + 1))
                    for demand, rate, p in zip(demands, rates, before, strict=True)
                )
                throughput[k] = now[k] / (think[k] + response[k])
        here = []
        for j, (demand, rate) in enumerate(zip(demands, rates, strict=True)):
            row = [Decimal(0)] * (most + 1)
            for i in range(1, total + 1):
                row[i] = sum(
                    throughput[k] * demand[k] / rate[i] * marginal[_one_less(now, k)][j][i - 1]
                    for k in classes
                    if now[k]
                )
            row[0] = 1 - sum(row)
            here.append(row)
        marginal[now] = here
    return Exact(tuple(float(x) for x in throughput), tuple(float(r) for r in response))


def _one_less(population: Population, k: int) -> Population:
    return tuple(n - (i == k) for i, n in enumerate(population))
