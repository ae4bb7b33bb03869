"""Drawings of a setup, from what was captured of it: hosts, networks, servers and disks.

:func:`captured` takes the rows of one run, a function of :mod:`studybook.topology.drawings` says
which boxes stand in which row, and :func:`drawn` gives each its place in one tidy frame, of which
:mod:`studybook.charts.topology` makes a chart. What it shows is said by
:mod:`studybook.topology.words`. What the roles of a study are called stands in its ``study.yml``.
"""

from studybook.topology.drawings import cluster, routing, system
from studybook.topology.layout import Box, Group, Network, Row, drawn
from studybook.topology.setup import Setup, captured
from studybook.topology.words import (
    access,
    described,
    disks_listed,
    guests,
    hosts_listed,
    nodes_listed,
    paths,
    quorum,
    routed,
    tiers,
)

__all__ = [
    "Box",
    "Group",
    "Network",
    "Row",
    "Setup",
    "access",
    "captured",
    "cluster",
    "described",
    "disks_listed",
    "drawn",
    "guests",
    "hosts_listed",
    "nodes_listed",
    "paths",
    "quorum",
    "routed",
    "routing",
    "system",
    "tiers",
]
