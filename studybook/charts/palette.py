"""Colours by meaning: one meaning within a family of figures, the same one through the book.

The families are the groups of :data:`COLOURS`: the direction of data, how the files are shared,
who uses the processors, and what these do. No chart mixes two of them but the drawings of a system
under test: there the storage network has the colour of how the files are shared, the boxes that of
their role, and violet says NSD in both. Between families two colours return: blue is what is read
or received, the application, and a single series without a meaning of its own; orange is what is
written or transmitted, and z/VM. Grey is the mixture of both directions, and the database.

Every colour stands at a contrast of 3:1 or more against the white page and against
the dark page alike, so a chart keeps its colours when the reader changes the theme;
only the inks change. Colours that are drawn together stay apart for the common
colour vision deficiencies. Tests measure both.
"""

from __future__ import annotations

from collections.abc import Sequence

#: The colour of a single series, when colour carries no meaning of its own.
MAIN = "#2a7de1"

#: What a colour means. The order is the order in legends.
COLOURS: dict[str, str] = {
    # direction of data, seen from the system that works on it
    "read": "#2a7de1",
    "received": "#2a7de1",
    "write": "#d9660a",
    "transmitted": "#d9660a",
    "mixed": "#76808c",
    # how the files are shared
    "SD": "#008f7a",
    "SD, one node": "#3c6c84",
    "NSD": "#8f62d6",
    "XFS": "#9a7a1e",
    # roles of the hosts
    "application": "#2a7de1",
    "CE/PE": "#2a7de1",
    "nsd server": "#8f62d6",
    "database": "#76808c",
    # the whole system, as the hypervisor sees it
    "z/VM": "#d9660a",
    # tools of small benchmarks: one to a figure, and no meaning but that
    "dbench": MAIN,
    "dd": MAIN,
    "netperf": MAIN,
    # what the processors of a machine do
    "busy": "#2a7de1",
    "iowait": "#76808c",
    "steal": "#d9660a",
}

#: Steps of an ordered factor (CPUs, MTU, the members of a cluster): from dark to light.
STEPS: tuple[str, ...] = ("#994f45", "#b2536c", "#c25da0", "#c26edc")

#: Inks by role: on the white page, on the dark page. Charts are written with the
#: light ones; the page turns each into the CSS variable ``--study-<role>``.
INKS: dict[str, tuple[str, str]] = {
    "ink": ("#1f2630", "#e6eaf0"),
    "muted": ("#59636e", "#a3adb9"),
    "grid": ("#e3e7ec", "#2d343e"),
    "paper": ("#ffffff", "#121212"),
}

INK, MUTED, GRID, PAPER = (light for light, _ in INKS.values())


def spread(count: int, colours: Sequence[str] = STEPS) -> list[str]:
    """Take `count` colours, evenly spaced, from a ramp.

    Parameters
    ----------
    count : int
        How many colours.
    colours : sequence of str, optional
        The ramp, as ``#rrggbb``.

    Returns
    -------
    list of str
        The first is always the start of the ramp, the last its end.
    """
    if count <= 1:
        return [colours[0]] * count
    ramp = []
    for step in range(count):
        place = step * (len(colours) - 1) / (count - 1)
        left = min(int(place), len(colours) - 2)
        ramp.append(_between(colours[left], colours[left + 1], place - left))
    return ramp


def _between(start: str, end: str, share: float) -> str:
    channels = [
        round(int(start[i : i + 2], 16) * (1 - share) + int(end[i : i + 2], 16) * share)
        for i in (1, 3, 5)
    ]
    return "#" + "".join(f"{channel:02x}" for channel in channels)
