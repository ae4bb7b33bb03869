"""Printed listings of the z/VM Performance Toolkit: SYSSUMLG, PRCLOG, LPAR, USER and GVNIC.

Rows of the logs carry the end of their interval in local time, without a date. The reports agree
with each other: guests and CP together are what the processors are busy with, and the partition's
load is theirs with what PR/SM needs itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from studybook.errors import StudyBookError
from testbed.course import Course
from testbed.writers.perfkit import reports
from testbed.writers.perfkit.means import Means
from testbed.writers.perfkit.page import Listing, Machine

#: For the manifest of a run that holds such a listing.
NOTE = (
    "The layout of the Performance Toolkit listing follows what is documented and remembered of it;"
    " it was not checked against a real listing."
)

#: The user's text in each page heading says the same.
_REMARK = "Simulated; layout not verified"


def lines(
    course: Course,
    *,
    every: int = 2,
    period: int | None = None,
    machine: Machine | None = None,
    lines_per_page: int = 60,
) -> Iterator[str]:
    """Print the listing of a run.

    Parameters
    ----------
    course : Course
        The run.
    every : int
        How many intervals of the course one interval of the listing averages; the last one may
        be shorter.
    period : int, optional
        How many intervals of the listing each USER, LPAR and GVNIC report covers, as interim
        reports do; one report over the whole run if not given.
    machine : Machine, optional
        What headings say of the machine, z/VM and the switch.
    lines_per_page : int
        After so many lines a new page begins.

    Yields
    ------
    str
        Lines with ASA carriage control and without line end.
    """
    machine = machine or Machine()
    means = Means(course, every)
    twice = [name for name, n in Counter(map(reports.userid, course.guests)).items() if n > 1]
    if twice:
        raise StudyBookError(
            f"{course.run}: two guests would be {twice[0]} in the listing\n"
            "  → give guests names that differ in their first 8 characters"
        )
    listing = Listing(course.system, machine, means.ends[-1], _REMARK, lines_per_page)
    whole = (course.start, means.ends[-1])

    names = ("FCX225", "SYSSUMLG", "System Performance Summary by Time")
    yield from listing.report(names, whole, reports.SUMMARY, reports.summary(means))

    # HiperDispatch came with z/VM 6.3, and PRCLOG with it.
    polarized = machine.level >= "V.6.3"
    rows = reports.processors(means, machine, polarized=polarized)
    if polarized:
        names = ("FCX304", "PRCLOG", "Processor Activity, by Time")
        yield from listing.report(names, whole, reports.PRCLOG, rows)
    else:
        names = ("FCX144", "PROCLOG", "Processor Activity, by Time")
        yield from listing.report(names, whole, reports.PROCLOG, rows)

    count = len(means.counts)
    for first in range(0, count, period or count):
        part = slice(first, min(first + (period or count), count))
        span = (means.ends[first - 1] if first else course.start, means.ends[part.stop - 1])
        yield from listing.report(
            ("FCX126", "LPAR", "LPAR Load"),
            span,
            reports.LPAR,
            reports.partition(means, machine, part),
            above=_partition_heading(course, machine),
        )
        names = ("FCX112", "USER", "General User Resource Utilization")
        yield from listing.report(names, span, reports.USER, reports.users(means, part))
        names = ("FCX266", "GVNIC", "General Virtual Network Device Activity")
        yield from listing.report(
            names, span, reports.GVNIC, reports.adapters(means, machine, part)
        )


def _partition_heading(course: Course, machine: Machine) -> list[str]:
    return [
        f"LPAR Data, Collected in Partition {course.system[:8]}",
        "",
        f"Processor type and model   : {machine.model}",
        "Nr. of configured partitions:    1",
        f"Nr. of physical processors  : {machine.physical or course.ifls:4d}",
        "Dispatch interval (msec)    : dynamic",
        "",
    ]
