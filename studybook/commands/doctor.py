"""The verb ``doctor``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import groupby
from textwrap import fill
from typing import TYPE_CHECKING

import click

from studybook.commands._shared import data_set_option
from studybook.errors import StudyBookError, did_you_mean

if TYPE_CHECKING:
    from studybook.dataset.inventory import Inventory
    from studybook.doctor import Check, Finding
    from studybook.doctor.report import Group

#: By the name of the verdict.
_SIGNS = {"KEEPS": "✓", "AGAINST": "✗", "UNJUDGED": "?"}
_COLOURS = {"KEEPS": "green", "AGAINST": "red", "UNJUDGED": "yellow"}
#: Names of runs that a line lists.
_FEW = 3
_WIDTH = 100


def _list_checks(context: click.Context, _option: click.Parameter, asked: bool) -> None:
    """Print every check with its advice and where that stands, and end."""
    if not asked:
        return
    from studybook.doctor import CHECKS
    from studybook.doctor.advice import advised, own_checks

    for check in CHECKS:
        _say_check(check)
    try:
        for root, study in advised():
            for check in own_checks(root, study):
                _say_check(check, study)
    except StudyBookError as error:
        click.secho(f"studybook: {error}", fg="red", err=True)
        sys.exit(2)
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
    "--checks",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_checks,
    help="List the checks with the advice behind them, and end.",
)
def doctor(studies: tuple[str, ...], data_set: str, as_json: bool) -> None:
    """Hold captures of a configuration against the advice of the papers.

    These say how to set up Spectrum Scale, Linux on Z and DB2: server lists, page pools, MTU and
    more. Each piece of advice is a check on what the commands of your system print: put the
    output of mmlscluster, mmlsconfig, mmlsnsd, mmlsmount, ifconfig or ip, lsqeth, lsdasd, pvscan or
    pvs, lvdisplay -m, multipath -ll and db2set into the folder of a run, list the files in its
    run.yml, and ask. Nothing needs to be loaded before, and nothing is changed. Without a STUDY all
    studies with captures are looked at.

    A check that lacks its capture cannot judge, and says which command it needs. Processors
    (cpus) and memory (memory_mib) of hosts stand in run.yml.

    \b
    Examples:
      studybook doctor
      studybook doctor my-study --json
      studybook doctor --data-set mine
      studybook doctor --checks

    Exit code 0: what can be judged keeps to the advice; 1: something goes against it; 2: there is
    nothing to judge, or it cannot be read.
    """
    from studybook.dataset.inventory import take_inventory
    from studybook.dataset.paths import DataSet
    from studybook.doctor import Verdict, checks, examine
    from studybook.doctor.captures import captures
    from studybook.doctor.report import counts
    from studybook.study.scope import Scope
    from studybook.study.study import Study

    try:
        inventory = take_inventory(DataSet.named(data_set))
        asked = _studies(inventory, studies)
        with captures(inventory) as database:
            findings = {
                name: examine(Study(Scope(name, {}), database), checks(name)) for name in asked
            }
    except StudyBookError as error:
        click.secho(f"studybook: {error}", fg="red", err=True)
        sys.exit(2)
    everything = [each for found in findings.values() for each in found]
    if as_json:
        click.echo(json.dumps([_record(each) for each in everything], indent=2, ensure_ascii=False))
    else:
        for name, found in findings.items():
            _say_study(name, found)
        studies_in_words = f"{len(findings)} {'studies' if len(findings) > 1 else 'study'}"
        click.echo(f"{studies_in_words}: {counts(everything) or 'nothing to judge'}")
    if not any(each.verdict is not Verdict.UNJUDGED for each in everything):
        click.secho("studybook: no capture can be judged", fg="red", err=True)
        sys.exit(2)
    sys.exit(1 if any(each.verdict is Verdict.AGAINST for each in everything) else 0)


def _studies(inventory: Inventory, asked: Sequence[str]) -> list[str]:
    """The studies to look at: those asked for, or all that have captures."""
    from studybook.doctor import CHECKS, SOURCES

    known = sorted({run.study for run in inventory.runs})
    with_captures = {each.run.study for source in SOURCES for each in inventory.of_source(source)}
    for name in asked:
        if name not in known:
            do = did_you_mean(name, known) or f"known: {', '.join(known)}"
            raise StudyBookError(f"the data set has no study {name!r}\n  → {do}")
    found = [name for name in dict.fromkeys(asked or known) if name in with_captures]
    if not found:
        commands = sorted({check.capture for check in CHECKS if check.capture})
        raise StudyBookError(
            f"{', '.join(asked) or inventory.data_set.name}: has no captures\n"
            f"  → put the output of such commands into a run, and list it in run.yml:"
            f" {', '.join(commands)}"
        )
    return found


def _record(finding: Finding) -> dict[str, str]:
    check = finding.check
    return {
        "check": check.id, "title": check.title, "study": finding.study, "run": finding.run,
        "origin": finding.origin, "subject": finding.subject, "found": finding.found,
        "wanted": finding.wanted, "verdict": str(finding.verdict), "advice": check.advice,
        "document": check.document.title, "place": check.place,
    }  # fmt: skip


def _say_study(name: str, findings: Sequence[Finding]) -> None:
    """Print a study: a line for each check, and what does not keep to the advice."""
    from studybook.doctor import Verdict
    from studybook.doctor.report import counts, grouped, overall

    runs = {each.run for each in findings}
    origins = " and ".join(sorted({each.origin for each in findings}))
    click.echo(
        f"{click.style(name, bold=True)}: {len(runs)} run{'s' if len(runs) != 1 else ''} with"
        f" captures{', ' + origins if origins else ''}"
    )
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
    more = f" and {len(group.runs) - _FEW} more" if len(group.runs) > _FEW else ""
    verdict = finding.verdict.name
    sign = click.style(_SIGNS[verdict], fg=_COLOURS[verdict])
    click.echo(f"      {sign} {', '.join(group.runs[:_FEW])}{more}")
    click.echo(f"        {finding.subject}: {finding.found}; wanted: {finding.wanted}")


def _say_advice(check: Check) -> None:
    click.echo(_indented(f"→ {check.advice}"))
    click.echo(click.style(_indented(f"  {check.place}; {check.document.short}"), dim=True))


def _indented(text: str) -> str:
    return fill(text, _WIDTH, initial_indent="      ", subsequent_indent="        ")
