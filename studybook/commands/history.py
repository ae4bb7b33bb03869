"""The verb ``history``."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from studybook.commands._shared import data_set_option, say_if_older
from studybook.commands.compare import at_least_option
from studybook.errors import StudyBookError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from studybook.frames.evidence import Evidence
    from studybook.frames.history import History

#: Runs that are named.
_FEW = 3

_COLOURS = {"worse": "red", "better": "green"}


@click.command()
@click.argument("metric")
@data_set_option
@click.option("--study", help="Of this study only.")
@click.option(
    "--across",
    multiple=True,
    metavar="FACTOR",
    help="Let runs of one history differ in this factor, too, such as the release. Repeatable.",
)
@at_least_option
@click.option(
    "--recent",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Only a change among so many newest runs ends with exit code 4.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def history(
    metric: str,
    data_set: str,
    study: str | None,
    across: tuple[str, ...],
    at_least: float,
    recent: int,
    as_json: bool,
) -> None:
    """Show a metric over time, and where it moved.

    Each setup has a history of its own.

    Runs are of one setup if they agree in all factors but "repetition" and those of --across; their
    order is that of their start. Levels are medians of runs. A change is told where it is larger
    than in all but 0.4 % of the shuffled histories. A single run far out is none: a level has three
    runs at least. A setup of fewer than 12 runs is too short to tell, and one of which three runs
    are new needs 16: until then, what a few new runs may be is told as "perhaps", which it is of
    one history in twenty by chance alone. The data set must be loaded.

    \b
    Examples:
      studybook history response_p95_ms -d nightly
      studybook history requests_per_s -d nightly --at-least 3%
      studybook history requests_per_s -d nightly --across release

    Exit code 4: the last change of a setup is for the worse, and among the newest runs (--recent),
    so that a change which everyone knows of does not fail each build from then on; 0: it is not, or
    there is none; 1: no run has the metric; 2: the command was not understood.
    """
    from studybook.frames.evidence import evidence_of
    from studybook.frames.history import histories

    say_if_older(data_set)
    of_all = evidence_of(data_set, study)
    there = {each.metric for evidence in of_all.values() for each in evidence.values}
    if metric not in there:
        do = did_you_mean(metric, there, 2) or f"they have: {', '.join(sorted(there)) or 'none'}"
        raise StudyBookError(f"no run has the metric {metric!r}\n  → {do}")
    found = {
        name: histories(evidence, metric, across)
        for name, evidence in of_all.items()
        if any(each.metric == metric for each in evidence.values)
    }
    worse = any(each.got_worse(recent, at_least) for own in found.values() for each in own)
    if as_json:
        records = [{"study": name, **each.record()} for name, own in found.items() for each in own]
        click.echo(json.dumps(records, indent=2, ensure_ascii=False))
    else:
        for name, own in found.items():
            _say(name, own, of_all[name], across)
    sys.exit(4 if worse else 0)


def _say(study: str, found: list[History], evidence: Evidence, across: Sequence[str]) -> None:
    from studybook.frames.history import longer_across, percent, what_moved
    from studybook.statistics.change import FEWEST
    from studybook.text import counted

    click.secho(f"{found[0].metric.title} in {study}", bold=True)
    for each in found:
        runs = each.runs
        if each.undated:
            some = ", ".join(each.undated[:_FEW]) + ", …" * (len(each.undated) > _FEW)
            click.echo(
                f"  {each.title}: {counted(len(each.undated), 'run')} left out, without a start:"
                f" {some}\n    → say start in run.yml"
            )
        if not each.enough:
            many = counted(len(runs), "run")
            click.echo(f"  {each.title}: {many}, too few to tell ({FEWEST} are needed)")
            continue
        if not each.told:
            level = each.level(float(runs["value"].median()))
            click.echo(f"  {each.title}: no change is told in {len(runs)} runs, at {level}")
            _say_alone(each)
            continue
        open_yet = ", not enough to tell whether it changed: the next ones will"
        click.echo(f"  {each.title}: {len(runs)} runs" + open_yet * (not each.changes))
        width = len("better" if each.changes else "perhaps better")
        for change in each.told:
            run = runs.iloc[change.at]
            colour = _COLOURS.get(each.direction(change))
            before = runs["run_id"].iloc[change.at - 1]
            moved = what_moved(evidence, before, run["run_id"], across)
            words = click.style(f"{each.verdict(change):<{width}}", fg=colour)
            click.echo(
                f"    {words}  {percent(change.share):>8}  {each.level(change.before)} →"
                f" {each.level(change.after)}  from {run['run_id']} of"
                f" {run['start_utc']:%Y-%m-%d %H:%M} on (p {change.p:.2g})"
                + (f", with {', '.join(moved)}" if moved else "")
            )
        if each.changes:
            _say_alone(each)
    if not across and not any(each.enough for each in found):
        for factor, many_runs in longer_across(evidence, found[0].metric.name).items():
            click.echo(f"  → {counted(many_runs, 'run')} of one history with --across {factor}")


def _say_alone(history: History) -> None:
    from studybook.statistics.change import SHORTEST

    if alone := history.newest_alone:
        click.echo(
            f"    {history.runs.iloc[-1]['run_id']}, the newest, lies alone at"
            f" {history.level(alone.one)}: beyond the scatter of those before (p {alone.p():.2g});"
            f" {SHORTEST} runs make a level"
        )
