"""The registry of metrics: each quantity has one name, one unit, one label, one format.

To add a metric, add an entry here and a branch to ``sql/study/40_metric.sql``; axes, tables and
claims then know it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from studybook.errors import StudyBookError
from studybook.text import numbered


@dataclass(frozen=True)
class Metric:
    """A named quantity.

    Parameters
    ----------
    name : str
        Name with its unit as suffix, as in the semantic views.
    label : str
        What an axis or a table says, without unit.
    unit : str
        The unit as printed; empty for counts and texts.
    better : {"higher", "lower", "neither"}
        Which direction is an improvement.
    decimals : int
        Decimals to print.
    """

    name: str
    label: str
    unit: str
    better: Literal["higher", "lower", "neither"]
    decimals: int

    @property
    def title(self) -> str:
        """Label and unit, as an axis shows them."""
        return f"{self.label} ({self.unit})" if self.unit else self.label

    def show(self, value: float | None) -> str:
        """The value with its unit, as the book prints it; a dash where there is none."""
        if value is None or math.isnan(value):
            return "–"
        return numbered(f"{value:,.{self.decimals}f}", self.unit)


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("bandwidth_gb_s", "Bandwidth", "GB/s", "higher", 2),
        Metric("client_nodes", "Client nodes", "", "neither", 0),
        Metric("file_systems", "File systems", "", "neither", 0),
        Metric("first_server_disks", "Disks served first", "", "neither", 0),
        Metric("nsd_disks", "Disks", "", "neither", 0),
        Metric("nsd_servers", "NSD servers", "", "neither", 0),
        Metric("active_users", "Virtual users", "", "neither", 0),
        Metric("busiest_node_ifl", "Busiest ECM node", "IFLs", "neither", 2),
        Metric("disk_mib_s", "Disk reads and writes", "MiB/s", "neither", 0),
        Metric("disk_read_mib_s", "Disk reads", "MiB/s", "neither", 0),
        Metric("disk_write_mib_s", "Disk writes", "MiB/s", "neither", 0),
        Metric("file_system_read_mib_s", "Reads by applications", "MiB/s", "neither", 0),
        Metric("file_system_write_mib_s", "Writes by applications", "MiB/s", "neither", 0),
        Metric("largest_server_share", "Share of the busiest NSD server", "", "lower", 2),
        Metric("node_ifl", "CPU of an ECM node", "IFLs", "neither", 2),
        Metric("node_ifl_spread", "Busiest less idlest ECM node", "IFLs", "lower", 2),
        Metric("node_packets_per_s", "Packets of an ECM node", "packets/s", "lower", 0),
        Metric("node_received_packet_bytes", "Mean packet received", "bytes", "higher", 0),
        Metric("node_received_packets_per_s", "Packets received", "packets/s", "lower", 0),
        Metric("node_sent_packet_bytes", "Mean packet sent", "bytes", "higher", 0),
        Metric("node_sent_packets_per_s", "Packets sent", "packets/s", "lower", 0),
        Metric(
            "node_packets_spread_per_s",
            "Packets of an ECM node: most less least",
            "packets/s",
            "lower",
            0,
        ),
        Metric("nodes_ifl", "All ECM nodes", "IFLs", "lower", 2),
        Metric("pages_per_s", "Throughput", "pages/s", "higher", 1),
        Metric("response_ms", "Mean response time of pages", "ms", "lower", 0),
        Metric("scale_build", "Spectrum Scale build", "", "neither", 0),
        Metric("server_received_per_disk_write", "Received per byte written", "", "neither", 2),
        Metric("server_sent_per_disk_read", "Sent per byte read from disk", "", "neither", 2),
        Metric("server_mib_s", "Traffic of an NSD server", "MiB/s", "neither", 1),
        Metric("total_ifl", "Whole system", "IFLs", "lower", 1),
        Metric("usable_capacity_tb", "Usable capacity", "TB", "neither", 0),
        # FileNet P8: the Content Engine (CE) and the Process Engine (PE) share a guest.
        Metric("ce_pe_busy_percent", "CE/PE processors in use", "%", "neither", 0),
        Metric("ce_pe_cpu_ms_per_operation", "CE/PE processor time", "ms/operation", "lower", 1),
        Metric("ce_pe_ifl", "CE/PE", "IFLs", "lower", 2),
        Metric("ce_response_ms", "Mean response time of CE", "ms", "lower", 0),
        Metric("ce_slowest_ms", "Slowest group of CE operations", "ms", "lower", 0),
        Metric("db_ifl", "Database", "IFLs", "lower", 2),
        Metric("operation_ms", "Mean response time", "ms", "lower", 0),
        Metric("operation_p95_ms", "95th percentile of response times", "ms", "lower", 0),
        Metric("operations_per_s", "Throughput", "operations/s", "higher", 1),
        Metric("pe_response_ms", "Mean response time of PE", "ms", "lower", 0),
        Metric("pe_slowest_ms", "Slowest group of PE operations", "ms", "lower", 0),
        Metric("throughput_times", "Throughput", "×", "higher", 1),
        # Of small benchmarks.
        Metric("context_switch_us", "Time of a context switch", "µs", "lower", 1),
        Metric("copy_cpu_s_per_gb", "Processor time of dd", "s/GB", "lower", 2),
        Metric("copy_mb_s", "Rate of dd", "MB/s", "higher", 0),
        Metric("copy_s_per_gb", "Elapsed time of dd", "s/GB", "lower", 2),
        Metric("dbench_mib_s", "Throughput of dbench", "MiB/s", "higher", 0),
        Metric("machine_busy_percent", "At work", "%", "neither", 0),
        Metric("machine_iowait_percent", "Idle, waiting for the disk", "%", "neither", 1),
        Metric("machine_steal_percent", "Taken by others (steal)", "%", "lower", 1),
        Metric("sequential_mb_s", "Sequential file I/O, at best", "MB/s", "higher", 0),
        Metric("sequential_mib_s", "Sequential file I/O", "MiB/s", "higher", 0),
        Metric("transaction_cpu_us", "Processor time of a transaction", "µs", "lower", 1),
        Metric("transactions_per_s", "Transactions", "transactions/s", "higher", 0),
        # Of a configuration: from captures and run.yml.
        Metric("block_size_kib", "Block size", "KiB", "neither", 0),
        Metric("cluster_nodes", "Nodes of the cluster", "", "neither", 0),
        Metric("designated_nodes", "Nodes so designated", "", "neither", 0),
        Metric("directly_attached_disks", "Directly attached disks", "", "neither", 0),
        Metric("host_cpus", "Processors", "", "neither", 0),
        Metric("host_memory_gib", "Memory", "GiB", "neither", 1),
        Metric("hosts", "Hosts", "", "neither", 0),
        Metric("load_levels", "Load levels", "", "neither", 0),
        Metric("max_files_to_cache", "Files in the cache, at most", "", "neither", 0),
        Metric("max_stat_cache", "Entries of the stat cache, at most", "", "neither", 0),
        Metric("mounted_nodes", "Nodes with the file system mounted", "", "neither", 0),
        Metric("pagepool_client_mib", "Page pool of a client", "MiB", "neither", 0),
        Metric("pagepool_server_mib", "Page pool of an NSD server", "MiB", "neither", 0),
        Metric("quorum_nodes", "Quorum nodes", "", "neither", 0),
        Metric("release_level", "Minimum release level of the cluster", "", "neither", 0),
        Metric("first_servers", "NSD servers that are first for a disk", "", "neither", 0),
        Metric("scale_release", "Release of Spectrum Scale", "", "neither", 0),
        Metric("vcpus_per_ifl", "Virtual processors per IFL", "", "neither", 2),
    )
}


def metric(name: str) -> Metric:
    """The metric of that name.

    Raises
    ------
    StudyBookError
        If it is not in the registry.
    """
    if name not in METRICS:
        raise StudyBookError(f"{name!r} is not a metric\n  → known: {', '.join(sorted(METRICS))}")
    return METRICS[name]


#: How the end of a column's name says its unit; the longest that fits counts.
SUFFIXES = {
    "_packets_per_s": "packets/s",
    "_pages_per_s": "pages/s",
    "_per_s": "1/s",
    "_gb_s": "GB/s",
    "_mib_s": "MiB/s",
    "_mb_s": "MB/s",
    "_kib_s": "KiB/s",
    "_mbit_s": "Mbit/s",
    "_bytes_s": "bytes/s",
    "_s_per_gb": "s/GB",
    "_us_per_transaction": "µs",
    "_gib": "GiB",
    "_mib": "MiB",
    "_kib": "KiB",
    "_bytes": "bytes",
    "_percent": "%",
    "_ifl": "IFLs",
    "_min": "min",
    "_s": "s",
    "_ms": "ms",
    "_us": "µs",
    "_utc": "UTC",
    "_local": "local time",
}


def unit_of(column: str) -> tuple[str, str]:
    """A column's name without its unit, and the unit; empty where the name has none.

    Parameters
    ----------
    column : str
        Its name, such as ``interval_s``.
    """
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        if column.endswith(suffix):
            return column.removesuffix(suffix), SUFFIXES[suffix]
    return column, ""
