"""The verb ``doctor``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from textwrap import fill
from typing import TYPE_CHECKING

import click

from studybook.commands._shared import data_set_option, progress, work_alone
from studybook.errors import StudyBookError, did_you_mean
from studybook.text import few

if TYPE_CHECKING:
    from studybook.dataset.inventory import Inventory
    from studybook.dataset.paths import DataSet
    from studybook.doctor import Check, Finding
    from studybook.doctor.data import DataFinding
    from studybook.doctor.report import Group

#: By the name of the verdict.
_SIGNS = {"KEEPS": "✓", "AGAINST": "✗", "UNJUDGED": "?"}
_COLOURS = {"KEEPS": "green", "AGAINST": "red", "UNJUDGED": "yellow"}
#: By the name of the weight of what is wrong with data.
_WEIGHTS = {"WRONG": "✗", "DOUBTFUL": "!", "TO_KNOW": "·", "ACCEPTED": "·"}
_COLOURED = {"WRONG": "red", "DOUBTFUL": "yellow", "TO_KNOW": None, "ACCEPTED": None}
#: Names of runs that a line lists.
_FEW = 3
#: Things that are listed of a check.
_MOST = 5
_WIDTH = 100

#: Ends the command where something is wrong.
FOUND = 4


def _list_checks(context: click.Context, _option: click.Parameter, asked: bool) -> None:
    """Print every check, why it matters or where its advice stands, and end."""
    if not asked:
        return
    from studybook.doctor import CHECKS
    from studybook.doctor.advice import advised, own_checks
    from studybook.doctor.data import DATA_CHECKS

    for each in DATA_CHECKS:
        click.echo(f"{click.style(each.id, bold=True)}: {each.title} (of data)")
        click.echo(_indented(each.because))
        click.echo(_indented(f"→ {each.do}"))
    for check in CHECKS:
        _say_check(check)
    try:
        for root, study in advised():
            for check in own_checks(root, study):
                _say_check(check, study)
    except StudyBookError as error:
        click.secho(f"studybook: {error}", fg="red", err=True)
        sys.exit(1)
    context.exit()


def _say_check(check: Check, study: str = "") -> None:
    needs = f"needs {check.capture}" if check.capture else "needs run.yml only"
    only = f"; of {study} only" if study else ""
    click.echo(f"{click.style(check.id, bold=True)}: {check.title} ({needs}{only})")
    _say_advice(check)


@click.command()
@click.argument("studies", nargs=-1, metavar="[STUDY]...")
@data_set_option
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option(
    "--only", type=click.Choice(["data", "settings"]), help="Look at data, or at settings, alone."
)
@click.option(
    "--without", multiple=True, metavar="CHECK", help="Leave out a check; may be given again."
)
@click.option(
    "--checks",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_checks,
    help="List the checks with the advice behind them, and end.",
)
def doctor(
    studies: tuple[str, ...], data_set: str, as_json: bool, only: str | None,
    without: tuple[str, ...],
) -> None:  # fmt: skip
    """Say what is wrong with data and settings, and what to do.

    Of data: several executions in one log, files of another time than their run, clocks that do not
    fit, gaps, restarts, a stable phase that is too short, users that were never reached, a load
    driver that could not give the load or stood still with the system (coordinated omission), laws
    violated, hosts without data or role, files left out or there twice. "wrong" is what makes
    figures say what is not so, "doubtful" what may; the rest is to know. What is known, and no
    reason to fail, stands under "accepted" in the run.yml of a run, or in study.yml. Raw files
    that have changed are loaded first.

    Of settings: the advice of papers on Spectrum Scale, Linux on Z and DB2, such as server lists,
    page pools and MTU. Put the output of mmlscluster, mmlsconfig, mmlsnsd, mmlsmount, ifconfig or
    ip, lsqeth, lsdasd, pvscan or pvs, lvdisplay -m, multipath -ll and db2set into the folder of a
    run, list the files in its run.yml, and ask; processors (cpus) and memory (memory_mib) of hosts
    stand there, too. A check that lacks its capture cannot judge, and says which command it needs.
    Nothing is loaded for settings alone.

    Without a STUDY all studies are looked at.

    \b
    Examples:
      studybook doctor
      studybook doctor my-study --json
      studybook doctor --only data --without gaps
      studybook doctor --data-set mine
      studybook doctor --checks

    Exit code 0: nothing is wrong or doubtful, and what can be judged keeps to the advice; 4:
    something is wrong or doubtful, or goes against the advice; 1: there is nothing to look at, or
    it cannot be read; 2: the command was not understood.
    """
    from studybook.dataset.inventory import take_inventory
    from studybook.dataset.paths import DataSet
    from studybook.doctor import SOURCES, Verdict
    from studybook.doctor.advice import advised
    from studybook.doctor.report import counts
    from studybook.text import counted

    left_out = _known(without)
    try:
        place = DataSet.named(data_set)
        inventory = take_inventory(place)
        asked = _studies(inventory, studies)
        captured, measured = (
            {e.run.study for e in inventory.entries if (e.source in SOURCES) is settings}
            & set(asked)
            for settings in (True, False)
        )
        # Advice of a study's own may be on what run.yml says, and is told where it is wrong.
        judged = captured | {study for _, study in advised()} & set(asked)
        if only == "data" and not measured:
            raise StudyBookError(
                f"{', '.join(asked)}: has settings, and no data\n  → add raw exports that measure"
            )
        data: list[DataFinding] = []
        settings: dict[str, list[Finding]] = {}
        fault: StudyBookError | None = None
        if measured and only != "settings":
            data = _look_at_data(place, inventory, asked, left_out)
        if judged and only != "data":
            in_order = [name for name in asked if name in judged]
            try:
                found = _look_at_settings(inventory, in_order, left_out)
                settings = {name: own for name, own in found.items() if own or name in captured}
            except StudyBookError as error:  # what is wrong with data is told all the same
                fault = error
        elif not measured or only == "settings":
            raise _nothing_captured(inventory, studies)
    except StudyBookError as error:
        click.secho(f"studybook: {error}", fg="red", err=True)
        sys.exit(1)
    everything = [each for found in settings.values() for each in found]
    if as_json:
        records = [*map(_data_record, data), *map(_record, everything)]
        click.echo(json.dumps(records, indent=2, ensure_ascii=False))
    else:
        if measured and only != "settings":
            say_data(data)
        for name, own in settings.items():
            _say_study(name, own)
        if settings:
            studies_in_words = counted(len(settings), "study")
            click.echo(f"{studies_in_words}: {counts(everything) or 'nothing to judge'}")
    if fault:
        click.secho(f"studybook: {fault}", fg="red", err=True)
        sys.exit(1)
    is_judged = any(each.verdict is not Verdict.UNJUDGED for each in everything)
    if not is_judged and (not measured or only == "settings"):
        nothing = "no capture can be judged" if captured else _nothing_captured(inventory, studies)
        click.secho(f"studybook: {nothing}", fg="red", err=True)
        sys.exit(1)
    against = any(each.verdict is Verdict.AGAINST for each in everything)
    sys.exit(FOUND if against or any(each.weight.fails for each in data) else 0)


def _known(without: Sequence[str]) -> set[str]:
    """The checks to leave out.

    Raises
    ------
    click.UsageError
        If there is no such check.
    """
    if not without:
        return set()
    from studybook.doctor import CHECKS
    from studybook.doctor.advice import advised, own_checks
    from studybook.doctor.data import DATA_CHECKS

    known = {each.id for root, study in advised() for each in own_checks(root, study)}
    known |= {each.id for each in CHECKS} | {each.id for each in DATA_CHECKS}
    for name in without:
        if name not in known:
            do = did_you_mean(name, known) or 'see "studybook doctor --checks"'
            raise click.UsageError(f"there is no check {name!r}\n  → {do}")
    return set(without)


def _look_at_data(
    place: DataSet, inventory: Inventory, asked: Sequence[str], left_out: set[str]
) -> list[DataFinding]:
    from studybook.doctor.data import DATA_CHECKS, examine_data
    from studybook.engine.update import update_database

    work_alone(place)
    with progress("loading", 1 + len(inventory.sources())) as done:
        update_database(place, inventory, done=done)
    wanted = [each for each in DATA_CHECKS if each.id not in left_out]
    return list(examine_data(place.database, asked, wanted))


def _look_at_settings(
    inventory: Inventory, asked: Sequence[str], left_out: set[str]
) -> dict[str, list[Finding]]:
    from studybook.doctor import checks, examine
    from studybook.doctor.captures import captures
    from studybook.study.scope import Scope
    from studybook.study.study import Study

    with captures(inventory) as database:
        return {
            name: _in_order(
                examine(
                    Study(Scope(name, {}), database),
                    [each for each in checks(name) if each.id not in left_out],
                )
            )
            for name in asked
        }


def _in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings by check: first those that go against the advice, last those that keep to it."""
    from studybook.doctor import Verdict
    from studybook.doctor.report import overall

    places = {Verdict.AGAINST: 0, Verdict.UNJUDGED: 1, Verdict.KEEPS: 2}
    by_check = [list(same) for _, same in groupby(findings, lambda each: each.check)]
    by_check.sort(key=lambda same: places[overall(same)])
    return [each for same in by_check for each in same]


def _studies(inventory: Inventory, asked: Sequence[str]) -> list[str]:
    """The studies to look at: those asked for, or all."""
    known = sorted({run.study for run in inventory.runs})
    for name in asked:
        if name not in known:
            do = did_you_mean(name, known) or f"known: {', '.join(known)}"
            raise StudyBookError(f"the data set has no study {name!r}\n  → {do}")
    return list(dict.fromkeys(asked or known))


def _nothing_captured(inventory: Inventory, asked: Sequence[str]) -> StudyBookError:
    from studybook.doctor import CHECKS

    commands = sorted({check.capture for check in CHECKS if check.capture})
    return StudyBookError(
        f"{', '.join(asked) or inventory.data_set.name}: has no captures\n"
        f"  → put the output of such commands into a run, and list it in run.yml:"
        f" {', '.join(commands)}"
    )


def _data_record(finding: DataFinding) -> dict[str, str]:
    check = finding.check
    return {
        "about": "data", "check": check.id, "title": check.title, "weight": finding.weight.words,
        "study": finding.study, "run": finding.run, "origin": finding.origin,
        "subject": finding.subject, "found": finding.found, "because": check.because,
        "do": finding.do,
    }  # fmt: skip


def say_data(findings: Sequence[DataFinding]) -> None:
    """Print what is wrong with data, the most important first: a line for each check."""
    from studybook.doctor.data.report import counts, grouped

    for (weight, check), own in groupby(findings, lambda each: (each.weight, each.check)):
        groups = grouped(own)
        sign = click.style(f"{_WEIGHTS[weight.name]} {weight.words:<15}", fg=_COLOURED[weight.name])
        click.echo(f"  {sign}  {check.title}: {check.id}")
        for group in groups[:_MOST]:
            click.echo(f"      {few(group.runs, _FEW)}")
            click.echo(_indented(group.said, "        "))
            if group.do != check.do:
                click.echo(_indented(f"→ {group.do}", "        "))
        if len(groups) > _MOST:
            click.echo(f"      and {len(groups) - _MOST} more: --json has all")
        if any(group.do == check.do for group in groups[:_MOST]):
            click.echo(_indented(f"→ {check.do}"))
    click.echo(f"data: {counts(findings)}\n")


def _record(finding: Finding) -> dict[str, str]:
    check = finding.check
    return {
        "about": "settings", "check": check.id, "title": check.title,
        "study": finding.study, "run": finding.run, "origin": finding.origin,
        "subject": finding.subject, "found": finding.found, "wanted": finding.wanted,
        "verdict": str(finding.verdict), "advice": check.advice,
        "document": check.document.title, "place": check.place,
    }  # fmt: skip


def _say_study(name: str, findings: Sequence[Finding]) -> None:
    """Print a study: a line for each check, and what does not keep to the advice."""
    from studybook.doctor import Verdict
    from studybook.doctor.report import counts, grouped, overall
    from studybook.text import counted

    runs = counted(len({each.run for each in findings}), "run")
    origins = " and ".join(sorted({each.origin for each in findings}))
    click.echo(f"{click.style(name, bold=True)}: {runs}{', ' + origins if origins else ''}")
    for check, same in groupby(findings, lambda each: each.check):
        own = list(same)
        verdict = overall(own)
        sign = click.style(f"{_SIGNS[verdict.name]} {verdict:<15}", fg=_COLOURS[verdict.name])
        click.echo(f"  {sign}  {check.title}: {counts(own)}")
        for group in grouped(own):
            if group.finding.verdict is not Verdict.KEEPS:
                _say_group(group)
        if verdict is Verdict.AGAINST:
            _say_advice(check)
    click.echo()


def _say_group(group: Group) -> None:
    finding = group.finding
    verdict = finding.verdict.name
    sign = click.style(_SIGNS[verdict], fg=_COLOURS[verdict])
    click.echo(f"      {sign} {few(group.runs, _FEW)}")
    click.echo(f"        {finding.subject}: {finding.found}; wanted: {finding.wanted}")


def _say_advice(check: Check) -> None:
    click.echo(_indented(f"→ {check.advice}"))
    click.echo(click.style(_indented(f"  {check.place}; {check.document.short}"), dim=True))


def _indented(text: str, by: str = "      ") -> str:
    return fill(text, _WIDTH, initial_indent=by, subsequent_indent=f"{by}  ")
