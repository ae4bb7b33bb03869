"""Drawings of a setup, from what was captured of it: hosts, networks, servers and disks.

Rows of a query go in, one tidy frame of boxes and lines comes out, each with its place:
another cluster draws another picture. :mod:`studybook.charts.topology` makes a chart of it.
"""

from studybook.topology.configuration import Configuration, configuration
from studybook.topology.draw_cluster import cluster
from studybook.topology.draw_routing import routing
from studybook.topology.draw_schema import schema
from studybook.topology.draw_system import system
from studybook.topology.findings import access, described, guests, paths, quorum, routed, tiers
from studybook.topology.listings import disks_listed, hosts_listed, nodes_listed

__all__ = [
    "Configuration",
    "access",
    "cluster",
    "configuration",
    "described",
    "disks_listed",
    "guests",
    "hosts_listed",
    "nodes_listed",
    "paths",
    "quorum",
    "routed",
    "routing",
    "schema",
    "system",
    "tiers",
]
