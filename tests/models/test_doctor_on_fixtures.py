"""Checks on data, asked of files of every reader: none breaks, whatever a tool leaves out."""

from __future__ import annotations

from pathlib import Path

from studybook.doctor.data import examine_data


def test_no_check_breaks_on_what_any_reader_gives(of_fixtures: Path) -> None:
    found = examine_data(of_fixtures, ["files"])
    said = {(each.run, each.check.id): each.found for each in found}
    assert all((each.subject, each.found, each.do) for each in found)
    assert said["k6-seconds-csv", "driver-saturated"].startswith("4 iterations dropped")
    assert said["pgbench-scripts-txt", "driver-saturated"].endswith(": 12; done: 10000")
    assert said["sar-sar-8-1-file-txt", "restarts"] == "restart: 2016-06-06 00:12:13"
    assert said["sar-sar-12-live-txt", "shares"].startswith("6 intervals of processors")
    # The load itself is measured during all of its own phase.
    drivers = ("gatling", "jtl", "k6", "locust", "rpt", "vegeta")
    assert not [run for run, check in said if check == "not-covered" and run.startswith(drivers)]
