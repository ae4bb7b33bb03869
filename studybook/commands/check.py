"""The verb ``check``."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studybook.commands._shared import data_set_option, progress, say_excluded, work_alone
from studybook.commands._wrongs import say_wrongs

if TYPE_CHECKING:
    from studybook.claims.goal_judge import GoalJudgement
    from studybook.dataset.inventory import Inventory
    from studybook.dataset.paths import DataSet

#: Ends the command where a goal is missed.
MISSED = 4


@click.command()
@data_set_option
@click.option("--strict", is_flag=True, help="A goal that is open, or not judged, fails, too.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
@click.option(
    "--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML to a file."
)
@click.option("--github", is_flag=True, help="Print annotations for GitHub Actions as well.")
def check(data_set: str, strict: bool, as_json: bool, junit: Path | None, github: bool) -> None:
    """Judge your goals on a data set, and end with exit code 4 where one is missed.

    Goals of a study stand in pipelines/<study>/goals.yml, each a sentence, a metric and a bound:

    \b
      goals:
        - goal: the 95th percentile of checkout is below 300 ms at 200 users
          metric: response_p95_ms
          at: {users: 200}             # factors of the runs
          label: checkout              # or page; without it, all requests together
          below: 300 ms                # or at_most, above, at_least, between, equals
        - goal: no web server is busier than 80 %
          metric: cpu_busy_percent
          role: web                    # or host; must hold on each
          below: 80 %
        - goal: not slower than the last release by more than 5 %
          metric: response_ms
          against: {data_set: last-release}
          worse_by_at_most: 5 %        # or better_by_at_least, change_by_at_most
        - goal: not slower than in the nights before
          metric: response_ms
          newest: 3                    # runs of each setup; without it, all of them
          against: {before: 10}
          worse_by_at_most: 5 %

    A goal holds if the whole 95 % interval of the value lies in what it accepts, it is missed if
    the whole interval lies outside, and is open otherwise. Repeated runs give the interval; of one
    run it comes from batches of its stable phase, and speaks for that run only. Counts and settings
    have no scatter. A goal without data cannot be judged, and counts as open. Where a goal leaves
    several setups, hosts or labels, it must hold in each.

    Raw files that have changed are loaded first, also those of a data set that a goal names. What
    "studybook doctor" calls wrong with the data is named; the exit code is that of the goals.

    \b
    Examples:
      studybook check
      studybook check -d mine --strict --junit goals.xml
      studybook check -d mine --github

    Exit code 0: no goal is missed; 4: one is, or with --strict one is open or cannot be judged; 1:
    a file is faulty.
    """
    from studybook.claims import goal_report
    from studybook.dataset.inventory import take_inventory
    from studybook.dataset.paths import DataSet
    from studybook.engine.update import update_database

    place = DataSet.named(data_set)
    others = _compared_with(place)
    # In one order, so that two commands never wait for each other.
    for each in sorted([place, *others], key=lambda data_set: data_set.name):
        work_alone(each)
    inventories = [take_inventory(each) for each in (place, *others)]
    for there in inventories:
        with progress("loading", 1 + len(there.sources())) as done:
            update_database(there.data_set, there, done=done)
    inventory = inventories[0]
    found = judged(place, inventory)
    if as_json:
        records = [goal_report.record(each) for each in found]
        click.echo(json.dumps(records, indent=2, ensure_ascii=False))
    else:
        say_goals(found)
    say_excluded(*(each.excluded for each in found))
    for there in inventories:
        say_wrongs(there)
    if junit:
        _write(junit, goal_report.junit(found, strict))
    if github:
        for line in goal_report.github(found, strict):
            click.echo(line, err=as_json)
    if not found:
        _say_how(place, inventory)
    sys.exit(MISSED if any(goal_report.is_failure(each, strict) for each in found) else 0)


def _compared_with(place: DataSet) -> list[DataSet]:
    """The other data sets that goals compare with, of which there are raw files."""
    from studybook.claims.goals import read_goals
    from studybook.dataset.definition import studies_with_goals
    from studybook.dataset.paths import DataSet, data_sets

    goals = (
        each.goal
        for study in studies_with_goals(place.root)
        for each in read_goals(place.root, study)
    )
    names = {goal.against.data_set for goal in goals if goal.against}
    return [
        DataSet(name, place.root) for name in data_sets(place.root) if name in names - {place.name}
    ]


def judged(place: DataSet, inventory: Inventory) -> list[GoalJudgement]:
    """The verdicts on all goals of the studies of a loaded data set.

    Goals of other studies are named on standard error: the folder may be misspelt.
    """
    from studybook.dataset.definition import studies_with_goals

    if not (having := studies_with_goals(place.root)):
        return []  # without the libraries that judging takes
    from studybook.claims.goal_judge import judge_goals, open_for_goals
    from studybook.claims.goal_values import Source
    from studybook.errors import did_you_mean

    studies = {run.study for run in inventory.runs}
    found: list[GoalJudgement] = []
    for study in having:
        if study in studies:
            opened = open_for_goals(place, study)
            source = Source(opened, "")
            found += (
                replace(each, without=source.without(each.listed.goal))
                for each in judge_goals(place.root, opened, place)
            )
            continue
        near = did_you_mean(study, studies)
        click.echo(
            f"goals of {study} are not judged: the data set {place.name} has no run of that study"
            + (f"; {near}" if near else ""),
            err=True,
        )
    return found


def say_goals(judgements: list[GoalJudgement]) -> None:
    """Print the goals with their verdicts, by study, and how many have which."""
    if not judgements:
        return
    from shutil import get_terminal_size

    from studybook.claims import goal_report
    from studybook.claims.verdict import Verdict

    looks = {
        Verdict.HOLDS: ("✓", "green"), Verdict.FAILS: ("✗", "red"),
        Verdict.OPEN: ("?", "yellow"), Verdict.UNJUDGED: ("–", "yellow"),
    }  # fmt: skip
    width = max(60, min(get_terminal_size((100, 24)).columns, 120))
    for study in dict.fromkeys(each.listed.study for each in judgements):
        click.secho(f"Goals of {study}", bold=True)
        for each in judgements:
            if each.listed.study != study:
                continue
            (sign, colour), word = looks[each.verdict], goal_report.word(each.verdict)
            click.echo(f"{click.style(f'{sign} {word:<10}', fg=colour)}  {each.listed.goal.goal}")
            _say("accepted", each.listed.goal.accepted(), width)
            _say("data", goal_report.data(each.parts[0]), width)
            _say("why", goal_report.why(each), width)
    for line in goal_report.unseen(judgements):
        click.echo(line, err=True)
    click.echo(goal_report.counts(judgements))


def _say(heading: str, text: str, width: int) -> None:
    from textwrap import fill

    first, rest = f"{'':14}{heading:<10}", " " * 24
    click.echo(fill(text, width, initial_indent=first, subsequent_indent=rest))


def _write(path: Path, text: str) -> None:
    from studybook.errors import StudyBookError

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StudyBookError(
            f"{path}: cannot be written: {error.strerror}\n"
            "  → give a file in a folder that is there"
        ) from error


def _say_how(place: DataSet, inventory: Inventory) -> None:
    """Say where goals stand, with an example that fits the data at hand."""
    from studybook.claims import goals
    from studybook.claims.goal_example import example
    from studybook.claims.goal_judge import open_for_goals
    from studybook.study.study import use_definition

    studies = sorted({run.study for run in inventory.runs})
    click.echo(f"no study of the data set {place.name} has goals", err=True)
    for study in studies:
        use_definition(place.root, study)
        text = example(open_for_goals(place, study))
        if text:
            name = goals.place(place.root, study).relative_to(place.root)
            click.echo(f"  → write what you want into {name}, such as\n\n{text}", err=True)
            return
    click.echo("  → and none of its runs gives a metric that a goal could be about", err=True)
