"""The verb ``history``."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from studybook.commands._shared import data_set_option, say_excluded, say_if_older
from studybook.commands.compare import at_least_option
from studybook.errors import StudyBookError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from studybook.frames.evidence import Evidence
    from studybook.frames.history import History
    from studybook.statistics.change import Change

#: Runs that are named.
_FEW = 3

_COLOURS = {"worse": "red", "better": "green"}


@click.command()
@click.argument("metric", required=False)
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
@click.option(
    "--early",
    is_flag=True,
    help='End with exit code 4, too, for what is told as "perhaps", or of the newest run alone.',
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def history(
    metric: str | None,
    data_set: str,
    study: str | None,
    across: tuple[str, ...],
    at_least: float,
    recent: int,
    early: bool,
    as_json: bool,
) -> None:
    """Show which metrics moved over time, and with which run.

    With METRIC all histories of it: each setup has one of its own.

    Runs are of one setup if they agree in all factors but "repetition" and those of --across; their
    order is that of their start. Levels are medians of runs. A change is told where it is larger
    than in all but 0.4 % of the shuffled histories. A single run far out is none: a level has three
    runs at least; the newest one is told as "alone", also where it is the first that differs from
    all before. A setup of fewer than 12 runs is too short to tell, and one of which three runs are
    new needs 16: until then, what a few new runs may be is told as "perhaps", which it is of one
    history in twenty by chance alone. The data set must be loaded.

    \b
    Examples:
      studybook history -d nightly
      studybook history response_p95_ms -d nightly
      studybook history requests_per_s -d nightly --at-least 3% --early
      studybook history requests_per_s -d nightly --across release

    Exit code 4: the last change of a history is for the worse, and among the newest runs
    (--recent), so that a change which everyone knows of does not fail each build from then on; with
    --early also what is told as "perhaps", of which many metrics have some by chance alone: name
    the one that matters; 0: it is not, or there is none; 1: no run has the metric; 2: the command
    was not understood.
    """
    from studybook.frames.evidence import each_once, evidence_of
    from studybook.frames.history import factors_of, histories

    across = tuple(name.strip() for each in across for name in each.split(","))
    say_if_older(data_set)
    of_all = evidence_of(data_set, study)
    there = {each.metric for evidence in of_all.values() for each in evidence.values}
    if not there:
        say_excluded(*(each.excluded for each in of_all.values()))
        raise StudyBookError(
            f"no run of the data set {data_set} that counts has a metric\n  → see: studybook status"
        )
    factors = set[str]().union(*map(factors_of, of_all.values()))
    for factor in across:
        if factor not in factors:
            do = did_you_mean(factor, factors) or f"known: {', '.join(sorted(factors)) or 'none'}"
            raise StudyBookError(f"no run has the factor {factor!r}\n  → {do}")
    if metric is not None and metric not in there:
        do = did_you_mean(metric, there, 2) or f"they have: {', '.join(sorted(there)) or 'none'}"
        raise StudyBookError(f"no run has the metric {metric!r}\n  → {do}")
    found: dict[str, list[History]] = {}
    for name, evidence in of_all.items():
        # In the words of pages and of requests runs have some twice.
        values = evidence.values if metric else each_once(evidence.values)
        names = sorted({each.metric for each in values if metric in (None, each.metric)})
        found[name] = [one for each in names for one in histories(evidence, each, across)]
    worse = any(
        each.got_worse(recent, at_least, early=early) for own in found.values() for each in own
    )
    if as_json:
        records = [
            {"study": name, **each.record(), "excluded": dict(of_all[name].excluded)}
            for name, own in found.items()
            for each in own
        ]
        click.echo(json.dumps(records, indent=2, ensure_ascii=False))
    elif metric:
        for study_name, histories_of in found.items():
            if histories_of:
                _say(study_name, histories_of, of_all[study_name], across)
    else:
        for study_name, histories_of in found.items():
            _say_what_moved(study_name, histories_of, of_all[study_name], across)
    say_excluded(*(each.excluded for each in of_all.values()))
    sys.exit(4 if worse else 0)


def _say_what_moved(
    study: str, found: list[History], evidence: Evidence, across: Sequence[str]
) -> None:
    """Say of all metrics what moved, the most important first."""
    from studybook.frames.history import in_order
    from studybook.statistics.change import FALSE_ALARMS, FEWEST, SUSPECTED
    from studybook.text import counted

    long = [each for each in found if each.enough]
    moved = sum(bool(each.changes) for each in long)
    click.secho(f"What moved in {study}: {moved} of {counted(len(long), 'history')}", bold=True)
    told = in_order(long)
    width = max((len(each.verdict(change)) for each, change in told), default=0)
    for each, change in told:
        name = f"{each.metric.label}, {each.title}: "
        click.echo(f"  {_line(each, change, evidence, across, width, name)}")
    if long:
        certain, perhaps = (f"{share * len(long):.2g}" for share in (FALSE_ALARMS, SUSPECTED))
        click.echo(f"  By chance alone {certain} of them would be told, and {perhaps} as perhaps.")
    if few := len(found) - len(long):
        some = counted(few, "history")
        click.echo(f"  {some} of fewer than {FEWEST} runs with a start: too few to tell")
    if undated := sorted({run for each in found for run in each.undated}):
        _say_undated(undated)
    if not long and found:
        longest = max(found, key=lambda each: len(each.runs))
        _say_longer(longest, evidence, across)


def _say(study: str, found: list[History], evidence: Evidence, across: Sequence[str]) -> None:
    """Say of one metric where it moved, in each setup."""
    from studybook.statistics.change import FEWEST
    from studybook.text import counted

    click.secho(f"{found[0].metric.title} in {study}", bold=True)
    for each in found:
        many = counted(len(each.runs), "run")
        if each.undated:
            _say_undated(each.undated, f"{each.title}: ")
        if not each.enough:
            click.echo(f"  {each.title}: {many}, too few to tell ({FEWEST} are needed)")
            continue
        level = each.level(float(each.runs["value"].median()))
        said = f"no change is told in {many}, at {level}"
        if each.told:
            open_yet = ", not enough to tell whether it changed: the next ones will"
            said = many + open_yet * (not each.changes)
        click.echo(f"  {each.title}: {said}")
        told = [*each.told, *filter(None, [each.newest_alone])]
        width = max((len(each.verdict(change)) for change in told), default=0)
        for change in told:
            click.echo(f"    {_line(each, change, evidence, across, width)}")
    if not any(each.enough for each in found):
        _say_longer(found[0], evidence, across)


def _line(
    each: History,
    change: Change,
    evidence: Evidence,
    across: Sequence[str],
    width: int,
    name: str = "",
) -> str:
    """Say of one change how large it is, and with which run it came."""
    from studybook.frames.history import percent, what_moved
    from studybook.statistics.change import ALPHA, SHORTEST
    from studybook.study.origin import run_name

    run, before = each.runs.iloc[change.at], each.runs["run_id"].iloc[change.at - 1]
    words = click.style(f"{each.verdict(change):<{width}}", fg=_COLOURS.get(each.direction(change)))
    levels = f"{each.level(change.before)} → {each.level(change.after)}"
    which = f"{run_name(run['run_id'])} of {run['start_utc']:%Y-%m-%d %H:%M}"
    if change is each.newest_alone:
        since = "those before agree" if change.p > ALPHA else f"{SHORTEST} runs make a level"
        which = f"in {which}, the newest (p {change.p:.2g}); {since}"
    else:
        which = f"from {which} on (p {change.p:.2g})"
    if moved := what_moved(evidence, before, run["run_id"], across):
        which += f", with {', '.join(moved)}"
    return f"{words}  {percent(change.share):>8}  {name}{levels}  {which}"


def _say_undated(runs: Sequence[str], of: str = "") -> None:
    from studybook.text import counted, first_of

    many = counted(len(runs), "run")
    click.echo(
        f"  {of}{many} left out, without a start: {first_of(runs, _FEW)}"
        "\n    → say start in run.yml"
    )


def _say_longer(history: History, evidence: Evidence, across: Sequence[str]) -> None:
    """Say across which factors there are runs enough."""
    from studybook.frames.history import longer_across
    from studybook.text import counted

    if not across:
        for factor, many in longer_across(evidence, history.metric.name).items():
            click.echo(f"  → {counted(many, 'run')} of one history with --across {factor}")
