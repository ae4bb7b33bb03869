"""The verb ``testbed``: the model of the systems under test, and the raw exports that it writes."""

from __future__ import annotations

import fnmatch
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studybook.commands._shared import data_set_option
from studybook.errors import StudyBookError
from testbed import ecm
from testbed.parameters import FILE, read_parameters, write_values
from testbed.targets import FOLDER as TARGETS

if TYPE_CHECKING:
    from testbed.plan import PlannedRun
    from testbed.prediction import Prediction, Station

_SETUP = ecm.Setup()
_STUDIES = sorted(path.stem for path in TARGETS.glob("*.yml"))
MOST_USERS = 1_000_000
_PATH = click.Path(path_type=Path, dir_okay=False, exists=True)

parameters_option = click.option(
    "--parameters", type=_PATH, default=FILE, help="File of parameters.  [default: the committed]"
)
users_option = click.option(
    "--users", "users", type=float, multiple=True, default=(1000,), show_default=True,
    help="Virtual users; several times for several loads.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
jobs_option = click.option(
    "-j", "--jobs", type=click.IntRange(1), help="Runs at once.  [default: number of processors]"
)


@click.group()
def testbed() -> None:
    """Predict what the systems under test do, and write their raw exports.

    A queueing model, fitted to the documents, stands for the systems of the studies. What it says
    is simulated, always: it shows what the published values imply, not what was measured.
    """


@testbed.command()
@users_option
@click.option("--nodes", default=_SETUP.nodes, show_default=True, help="ECM nodes, 1 to 64.")
@click.option(
    "--cluster", type=click.Choice(["shared-disk", "nsd", "none"]), default=_SETUP.cluster,
    show_default=True, help="How nodes reach the disks; none with XFS.",
)  # fmt: skip
@click.option(
    "--file-system", type=click.Choice(["scale", "xfs"]), default=_SETUP.file_system,
    show_default=True, help="Spectrum Scale, or XFS on a single node.",
)  # fmt: skip
@click.option("--mtu", default=_SETUP.mtu, show_default=True, help="MTU in bytes.")
@click.option(
    "--mtu-scope", type=click.Choice(["everywhere", "inside-zvm"]), default=_SETUP.mtu_scope,
    show_default=True, help="Whether the load driver has this MTU, too.",
)  # fmt: skip
@click.option(
    "--client-pagepool-mib", default=_SETUP.client_pagepool_mib, show_default=True,
    help="Page pool of an ECM node.",
)  # fmt: skip
@click.option(
    "--server-pagepool-mib", default=_SETUP.server_pagepool_mib, show_default=True,
    help="Page pool of an NSD server.",
)  # fmt: skip
@click.option(
    "--server-list", type=click.Choice(["balanced", "unbalanced"]), default=_SETUP.server_list,
    show_default=True, help="Whether the disks have different first NSD servers.",
)  # fmt: skip
@click.option(
    "--routing", type=click.Choice(["round-robin", "random"]), default=_SETUP.routing,
    show_default=True, help="How sessions are given to nodes.",
)  # fmt: skip
@click.option("--nsd-servers", default=_SETUP.nsd_servers, show_default=True, help="1 to 6.")
@click.option("--ifls", default=_SETUP.ifls, show_default=True, help="IFLs of the LPAR.")
@parameters_option
@json_option
def predict(users: tuple[float, ...], parameters: Path, as_json: bool, **setup: Any) -> None:
    """Predict the ECM system: response time, throughput, IFLs, bottleneck.

    \b
    Examples:
      studybook testbed predict --nodes 8 --mtu 9000 --users 2000
      studybook testbed predict --cluster nsd --users 500 --users 1000 --json
    """
    values = read_parameters(parameters).values("ecm")
    _say((ecm.predict(ecm.Setup(**setup), _positive(each), values) for each in users), as_json)


@testbed.command("predict-p8")
@users_option
@click.option("--ce-pe-cpus", type=click.Choice(["1", "2", "4", "8"]), default="2")
@click.option("--db-cpus", type=click.Choice(["1", "2"]), default="2")
@parameters_option
@json_option
def predict_p8(
    users: tuple[float, ...], ce_pe_cpus: str, db_cpus: str, parameters: Path, as_json: bool
) -> None:
    """Predict FileNet P8 by the processors of its two guests.

    \b
    Example:
      studybook testbed predict-p8 --ce-pe-cpus 8 --users 400
    """
    from testbed import filenet

    values = read_parameters(parameters).values("filenet")
    setup = filenet.Setup(int(ce_pe_cpus), int(db_cpus))  # type: ignore[arg-type]  # click has checked them
    _say((filenet.predict(setup, _positive(each), values) for each in users), as_json)


def _positive(users: float) -> float:
    if not 0 < users <= MOST_USERS:
        raise StudyBookError(f"{users:g} users\n  → give more than none, up to {MOST_USERS}")
    return users


def _say(predictions: Iterable[Prediction], as_json: bool) -> None:
    found = list(predictions)
    if as_json:
        click.echo(json.dumps([asdict(each) for each in found], indent=1))
        return
    for number, each in enumerate(found):
        if number:
            click.echo()
        busiest = each.bottleneck
        rows = [
            ("users", f"{each.users:g}"),
            ("response time", f"{each.response_ms:.0f} ms"),
            ("throughput", f"{each.throughput_per_s:.1f} pages or operations per s"),
            ("z/VM total", f"{each.total_ifl:.1f} IFLs"),
            ("bottleneck", f"{busiest.name}, {100 * busiest.utilisation:.0f} % busy"),
        ]
        for name, value in rows:
            click.echo(f"{name:<14} {click.style(value, bold=True)}")
        click.echo(f"{'station':<24} servers  utilisation")
        for alike in _alike(each.stations):
            station = alike[0]
            name = station.name if len(alike) == 1 else f"{len(alike)} × {station.name}"
            click.echo(f"{name:<24} {station.servers:7g}  {100 * station.utilisation:9.1f} %")
    click.echo("simulated: by the model of this book, not measured")


def _alike(stations: Iterable[Station]) -> Iterator[list[Station]]:
    """Put neighbours together that do the same as much: the processors of like nodes."""
    key = attrgetter("servers", "utilisation")
    for _, same in groupby(stations, lambda each: (each.name.split()[-1], *key(each))):
        yield list(same)


@testbed.command()
@data_set_option
@click.option("--only", default="*", metavar="PATTERN", help="Runs whose name matches: 'nsd-4-*'.")
@click.option("--seed", default=1, show_default=True, help="Another seed gives other noise.")
@parameters_option
@jobs_option
@click.option(
    "--check", is_flag=True, help="Write elsewhere, and compare with what is there instead."
)
def write(
    data_set: str, only: str, seed: int, parameters: Path, jobs: int | None, check: bool
) -> None:
    """Write the raw exports of both studies into a data set.

    They are the same, byte for byte, each time they are written; data/<data set>.sha256 lists
    them. Other runs of the data set are left alone.
    """
    from studybook.dataset.paths import project_root
    from testbed import dataset, plan, reference

    if data_set == "reference" and not check and (seed != 1 or parameters != FILE):
        raise StudyBookError(
            "the data set reference is that of seed 1 and the committed parameters\n"
            "  → write another one: --data-set NAME"
        )
    folder = project_root() / "data/raw" / data_set
    runs = [each for each in plan.all_runs(seed, parameters) if fnmatch.fnmatch(each.run, only)]
    if not runs:
        raise StudyBookError(f"no run is named like {only!r}\n  → try: --only 'sd-4-*'")
    if check:
        _check(runs, folder)
        return
    written = [each for run in _bar(dataset.write(runs, folder, jobs), len(runs)) for each in run]
    if only == "*":
        reference.write_list(written, folder)
    else:
        reference.update_list(written, runs, folder)
    size = sum(each.size for each in written)
    click.echo(f"{len(runs)} runs, {len(written)} files, {size / 2**20:.1f} MiB in {folder}")


def _check(runs: list[PlannedRun], folder: Path) -> None:
    from testbed import reference

    same, packed, different = 0, 0, list[str]()
    with tempfile.TemporaryDirectory() as scratch:
        for planned in _bar(iter(runs), len(runs)):
            found = reference.compare(planned, folder, Path(scratch))
            same += found.same
            packed += found.packed_otherwise
            different += found.different
    if different:
        raise StudyBookError(
            f"{len(different)} files are not what the testbed writes: {', '.join(different[:5])}\n"
            "  → give the seed and the parameters that they were written with, or write them again"
        )
    click.echo(f"{same} files are the same byte for byte")
    if packed:
        click.echo(f"{packed} files were packed by another version of a compressor; same content")


@testbed.command("fit")
@click.argument("study", type=click.Choice(_STUDIES))
@click.option(
    "--write", "do_write", is_flag=True, help="Write the values into the file of parameters."
)
def fit_command(study: str, do_write: bool) -> None:
    """Fit the parameters of a study's model to its fitted targets, and compare all.

    A minute or so. What is published stands in testbed/targets/.
    """
    from testbed import fit_tables
    from testbed.fit import compare, fit
    from testbed.studies import STUDIES

    section = STUDIES[study].section
    found = fit(study, read_parameters())
    values = found.values
    for name, value in values.items():
        click.echo(f"{name:<28} {value:g}")
    click.echo(
        f"{found.targets} fitted targets, {len(values)} parameters:"
        f" {found.degrees_of_freedom} degrees of freedom, residual sum of squares {found.rss:.3g}"
    )
    for each in compare(study, read_parameters().values(section) | values):
        state = click.style("holds", fg="green") if each.holds else click.style("fails", fg="red")
        target = each.target
        click.echo(
            f"{state}  {target.role:<9} {target.id:<32} {fit_tables.accepted(target):>20}"
            f" {fit_tables.shown(target, each.model):>14}"
        )
    if do_write:
        write_values(section, values)


@testbed.command("scale")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--hosts", default=8, show_default=True, help="Hosts, rounded up to clusters of 8.")
@click.option("--hours", default=24.0, show_default=True, help="Length of what they export.")
@click.option("--interval", "interval_s", default=10, show_default=True, help="In seconds.")
@jobs_option
def scale_command(
    folder: Path, hosts: int, hours: float, interval_s: int, jobs: int | None
) -> None:
    """Write exports of any size into FOLDER, for benchmarks.

    \b
    Example: a hundred hosts, a week, every 10 s:
      studybook testbed scale data/raw/large --hosts 100 --hours 168
    """
    from testbed import dataset, scale

    size, number = 0, 0
    total = sum(1 for _ in scale.runs(hosts, hours, interval_s))
    for written in _bar(dataset.write(scale.runs(hosts, hours, interval_s), folder, jobs), total):
        size += sum(each.size for each in written)
        number += len(written)
    click.echo(f"{total} runs, {number} files, {size / 2**20:.1f} MiB in {folder}")


def _bar(runs: Iterable[Any], total: int) -> Iterable[Any]:
    from tqdm import tqdm

    return tqdm(runs, total=total, unit="run", leave=False, disable=not sys.stderr.isatty())
