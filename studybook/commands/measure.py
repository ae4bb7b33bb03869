"""The verb ``measure``: experiments on this machine, kept as a data set."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from studybook.measure.perform import Report
    from studybook.measure.plan import Plan


def _chosen(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    from studybook.measure.plan import EXPERIMENTS

    if value is None:
        return EXPERIMENTS
    names = tuple(name.strip() for name in value.split(","))
    if unknown := [name for name in names if name not in EXPERIMENTS]:
        raise click.BadParameter(f"{unknown[0]!r} is none of {', '.join(EXPERIMENTS)}")
    return names


def _data_set(_: click.Context, __: click.Parameter, value: str | None) -> str:
    if value is None:
        plain = re.sub(r"[^a-z0-9]+", "-", os.uname().nodename.partition(".")[0].lower())
        return plain.strip("-") or "mine"
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", value):
        raise click.BadParameter(f"{value!r}: letters, digits, . _ and - will do")
    return value


def _study(_: click.Context, __: click.Parameter, value: str | None) -> str:
    from studybook.measure.plan import STUDY

    if value is not None and not re.fullmatch("[a-z0-9][a-z0-9-]*", value):
        raise click.BadParameter(f"{value!r}: small letters, digits and hyphens will do")
    return value or STUDY


def _host(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(r"[^\s-]\S*", value):
        raise click.BadParameter(
            f"{value!r}: name a host, or its address; without --host: loopback"
        )
    return value


@click.group()
def measure() -> None:
    """Measure this machine, and keep what the tools print as a data set."""


@measure.command("linux-io")
@click.option(
    "-d", "--data-set", callback=_data_set,
    help="Data set to write.  [default: the name of this machine]",
)  # fmt: skip
@click.option(
    "--study", metavar="NAME", callback=_study,
    help="Study that the runs belong to: name one of the book, and its figures show them."
    "  [default: linux-io]",
)  # fmt: skip
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the data sets.  [default: data/raw of the project]",
)  # fmt: skip
@click.option(
    "--experiments", metavar="NAME,...", callback=_chosen,
    help="Only these: dbench, sequential-io, context-switch, tcp-transactions, dd-block-size.",
)  # fmt: skip
@click.option(
    "--repetitions", type=click.IntRange(1, 1000), default=3, show_default=True,
    help="Each of them runs all experiments once, so that drift hits all alike.",
)  # fmt: skip
@click.option(
    "--directory", type=click.Path(path_type=Path), default=Path(),
    help="Measure the file system of this folder, in a folder of its own that is deleted at the"
    " end.  [default: the current one]",
)  # fmt: skip
@click.option(
    "--host", metavar="NAME", callback=_host,
    help="TCP to the netserver of this host, not to loopback.",
)  # fmt: skip
@click.option(
    "--max-mib", type=click.IntRange(1), default=2000, show_default=True,
    help="Disk space that may be used, in MiB.",
)  # fmt: skip
@click.option(
    "--max-seconds", type=click.IntRange(1), default=3600, show_default=True,
    help="Begin no run that would not end within so many seconds.",
)  # fmt: skip
@click.option(
    "--quick",
    is_flag=True,
    help="See whether it works, in half a minute per repetition: the numbers are worth nothing.",
)
@click.option("--dry-run", is_flag=True, help="Print what would be run, and what it takes.")
def linux_io(
    data_set: str,
    study: str,
    out: Path | None,
    experiments: tuple[str, ...],
    repetitions: int,
    directory: Path,
    host: str | None,
    max_mib: int,
    max_seconds: int,
    quick: bool,
    dry_run: bool,
) -> None:
    """Run small benchmarks of input and output on this machine.

    They are dbench, sequential input and output, context switches, TCP transactions, and dd by
    block size, by the tools that are installed; the others are named with their packages. Beside
    each run sar records the system. Ctrl-C stops the tool that runs; complete runs are kept.

    \b
    Examples:
      studybook measure linux-io --dry-run
      studybook measure linux-io --directory /mnt/test --data-set my-server --study my-disks
      studybook measure linux-io --experiments tcp-transactions --host other-machine
    """
    from studybook.dataset.paths import project_root
    from studybook.measure.perform import perform
    from studybook.measure.plan import make_plan
    from studybook.measure.scale import FULL, QUICK
    from studybook.process.stop import Stop

    plan = make_plan(
        experiments, repetitions, QUICK if quick else FULL,
        most_mib=max_mib, most_seconds=max_seconds, directory=directory.resolve(),
        target=(out or project_root() / "data/raw").resolve() / data_set / study, host=host,
    )  # fmt: skip
    _say_lacking(plan)
    plan.check()
    if not plan.runs:
        sys.exit(1)
    if dry_run:
        _say_plan(plan)
        return
    with _progress(plan) as report, Stop() as stop:
        outcome = perform(plan, stop, report)
    target = Path(os.path.relpath(plan.target))
    for name in outcome.kept:
        click.echo(f"{click.style('measured', fg='green')}  {name}")
    if outcome.left_out:
        names = ", ".join(outcome.left_out)
        click.echo(f"left out, for they would not end in {max_seconds} s: {names}", err=True)
    if outcome.kept:
        click.echo(f"{len(outcome.kept)} runs of {len(plan.runs)} in {target}")
    if stop.asked:
        click.echo("stopped: what was complete is kept", err=True)
        if outcome.kept:
            click.echo(
                "  → to go on, name another data set by --data-set, or move these runs away",
                err=True,
            )
        sys.exit(stop.exit_code)
    sys.exit(0 if outcome.kept and not outcome.failed else 1)


def _say_lacking(plan: Plan) -> None:
    """Name what is not installed, and which packages have it."""
    for name, tools in plan.lacking.items():
        ways = " or ".join(f"{tool.name} ({tool.package})" for tool in tools)
        click.echo(f"no {name}: not installed: {ways}", err=True)
    if not plan.recorder:
        click.echo("no recording of the system: sar (Debian: sysstat; RPM: sysstat)", err=True)
    if not plan.runs:
        click.echo("nothing can be measured: install one of these", err=True)


def _say_plan(plan: Plan) -> None:
    """Print the commands in their order, with seconds and MiB of each."""
    repetitions = plan.runs[-1].repetition
    for run in plan.runs:
        click.echo(f"{click.style(run.name, bold=True)}: {run.title}")
        if plan.recorder:
            click.echo(f"{'':21}{plan.recorder_text}")
        if run.experiment.service:
            click.echo(f"{'':21}{run.experiment.service.text}")
        for command in run.experiment.commands:
            click.echo(f"{command.seconds:6.0f} s {command.mib:6.0f} MiB  {command.text}")
    click.echo(
        f"{len(plan.runs)} runs, {repetitions} of each experiment: about {plan.seconds:.0f} s,"
        f" {plan.mib:.0f} MiB of disk space at most"
    )


@contextmanager
def _progress(plan: Plan) -> Iterator[Report]:
    """Show a bar of seconds on a terminal, and nothing in a pipe."""
    from tqdm import tqdm

    from studybook.measure.perform import Report

    with tqdm(
        total=round(plan.seconds), leave=False,
        bar_format="measuring {percentage:3.0f}%|{bar:20}| {desc}",
        disable=not sys.stderr.isatty(),
    ) as bar:  # fmt: skip

        def says(text: str) -> None:
            with tqdm.external_write_mode(file=sys.stderr):
                click.secho(text, fg="red", err=True)

        yield Report(lambda text: bar.set_description_str(text[:70]), bar.update, says)
