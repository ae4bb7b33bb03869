"""Sample logs of JMeter that the testbed writes."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from studybook.errors import StudyBookError
from testbed.course import Course, Driver
from testbed.writers import jtl
from tests.support.courses import course

#: The columns of a log that JMeter 5 writes without further settings, in order.
COLUMNS = [
    "timeStamp", "elapsed", "label", "responseCode", "responseMessage", "threadName", "dataType",
    "success", "failureMessage", "bytes", "sentBytes", "grpThreads", "allThreads", "URL", "Latency",
    "IdleTime", "Connect",
]  # fmt: skip


def driver(made: Course) -> Driver:
    assert made.driver
    return made.driver


def rows(made: Course, **options: object) -> list[dict[str, str]]:
    return list(csv.DictReader(jtl.lines(made, **options)))  # type: ignore[arg-type]


def ends(made: Course, samples: list[dict[str, str]]) -> np.ndarray:
    """Ends of the samples in ms since the start of the run."""
    start = round(made.start.timestamp() * 1000)
    return np.array([int(each["timeStamp"]) + int(each["elapsed"]) - start for each in samples])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_samples_are_those_of_the_course(seed: int) -> None:
    made = course(seed, intervals=12)
    samples = rows(made)
    interval_ms = 1000 * driver(made).interval_s
    by_interval: dict[tuple[str, int], list[int]] = defaultdict(list)
    for each, end in zip(samples, ends(made, samples), strict=True):
        by_interval[each["label"], int(end) // interval_ms].append(int(each["elapsed"]))
    for requests in driver(made).requests:
        for number, hits in enumerate(requests.hits):
            took = by_interval[requests.page, number]
            assert len(took) == hits
            if hits:
                assert np.mean(took) == pytest.approx(requests.mean_ms[number], abs=0.5 / hits)
                assert min(took) >= requests.min_ms[number] - 1
                assert max(took) <= requests.max_ms[number] + 1
    assert len(samples) == sum(int(each.hits.sum()) for each in driver(made).requests)


def test_spread_is_that_of_the_course() -> None:
    made = course(4, intervals=200)
    samples = rows(made)
    for requests in driver(made).requests:
        took = np.array([int(e["elapsed"]) for e in samples if e["label"] == requests.page])
        weights = requests.hits / requests.hits.sum()
        mean = weights @ requests.mean_ms
        variance = weights @ (requests.stdev_ms**2 + (requests.mean_ms - mean) ** 2)
        assert np.std(took) == pytest.approx(np.sqrt(variance), rel=0.05)
        # Response times are skewed to the right.
        assert np.median(took) < np.mean(took)


def test_header_and_constant_fields() -> None:
    made = course(5)
    assert next(jtl.lines(made)).split(",") == COLUMNS
    good = [each for each in rows(made) if each["success"] == "true"]
    for name, value in (
        ("responseCode", "200"), ("responseMessage", "OK"), ("failureMessage", ""),
        ("URL", "null"), ("dataType", "text"), ("Latency", "0"),
    ):  # fmt: skip
        assert {each[name] for each in good} == {value}


def test_order_is_that_of_the_ends() -> None:
    made = course(6)
    samples = rows(made)
    assert np.all(np.diff(ends(made, samples)) >= 0)
    stamps = np.array([int(each["timeStamp"]) for each in samples])
    assert np.any(np.diff(stamps) < 0)
    assert stamps.min() >= made.start.timestamp() * 1000


def test_no_thread_does_two_things_at_a_time() -> None:
    made = course(7)
    samples = rows(made)
    users = driver(made).users
    last: dict[str, int] = {}
    for each, end in zip(samples, ends(made, samples).tolist(), strict=True):
        name, number = each["threadName"].rsplit("-", 1)
        assert name == "ECM workload 1"
        active = users[end // (1000 * driver(made).interval_s)]
        assert 1 <= int(number) <= int(each["allThreads"]) == int(each["grpThreads"]) == active
        assert end - int(each["elapsed"]) >= last.get(number, 0)
        last[number] = end
    # Everybody works.
    assert len(last) == max(users)


def test_threads_leave_and_come_back() -> None:
    made = course(8, intervals=6)
    users = np.array([5, 5, 2, 2, 2, 2, 7, 7, 7, 7, 7, 7])
    made = replace(made, driver=replace(driver(made), users=users))
    samples = rows(made)
    number = ends(made, samples) // (1000 * driver(made).interval_s)
    seen: dict[int, set[int]] = defaultdict(set)
    for each, interval in zip(samples, number.tolist(), strict=True):
        seen[interval].add(int(each["threadName"].rsplit("-")[-1]))
    assert seen[1] == {1, 2, 3, 4, 5}
    assert seen[4] == {1, 2}
    assert seen[8] == {1, 2, 3, 4, 5, 6, 7}


def test_some_samples_fail() -> None:
    made = course(9, intervals=100)
    failed = [each for each in rows(made, failed_share=0.02) if each["success"] == "false"]
    total = sum(int(each.hits.sum()) for each in driver(made).requests)
    assert 0.012 < len(failed) / total < 0.028
    assert {each["responseCode"] for each in failed} == {"500"}
    assert "," in failed[0]["failureMessage"]
    assert all(each["success"] == "true" for each in rows(made, failed_share=0))


def test_names_with_commas_and_percent_signs() -> None:
    made = course(10, intervals=2)
    requests = (replace(driver(made).requests[0], page='Find "a, b" 5 %'),)
    made = replace(made, driver=replace(driver(made), requests=requests))
    samples = rows(made, group="load, 50 %")
    assert {each["label"] for each in samples} == {'Find "a, b" 5 %'}
    assert {each["threadName"].rsplit("-")[0] for each in samples} == {"load, 50 % 1"}


@pytest.mark.parametrize(("mean", "stdev", "low", "high"), [
    (0.3, 0.2, 0.0, 3.0), (250.0, 0.0, 250.0, 250.0), (40.0, 400.0, 39.0, 9000.0),
])  # fmt: skip
def test_strange_response_times(mean: float, stdev: float, low: float, high: float) -> None:
    made = course(11, intervals=4)
    count = len(driver(made).users)
    times = {
        name: np.full(count, value)
        for name, value in zip(("mean_ms", "stdev_ms", "min_ms", "max_ms"),
                               (mean, stdev, low, high), strict=True)
    }  # fmt: skip
    hits = np.full(count, 37)
    only = replace(driver(made).requests[0], hits=hits, **times)
    took = [
        int(each["elapsed"])
        for each in rows(replace(made, driver=replace(driver(made), requests=(only,))))
    ]
    assert np.mean(took) == pytest.approx(mean, abs=0.5 / 37)
    assert low <= min(took) <= max(took) <= high


def test_lazy_and_repeatable() -> None:
    made = course(12, intervals=1000)
    assert list(jtl.lines(course(12))) == list(jtl.lines(course(12)))
    assert next(jtl.lines(made)) == jtl.HEADER
    with pytest.raises(StudyBookError, match="no driver"):
        next(jtl.lines(replace(made, driver=None)))


def test_written_as_a_file(tmp_path: Path) -> None:
    path = tmp_path / "run.jtl"
    with path.open("w", newline="") as file:
        file.writelines(f"{line}\n" for line in jtl.lines(course(13)))
    with path.open(newline="") as file:
        assert len(list(csv.reader(file))) == len(list(jtl.lines(course(13))))
