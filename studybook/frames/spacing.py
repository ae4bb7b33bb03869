"""Labels apart from each other."""

from __future__ import annotations

from collections.abc import Sequence


def spaced(values: Sequence[float], gap: float) -> list[float]:
    """Move values apart until each is at least a gap from the next, and keep their order.

    Those that are too close stand evenly around their mean.

    Parameters
    ----------
    values : sequence of float
        Where the labels should stand.
    gap : float
        The least distance, in the same unit.
    """
    groups: list[tuple[list[int], list[float]]] = []
    for index in sorted(range(len(values)), key=values.__getitem__):
        members = [index]
        places = _around([values[index]], gap)
        while groups and places[0] - groups[-1][1][-1] < gap:
            members = groups.pop()[0] + members
            places = _around([values[each] for each in members], gap)
        groups.append((members, places))
    at: dict[int, float] = {}
    for members, places in groups:
        at |= dict(zip(members, places, strict=True))
    return [at[index] for index in range(len(values))]


def _around(values: Sequence[float], gap: float) -> list[float]:
    middle = sum(values) / len(values)
    return [middle + gap * (place - (len(values) - 1) / 2) for place in range(len(values))]
