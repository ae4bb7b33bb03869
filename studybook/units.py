"""The registry of metrics: each quantity has one name, one unit, one label, one format.

Here stand those that the models of the library compute for any study. What only one study means
stands under ``metrics`` in its ``study.yml``, and is known where that study is opened or its
published values are read. Axes, tables and claims ask :func:`metric` for either.
"""

from __future__ import annotations

import math
import re
from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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
    formula : str, optional
        How it is computed, in words.
    """

    name: str
    label: str
    unit: str
    better: Better
    decimals: int
    formula: str = field(default="", compare=False)

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
# fmt: off
METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        # Of load and response, as load drivers count them.
        Metric("active_users", "Virtual users", "", "neither", 0,
               "Users logged in, the mean over the stable phase"),
        Metric("operation_ms", "Mean response time", "ms", "lower", 0,
               "Sum of the times of the operations of a group divided by their number, over the "
               "stable phase"),
        Metric("operation_p95_ms", "95th percentile of response times", "ms", "lower", 0,
               "The time that 95 of 100 operations of a group do not exceed in the stable phase"),
        Metric("operations_per_s", "Throughput", "operations/s", "higher", 1,
               "Operations completed in the stable phase, divided by its length"),
        Metric("pages_per_s", "Throughput", "pages/s", "higher", 1,
               "Pages completed in the stable phase, divided by its length"),
        Metric("response_ms", "Mean response time of pages", "ms", "lower", 0,
               "Sum of the times of all pages divided by their number, over the stable phase"),
        # Of each label, where the factor label is its name, or all.
        Metric("requests_per_s", "Requests", "requests/s", "higher", 1,
               "Requests of a label completed in the stable phase, or in the whole execution where "
               "its driver says no more, divided by the time"),
        Metric("response_mean_ms", "Mean response time", "ms", "lower", 1,
               "Sum of the response times of a label divided by the number of its requests"),
        Metric("response_p50_ms", "Median of response times", "ms", "lower", 1,
               "The time that half of the requests of a label do not exceed"),
        Metric("response_p90_ms", "90th percentile of response times", "ms", "lower", 1,
               "The time that 90 of 100 requests of a label do not exceed; never put together from "
               "percentiles of parts"),
        Metric("response_p95_ms", "95th percentile of response times", "ms", "lower", 1,
               "The time that 95 of 100 requests of a label do not exceed; never put together from "
               "percentiles of parts"),
        Metric("response_p99_ms", "99th percentile of response times", "ms", "lower", 1,
               "The time that 99 of 100 requests of a label do not exceed; never put together from "
               "percentiles of parts"),
        Metric("response_max_ms", "Longest response time", "ms", "lower", 0,
               "The longest time that a request of a label took"),
        Metric("error_percent", "Errors", "%", "lower", 2,
               "Failed requests of a label divided by all of them, times 100"),
        Metric("throughput_times", "Throughput", "×", "higher", 1,
               "Throughput of a setup divided by that of the smallest one"),
        # Of histograms of times, as exporters of Prometheus count them; series says of what.
        Metric("histogram_mean_ms", "Mean by a histogram", "ms", "lower", 1,
               "Growth of the sum of a histogram divided by the growth of its count, over the "
               "stable phase"),
        Metric("histogram_p50_ms", "Median by a histogram", "ms", "lower", 1,
               "Half of the values that came into a histogram in the stable phase are below; "
               "interpolated within its bucket, where that is narrow"),
        Metric("histogram_p90_ms", "90th percentile by a histogram", "ms", "lower", 1,
               "90 of 100 values that came into a histogram in the stable phase are below; "
               "interpolated within its bucket, where that is narrow"),
        Metric("histogram_p95_ms", "95th percentile by a histogram", "ms", "lower", 1,
               "95 of 100 values that came into a histogram in the stable phase are below; "
               "interpolated within its bucket, where that is narrow"),
        Metric("histogram_p99_ms", "99th percentile by a histogram", "ms", "lower", 1,
               "99 of 100 values that came into a histogram in the stable phase are below; "
               "interpolated within its bucket, where that is narrow"),
        Metric("histogram_per_s", "Values in a histogram", "1/s", "neither", 1,
               "Growth of the count of a histogram in the stable phase, divided by its length"),
        # Of hosts, disks and file systems.
        Metric("cpu_busy_percent", "Processors of a host at work", "%", "lower", 0,
               "Time in which the processors of a host worked for it (user, nice and system), "
               "divided by all their time, the mean over the stable phase"),
        Metric("memory_used_percent", "Memory of a host in use", "%", "lower", 0,
               "Memory of a host that is not available to programs, divided by all of it, the mean "
               "over the stable phase"),
        Metric("context_switches_per_s", "Context switches of a host", "1/s", "neither", 0,
               "How often a processor of a host went on with another task, the mean over the "
               "stable phase"),
        Metric("program_cpus", "Processors of a program", "", "neither", 2,
               "Time of processors that all processes of a program on a host took, divided by the "
               "time, as pidstat prints it: 1 is all of one processor; the mean over the stable "
               "phase"),
        Metric("runnable_tasks", "Tasks that run or wait for a processor", "", "neither", 1,
               "Tasks of a host that run or wait for a processor at one instant, the mean over the "
               "stable phase"),
        Metric("disk_await_ms", "Time of a disk request", "ms", "neither", 1,
               "Time from when a request was handed to a disk until it was answered, the mean of "
               "all requests of a host in the stable phase"),
        Metric("disk_busy_percent", "Busiest disk of a host", "%", "neither", 0,
               "Time in which a disk had requests under way, the mean over the stable phase, of "
               "the disk of the host where it is the most"),
        Metric("disk_mib_s", "Disk reads and writes", "MiB/s", "neither", 0,
               "Reads and writes of disks, the mean over the stable phase, summed over the hosts "
               "that do the input and output of the file system"),
        Metric("disk_read_mib_s", "Disk reads", "MiB/s", "neither", 0,
               "Reads of disks, the mean over the stable phase, summed over the hosts that do the "
               "input and output of the file system"),
        Metric("disk_write_mib_s", "Disk writes", "MiB/s", "neither", 0,
               "Writes of disks, the mean over the stable phase, summed over the hosts that do the "
               "input and output of the file system"),
        Metric("file_system_read_mib_s", "Reads by applications", "MiB/s", "neither", 0,
               "What applications read from the file system, the mean over the stable phase, "
               "summed over the nodes"),
        Metric("file_system_write_mib_s", "Writes by applications", "MiB/s", "neither", 0,
               "What applications write to the file system, the mean over the stable phase, summed "
               "over the nodes"),
        Metric("machine_busy_percent", "At work", "%", "neither", 0,
               "Time in which the processors worked (user, nice and system), divided by all their "
               "time, over the run"),
        Metric("machine_iowait_percent", "Idle, waiting for the disk", "%", "neither", 1,
               "Time of all processors idle while requests to disks are under way, divided by all "
               "their time, over the run"),
        Metric("machine_steal_percent", "Taken by others (steal)", "%", "lower", 1,
               "Time in which the hypervisor ran others, divided by the time of all processors, "
               "over the run"),
        Metric("total_ifl", "Whole system", "IFLs", "lower", 1,
               "Processors in use of the whole system, by the first report of the Performance "
               "Toolkit that tells, the mean over the stable phase"),
        # Of benchmarks.
        Metric("bandwidth_gb_s", "Bandwidth", "GB/s", "higher", 2,
               "Bytes moved by all tasks divided by their time, the mean over repetitions, as IOR "
               "or gpfsperf print it"),
        Metric("branch_miss_percent", "Branches mispredicted", "%", "lower", 2,
               "branch-misses of perf stat divided by branches"),
        Metric("cache_miss_percent", "Cache misses", "%", "lower", 1,
               "cache-misses of perf stat divided by cache-references"),
        Metric("client_nodes", "Client nodes", "", "neither", 0,
               "Tasks of the benchmark divided by the tasks of a node"),
        Metric("command_cpu_s", "Processor time of a command", "s", "lower", 2,
               "User and system time of a command, as time or perf stat prints them"),
        Metric("command_peak_mib", "Peak memory of a command", "MiB", "lower", 0,
               "The most memory that a command had resident, as time -v prints it"),
        Metric("command_s", "Elapsed time of a command", "s", "lower", 2,
               "Time that a command took, as time or perf stat prints it"),
        Metric("context_switch_us", "Time of a context switch", "µs", "lower", 1,
               "Time of a round through all processes divided by their number, less the work of "
               "each, as the tool prints it"),
        Metric("copy_cpu_s_per_gb", "Processor time of dd", "s/GB", "lower", 2,
               "User and system time of dd divided by the bytes that it copied"),
        Metric("copy_mb_s", "Rate of dd", "MB/s", "higher", 0,
               "Bytes that dd copied divided by the time that it took"),
        Metric("copy_s_per_gb", "Elapsed time of dd", "s/GB", "lower", 2,
               "Time that dd took divided by the bytes that it copied"),
        Metric("dbench_mib_s", "Throughput of dbench", "MiB/s", "higher", 0,
               "Bytes moved by all clients of dbench divided by the time of the test, as it prints "
               "them"),
        Metric("event_count", "Events", "", "neither", 0,
               "How often an event happened, such as page-faults, as perf stat counts it of all "
               "processors together"),
        Metric("io_per_s", "I/O operations", "IOPS", "higher", 0,
               "Reads or writes of all processes of a job of fio in a second"),
        Metric("instructions_per_cycle", "Instructions per cycle", "", "higher", 2,
               "instructions of perf stat divided by cycles"),
        Metric("io_completion_mean_ms", "Mean completion latency", "ms", "lower", 1,
               "Time from when fio handed a read or write to the kernel until it was done, the"
               " mean of a job"),
        *(
            Metric(f"io_completion_{name}_ms", f"{place} of completion latencies", "ms", "lower", 1,
                   f"The time that {share} reads or writes of a job of fio do not exceed, from when"
                   " they were handed to the kernel")
            for name, place, share in (
                ("p50", "Median", "half of all"), ("p99", "99th percentile", "99 of 100"),
                ("p999", "99.9th percentile", "999 of 1,000"),
            )
        ),
        Metric("metadata_per_s", "Operations on metadata", "operations/s", "higher", 0,
               "Operations of all tasks on files or folders divided by their time, the mean over "
               "iterations, as mdtest prints it"),
        Metric("sequential_mb_s", "Sequential file I/O, at best", "MB/s", "higher", 0,
               "The highest rate of any number of processes, reading or writing files from their "
               "beginning to their end"),
        Metric("sequential_mib_s", "Sequential file I/O", "MiB/s", "higher", 0,
               "Bytes that all processes read or write from the beginning of files to their end, "
               "divided by the time"),
        Metric("stream_mbit_s", "Throughput of network streams", "Mbit/s", "higher", 0,
               "Bits of all streams of a test divided by its time, as iperf3 prints them"),
        Metric("sysbench_mib_s", "Transfer rate of sysbench", "MiB/s", "higher", 0,
               "Bytes that sysbench read, wrote or moved within memory, divided by the time, as it"
               " prints them"),
        Metric("transaction_cpu_us", "Processor time of a transaction", "µs", "lower", 1,
               "Processor time of both ends, where both are known, divided by the transactions of "
               "all connections"),
        Metric("transactions_per_s", "Transactions", "transactions/s", "higher", 0,
               "Transactions of all connections of a test divided by its time"),
        # Of a setup, by run.yml.
        Metric("host_cpus", "Processors", "", "neither", 0,
               "Processors of each host of a role, by run.yml"),
        Metric("host_memory_gib", "Memory", "GiB", "neither", 1,
               "Memory of each host of a role, by run.yml"),
        Metric("hosts", "Hosts", "", "neither", 0, "Hosts of a role, by run.yml"),
        Metric("load_levels", "Load levels", "", "neither", 0,
               "Different numbers of users in the runs of the study"),
        Metric("usable_capacity_tb", "Usable capacity", "TB", "neither", 0,
               "Capacity that is left to files; only documents tell it"),
        Metric("vcpus_per_ifl", "Virtual processors per IFL", "", "neither", 2,
               "Virtual processors of all guests divided by the processors of the hypervisor, by "
               "run.yml"),
        # Of a Spectrum Scale cluster, by its captures.
        Metric("block_size_kib", "Block size", "KiB", "neither", 0,
               "Setting -B of a file system, as mmlsfs prints it"),
        Metric("cluster_nodes", "Nodes of the cluster", "", "neither", 0,
               "Nodes that mmlscluster lists"),
        Metric("designated_nodes", "Nodes so designated", "", "neither", 0,
               "Nodes that mmlscluster lists with a designation: quorum, manager or neither"),
        Metric("directly_attached_disks", "Directly attached disks", "", "neither", 0,
               "Disks of which mmlsnsd says that they are directly attached"),
        Metric("file_systems", "File systems", "", "neither", 0,
               "File systems of which mmlsnsd lists disks"),
        Metric("first_server_disks", "Disks served first", "", "neither", 0,
               "Disks in the server list of which an NSD server comes first"),
        Metric("first_servers", "NSD servers that are first for a disk", "", "neither", 0,
               "NSD servers that come first in the server list of at least one disk"),
        Metric("max_files_to_cache", "Files in the cache, at most", "", "neither", 0,
               "Setting maxFilesToCache, as mmlsconfig prints it"),
        Metric("max_stat_cache", "Entries of the stat cache, at most", "", "neither", 0,
               "Setting maxStatCache, as mmlsconfig prints it"),
        Metric("mounted_nodes", "Nodes with the file system mounted", "", "neither", 0,
               "Nodes that mmlsmount lists for a file system"),
        Metric("nsd_disks", "Disks", "", "neither", 0, "Disks that mmlsnsd lists"),
        Metric("nsd_servers", "NSD servers", "", "neither", 0,
               "Hosts that mmlsnsd lists as a server of a disk"),
        Metric("pagepool_client_mib", "Page pool of a client", "MiB", "neither", 0,
               "Setting pagepool of nodes that serve no disk, as mmlsconfig prints it"),
        Metric("pagepool_server_mib", "Page pool of an NSD server", "MiB", "neither", 0,
               "Setting pagepool of NSD servers, as mmlsconfig prints it"),
        Metric("quorum_nodes", "Quorum nodes", "", "neither", 0,
               "Nodes that mmlscluster lists as quorum"),
        Metric("release_level", "Minimum release level of the cluster", "", "neither", 0,
               "Setting minReleaseLevel in full, as mmlsconfig prints it"),
        Metric("scale_build", "Spectrum Scale build", "", "neither", 0,
               "Build of Spectrum Scale on the nodes, as mmdiag prints it"),
        Metric("scale_release", "Release of Spectrum Scale", "", "neither", 0,
               "The first two numbers of the setting minReleaseLevel"),
    )
}
# fmt: on


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


def bounds_of(name: str) -> tuple[float, float]:
    """The least and the most that a metric can be, infinite where that is not known.

    Those of the library count or measure, and are not less than 0; those in per cent are parts of a
    whole.
    """
    known = METRICS.get(name)
    if known is None:
        return -math.inf, math.inf
    return 0.0, 100.0 if known.unit == "%" else math.inf


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


def without_unit(column: str, unit: str) -> str | None:
    """A column's name without a unit of which there is no suffix here; None if it does not end so.

    Parameters
    ----------
    column : str
        The name: ``drift_mm``, ``tugs_per_min``.
    unit : str
        The unit, which a person has said: ``mm``, ``tugs/min``.
    """
    plain = re.sub("[µμ]", "u", unit).lower().replace("/", " per ")
    end = "_" + re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    known = column.removeprefix(unit_of(column)[0])
    if len(end) <= max(1, len(known)) or not f"_{column}".endswith(end):
        return None
    return f"_{column}".removesuffix(end).removeprefix("_")
