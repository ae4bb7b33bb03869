"""Colours by meaning: one meaning within a family of figures, the same one through the book.

The meanings of the library stand in :data:`COLOURS`, those of a study under ``colours`` in its
study.yml. No chart mixes two families (the direction of data, what processors do, how setups
differ) but drawings of a system. Between families colours return: blue is what is read or
received, the application, and a single series without a meaning of its own; orange is what is
written or transmitted, and the hypervisor. Grey is the mixture of both directions, and the
database.

Every colour stands at a contrast of 3:1 or more against the white page and against
the dark page alike, so a chart keeps its colours when the reader changes the theme;
only the inks change. Colours that are drawn together stay apart for the common
colour vision deficiencies. Tests measure both.
"""

from __future__ import annotations

from collections.abc import Sequence

from studybook.dataset import definition

#: The colours by name.
HUES: dict[definition.Hue, str] = {
    "blue": "#2a7de1",
    "grey": "#76808c",
    "ochre": "#9a7a1e",
    "orange": "#d9660a",
    "slate": "#3c6c84",
    "teal": "#008f7a",
    "violet": "#8f62d6",
}

#: The colour of a single series, when colour carries no meaning of its own.
MAIN = HUES["blue"]

#: What a colour means, whatever the study. The order is the order in legends.
COLOURS: dict[str, definition.Hue] = {
    # direction of data, seen from the system that works on it
    "read": "blue",
    "received": "blue",
    "write": "orange",
    "transmitted": "orange",
    "mixed": "grey",
    # roles of the hosts
    "application": "blue",
    "database": "grey",
    "hypervisor": "orange",
    # tools of small benchmarks: one to a figure, and no meaning but that
    "dbench": "blue",
    "dd": "blue",
    "netperf": "blue",
    # what the processors of a machine do
    "busy": "blue",
    "iowait": "grey",
    "steal": "orange",
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


def colours() -> dict[str, str]:
    """The colour of each word that has one, as ``#rrggbb``, in the order of legends.

    Those of the studies that this process works with come first.
    """
    return {word: HUES[hue] for word, hue in (definition.colours() | COLOURS).items()}


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
