"""The registry of metrics: each quantity has one name, one unit, one label, one format.

Here stand those that the models of the library compute for any study. What only one study means
stands under ``metrics`` in its ``study.yml``, and is known where that study is opened or its
published values are read. Axes, tables and claims ask :func:`metric` for either.
"""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from studybook.errors import StudyBookError, did_you_mean
from studybook.text import numbered

#: Which direction is an improvement.
Better = Literal["higher", "lower", "neither"]


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
    better: Better
    decimals: int

    @property
    def title(self) -> str:
        """Label and unit, as an axis shows them."""
        return f"{self.label} ({self.unit})" if self.unit else self.label

    def decimals_of(self, value: float) -> int:
        """Decimals to print of a value: more where it would have fewer than two digits else."""
        if not 0 < abs(value) < 1:
            return self.decimals
        return max(self.decimals, 1 - math.floor(math.log10(abs(value))))

    def show(self, value: float | None) -> str:
        """The value with its unit, as the book prints it; a dash where there is none."""
        if value is None or math.isnan(value):
            return "–"
        return numbered(f"{value:,.{self.decimals_of(value)}f}", self.unit)


#: The metrics of the library.
METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        # Of load and response, as load drivers count them.
        Metric("active_users", "Virtual users", "", "neither", 0),
        Metric("operation_ms", "Mean response time", "ms", "lower", 0),
        Metric("operation_p95_ms", "95th percentile of response times", "ms", "lower", 0),
        Metric("operations_per_s", "Throughput", "operations/s", "higher", 1),
        Metric("pages_per_s", "Throughput", "pages/s", "higher", 1),
        Metric("response_ms", "Mean response time of pages", "ms", "lower", 0),
        # Of each label, where the factor label is its name, or all.
        Metric("requests_per_s", "Requests", "requests/s", "higher", 1),
        Metric("response_mean_ms", "Mean response time", "ms", "lower", 1),
        Metric("response_p50_ms", "Median of response times", "ms", "lower", 1),
        Metric("response_p90_ms", "90th percentile of response times", "ms", "lower", 1),
        Metric("response_p95_ms", "95th percentile of response times", "ms", "lower", 1),
        Metric("response_p99_ms", "99th percentile of response times", "ms", "lower", 1),
        Metric("response_max_ms", "Longest response time", "ms", "lower", 0),
        Metric("error_percent", "Errors", "%", "lower", 2),
        Metric("throughput_times", "Throughput", "×", "higher", 1),
        # Of histograms of times, as exporters of Prometheus count them; series says of what.
        Metric("histogram_mean_ms", "Mean by a histogram", "ms", "lower", 1),
        Metric("histogram_p50_ms", "Median by a histogram", "ms", "lower", 1),
        Metric("histogram_p90_ms", "90th percentile by a histogram", "ms", "lower", 1),
        Metric("histogram_p95_ms", "95th percentile by a histogram", "ms", "lower", 1),
        Metric("histogram_p99_ms", "99th percentile by a histogram", "ms", "lower", 1),
        Metric("histogram_per_s", "Values in a histogram", "1/s", "neither", 1),
        # Of hosts, disks and file systems.
        Metric("cpu_busy_percent", "Processors of a host at work", "%", "lower", 0),
        Metric("memory_used_percent", "Memory of a host in use", "%", "lower", 0),
        Metric("disk_mib_s", "Disk reads and writes", "MiB/s", "neither", 0),
        Metric("disk_read_mib_s", "Disk reads", "MiB/s", "neither", 0),
        Metric("disk_write_mib_s", "Disk writes", "MiB/s", "neither", 0),
        Metric("file_system_read_mib_s", "Reads by applications", "MiB/s", "neither", 0),
        Metric("file_system_write_mib_s", "Writes by applications", "MiB/s", "neither", 0),
        Metric("machine_busy_percent", "At work", "%", "neither", 0),
        Metric("machine_iowait_percent", "Idle, waiting for the disk", "%", "neither", 1),
        Metric("machine_steal_percent", "Taken by others (steal)", "%", "lower", 1),
        Metric("total_ifl", "Whole system", "IFLs", "lower", 1),
        # Of benchmarks.
        Metric("bandwidth_gb_s", "Bandwidth", "GB/s", "higher", 2),
        Metric("client_nodes", "Client nodes", "", "neither", 0),
        Metric("context_switch_us", "Time of a context switch", "µs", "lower", 1),
        Metric("copy_cpu_s_per_gb", "Processor time of dd", "s/GB", "lower", 2),
        Metric("copy_mb_s", "Rate of dd", "MB/s", "higher", 0),
        Metric("copy_s_per_gb", "Elapsed time of dd", "s/GB", "lower", 2),
        Metric("dbench_mib_s", "Throughput of dbench", "MiB/s", "higher", 0),
        Metric("metadata_per_s", "Operations on metadata", "operations/s", "higher", 0),
        Metric("sequential_mb_s", "Sequential file I/O, at best", "MB/s", "higher", 0),
        Metric("sequential_mib_s", "Sequential file I/O", "MiB/s", "higher", 0),
        Metric("stream_mbit_s", "Throughput of network streams", "Mbit/s", "higher", 0),
        Metric("transaction_cpu_us", "Processor time of a transaction", "µs", "lower", 1),
        Metric("transactions_per_s", "Transactions", "transactions/s", "higher", 0),
        # Of a setup, by run.yml.
        Metric("host_cpus", "Processors", "", "neither", 0),
        Metric("host_memory_gib", "Memory", "GiB", "neither", 1),
        Metric("hosts", "Hosts", "", "neither", 0),
        Metric("load_levels", "Load levels", "", "neither", 0),
        Metric("usable_capacity_tb", "Usable capacity", "TB", "neither", 0),
        Metric("vcpus_per_ifl", "Virtual processors per IFL", "", "neither", 2),
        # Of a Spectrum Scale cluster, by its captures.
        Metric("block_size_kib", "Block size", "KiB", "neither", 0),
        Metric("cluster_nodes", "Nodes of the cluster", "", "neither", 0),
        Metric("designated_nodes", "Nodes so designated", "", "neither", 0),
        Metric("directly_attached_disks", "Directly attached disks", "", "neither", 0),
        Metric("file_systems", "File systems", "", "neither", 0),
        Metric("first_server_disks", "Disks served first", "", "neither", 0),
        Metric("first_servers", "NSD servers that are first for a disk", "", "neither", 0),
        Metric("max_files_to_cache", "Files in the cache, at most", "", "neither", 0),
        Metric("max_stat_cache", "Entries of the stat cache, at most", "", "neither", 0),
        Metric("mounted_nodes", "Nodes with the file system mounted", "", "neither", 0),
        Metric("nsd_disks", "Disks", "", "neither", 0),
        Metric("nsd_servers", "NSD servers", "", "neither", 0),
        Metric("pagepool_client_mib", "Page pool of a client", "MiB", "neither", 0),
        Metric("pagepool_server_mib", "Page pool of an NSD server", "MiB", "neither", 0),
        Metric("quorum_nodes", "Quorum nodes", "", "neither", 0),
        Metric("release_level", "Minimum release level of the cluster", "", "neither", 0),
        Metric("scale_build", "Spectrum Scale build", "", "neither", 0),
        Metric("scale_release", "Release of Spectrum Scale", "", "neither", 0),
    )
}


#: The metrics of the studies that this process works with, by study.
_of_studies: dict[str, dict[str, Metric]] = {}


def use_metrics(study: str, metrics: Iterable[Metric]) -> None:
    """Make the metrics of a study known, in the place of those that it had before.

    Raises
    ------
    StudyBookError
        If another study of this process has another metric of that name.
    """
    own = {each.name: each for each in metrics}
    for other, known in _of_studies.items():
        for name in sorted(own.keys() & known.keys()):
            if other != study and own[name] != known[name]:
                raise StudyBookError(
                    f"the metric {name} is “{own[name].title}” in the study {study}, and"
                    f" “{known[name].title}” in {other}\n  → give one of them another name"
                )
    _of_studies[study] = own


def known_metrics() -> Mapping[str, Metric]:
    """The metrics of the library, and of the studies that this process works with, by name."""
    return ChainMap(METRICS, *_of_studies.values())


def metric(name: str) -> Metric:
    """The metric of that name: of the library, or of a study that this process works with.

    Raises
    ------
    StudyBookError
        If it is in neither.
    """
    known = known_metrics()
    if name not in known:
        do = did_you_mean(name, known, 2) or f"known: {', '.join(sorted(known))}"
        raise StudyBookError(
            f"{name!r} is not a metric\n  → {do}; one of a study of its own stands under metrics"
            " in its study.yml"
        )
    return known[name]


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
    "_ms2": "ms²",
    "_per_s2": "1/s²",
    "_us": "µs",
    "_utc": "UTC",
    "_local": "local time",
}


@cache
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
