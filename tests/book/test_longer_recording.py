"""Pages of runs whose hosts were recorded for longer than the load, as by sar of a whole day."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from studybook.commands._wrongs import say_wrongs
from studybook.dataset.inventory import take_inventory
from studybook.dataset.paths import DataSet
from studybook.records.load import load
from tests.conftest import REPOSITORY
from tests.support.cells import run_cells
from tests.support.folder import BEGIN, write_jtl

#: Loads by their run: minutes since the recording began at which executions begin, of ten minutes.
LOADS = {"one": (20,), "two": (5, 45), "uneven": (0, 10)}
#: What hosts print in a minute of the load, and in any other: of four activities.
ACTIVITIES = {
    "        CPU     %user     %nice   %system   %iowait    %steal     %idle": (
        "        all     78.00      0.00      2.00      0.00      0.00     20.00",
        "        all      8.00      0.00      2.00      0.00      0.00     90.00",
    ),
    "    kbmemfree kbmemused  %memused kbbuffers  kbcached  kbcommit   %commit": (
        "       200000    800000     80.00         0         0    900000     90.00",
        "       900000    100000     10.00         0         0    900000     90.00",
    ),
    "        IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   rxcmp/s   txcmp/s  rxmcst/s": (
        "         eth0    800.00    800.00    409.60    409.60      0.00      0.00      0.00",
        "         eth0    100.00    100.00     51.20     51.20      0.00      0.00      0.00",
    ),
    "     DEV      tps rd_sec/s wr_sec/s avgrq-sz avgqu-sz    await    svctm    %util": (
        "     sda   100.00   819.20   819.20    16.38     0.10     1.00     1.00    80.00",
        "     sda    10.00   102.40   102.40    16.38     0.10     1.00     1.00    10.00",
    ),
}


def write_day(path: Path, begin: datetime, minutes: list[int]) -> None:
    """Write an hour of sar, a row in a minute; a host is busy in some of them."""
    lines = [f"Linux 6.1.0 (web1) \t{begin:%Y-%m-%d} \t_x86_64_\t(4 CPU)\n"]
    for head, rows in ACTIVITIES.items():
        lines.append(f"\n{begin:%H:%M:%S}{head}\n")
        for minute in range(60):
            at = begin + timedelta(minutes=minute + 1)
            lines.append(f"{at:%H:%M:%S}{rows[minute not in minutes]}\n")
    path.write_text("".join(lines), encoding="utf-8")


def _write_k6(path: Path) -> None:
    """Write a log of k6: each second a request of 20 ms, each third an iteration of 3 s."""
    lines = ["metric_name,timestamp,metric_value,method,name,scenario,status,url\n"]
    for second in range(300):
        at = int(BEGIN.timestamp()) + second
        lines.append(f"http_reqs,{at},1.000000,GET,/cart,default,200,/cart\n")
        lines.append(f"http_req_duration,{at},20.000000,GET,/cart,default,200,/cart\n")
        if second % 3 == 2:
            lines.append(f"iteration_duration,{at},3000.000000,,,default,,\n")
    path.write_text("".join(lines), encoding="utf-8")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DataSet]:
    """Return a loaded data set."""
    root = tmp_path_factory.mktemp("longer")
    (root / "_config.yml").write_text("title: Longer\n", encoding="utf-8")
    for day, (run, begins) in enumerate(LOADS.items()):
        folder, begin = root / "data/raw/main/shop" / run, BEGIN + timedelta(days=day)
        texts = []
        for each in begins:
            users = 20 + each * (run == "uneven")
            write_jtl(folder / "load.jtl", begin + timedelta(minutes=each), 10, users)
            texts.append((folder / "load.jtl").read_text(encoding="utf-8"))
        more = [text.split("\n", 1)[1] for text in texts[1:]]
        (folder / "load.jtl").write_text("".join([texts[0], *more]), encoding="utf-8")
        write_day(folder / "sar.txt", begin, [each + n for each in begins for n in range(10)])
        manifest = {
            "study": "shop", "run": run, "title": run, "origin": "measured", "time_zone": "UTC",
            "hosts": [{"name": "web1", "role": "web"}],
            "files": [{"path": "load.jtl"}, {"path": "sar.txt"}],
        }  # fmt: skip
        (folder / "run.yml").write_text(yaml.safe_dump(manifest), encoding="utf-8")
    # And a run of which nothing was measured that the overview shows.
    folder = root / "data/raw/main/shop/bare"
    folder.mkdir()
    shutil.copy2(REPOSITORY / "tests/data/linux/ip.txt", folder)
    bare = {"study": "shop", "run": "bare", "title": "bare", "origin": "measured"}
    bare |= {"time_zone": "UTC", "files": [{"path": "ip.txt"}]}
    (folder / "run.yml").write_text(yaml.safe_dump(bare), encoding="utf-8")
    # And a script that waits: an iteration takes far longer than what it asks for.
    folder = root / "data/raw/main/script/k6"
    folder.mkdir(parents=True)
    _write_k6(folder / "k6.csv")
    scripted = {"study": "script", "run": "k6", "title": "k6", "origin": "measured"}
    scripted |= {"time_zone": "UTC", "files": [{"path": "k6.csv"}]}
    (folder / "run.yml").write_text(yaml.safe_dump(scripted), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STUDYBOOK_HOME", str(root))
        load(data_set="main", strict=True)
        yield DataSet.named("main")


def cells(notebook: str, **more: Any) -> dict[str, Any]:
    return run_cells(notebook, data_set="main", study_name="shop", **more)


@pytest.fixture(scope="module")
def page(place: DataSet) -> dict[str, Any]:
    """Return what the page of the run with one execution shows."""
    return cells("any-run/run", run="one")


@pytest.mark.parametrize(
    ("notebook", "said"),
    [("processors", "80 %"), ("memory", "80 %"), ("network", "0.8 MiB/s"), ("disks", "0.8 MiB/s")],
)
def test_titles_of_hosts_are_of_the_time_of_the_load_and_say_so(
    place: DataSet, notebook: str, said: str
) -> None:
    names = cells(f"any-study/{notebook}")
    assert said in names["title"]
    assert "stable phase of run one" in names["title"]
    (first,) = names["means"].head(1).itertuples()
    assert (first.run, first.mean_over) == ("one", "the stable phase")
    # The whole recording stands beside it: ten of sixty minutes.
    value = names["means"].filter(like="whole_recording").iloc[0, 0]
    assert value == pytest.approx((10 * 8 + 50) / 60 / 8 * float(said.split()[0]), abs=0.01)


def test_percentiles_of_a_page_are_those_of_the_requests(
    place: DataSet, page: dict[str, Any]
) -> None:
    times = page["study"].query("SELECT elapsed_ms FROM jtl_ended ORDER BY 1")["elapsed_ms"]
    nine = times.iloc[-(-len(times) * 9 // 10) - 1]
    titles = [" ".join(each.title.text) for each in page["shown"] if hasattr(each, "title")]
    (said,) = [title for title in titles if title.startswith("Nine of ten")]
    assert f"within {nine:.4g} ms" in said
    # Means of percentiles of intervals would be other numbers for the same.
    means = page["table"][page["table"]["series"] == "95th percentile"]
    assert set(means["mean_in_stable_phase"]) == {"–"}


def test_means_of_intervals_are_those_of_the_requests(page: dict[str, Any]) -> None:
    assert page["one"]("response_ms", "mean") == pytest.approx(page["took"], rel=1e-6)
    assert page["one"]("busy_percent", "web1") == 80


def test_a_run_page_has_one_zero_of_time(page: dict[str, Any]) -> None:
    chart, reading, *_ = page["shown"]
    axes = re.findall(r"Minutes since [\w ]+", str(chart.to_dict()))
    assert set(axes) == {"Minutes since the load began"}
    assert "minutes since the load began" in reading.text
    # As much before and after the load as it took; the hour that was recorded is named.
    # The last answer came a second before ten minutes were over.
    assert (page["begin"], page["until"]) == pytest.approx((-10, 20), abs=0.02)
    assert "recorded were the minutes −20 to 40" in " ".join(chart.title.subtitle)
    minutes = chart.data.loc[chart.data["part"] == "value", "minute"]
    assert minutes.between(page["begin"], page["until"]).all()
    (shaded,) = {
        (row.minute, row.until_minute)
        for row in chart.data[chart.data["part"] == "stable phase"].itertuples()
    }
    assert shaded == pytest.approx((page["from_s"] / 60, page["to_s"] / 60))


def test_wrongs_of_a_load_stand_in_the_headline_of_its_run(place: DataSet) -> None:
    names = cells("any-run/run", run="two")
    chart, reading, *_ = names["shown"]
    assert "a log holds several executions" in " ".join(chart.title.text)
    assert "2 executions" in reading.text
    assert "stable_phase" in reading.text  # what to do


def test_several_levels_of_users_are_named(place: DataSet, page: dict[str, Any]) -> None:
    (_, reading, *_) = cells("any-run/run", run="uneven")["shown"]
    assert "several levels of users: 20 for 10 minutes and 30 for 10 minutes" in reading.text
    assert "levels of users" not in page["shown"][1].text


def test_what_the_doctor_calls_wrong_is_named_with_advice(
    place: DataSet, capsys: pytest.CaptureFixture[str]
) -> None:
    say_wrongs(take_inventory(place))
    said = " ".join(capsys.readouterr().err.split())
    assert "shop/two: A log holds several executions" in said
    assert "give each execution a run of its own" in said
    assert "shop/one" not in said


def test_all_runs_are_all_that_there_are(place: DataSet) -> None:
    names = cells("any-study/overview")
    (chart, *_) = names["shown"]
    assert "4 runs of 1 setup;" in " ".join(chart.title.subtitle)
    assert "(3 of 4 runs have it)" in " ".join(chart.title.text)
    wide = names["wide"].reset_index("origin")
    assert set(wide.index) == {*LOADS, "bare"}
    assert wide.loc["bare"].drop("origin").isna().all()
    assert wide.loc["one"].notna().all()


def test_requests_go_before_iterations_that_wait(place: DataSet) -> None:
    names = run_cells("any-run/run", data_set="main", study_name="script", run="k6")
    title = " ".join(names["shown"][0].title.text)
    assert "1 completions per second, with a mean response time of 20 ms" in title
    assert list(names["slow"]["label"]) == ["/cart"]
    wide = run_cells("any-study/overview", data_set="main", study_name="script")["wide"]
    assert wide["response_mean_ms"].item() == 20
    assert wide["requests_per_s"].item() == pytest.approx(1, abs=0.01)
