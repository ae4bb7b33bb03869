"""Drawings of a setup, from what was captured of it: hosts, networks, servers and disks.

:func:`captured` takes the hosts and disks of one run. A notebook says in a tidy frame which boxes
stand in which row, and on which networks; :func:`placed` gives each its place, and the marks of
:mod:`studybook.charts.topology` draw them. What the roles of a study are called stands in its
``study.yml``.
"""

from studybook.topology.layout import placed
from studybook.topology.setup import Setup, captured, counts, lan, lines

__all__ = ["Setup", "captured", "counts", "lan", "lines", "placed"]
