"""The verb ``compare``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studybook.commands._shared import (
    data_set_option,
    say_excluded,
    say_if_older,
    stated_zone,
    study_around,
)
from studybook.errors import StudyBookError

if TYPE_CHECKING:
    from studybook.frames.compared import Compared, Row

_COLOURS = {"worse": "red", "better": "green", "changed": "yellow"}
#: Lines of a list that the terminal shows; JSON has all.
_FEW = 12
#: Checks of the data by which runs are not what others of their setup are, and what that does.
_UNLIKE = {
    "not-as-others": "what is summed over hosts is of fewer there",
    "no-start": "its warm-up is in its means",
    "phase-unlike": "its warm-up is in its means",
}
#: Characters of a cell that the terminal shows.
_WIDE = 46


class Share(click.ParamType[float]):
    """A share, written in per cent."""

    name = "percent"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read ``2%`` or ``2`` as 0.02."""
        if isinstance(value, float):
            return value
        try:
            number = float(str(value).strip().removesuffix("%").strip())
        except ValueError:
            number = -1.0
        if not 0 <= number < float("inf"):
            self.fail(f"{value!r} is no share: write it in per cent, such as 2%", param, ctx)
        return number / 100


at_least_option = click.option(
    "--at-least",
    type=Share(),
    default="0%",
    show_default=True,
    help="What a difference must be to matter.",
)


@click.command()
@click.argument("sides", nargs=-1, metavar="[A B]")
@data_set_option
@click.option("--study", help="Compare within this study only; of folders, by its tables.")
@click.option("--before", type=click.Path(path_type=Path), help="A folder of raw files.")
@click.option("--after", type=click.Path(path_type=Path), help="Another one; no book is needed.")
@click.option(
    "--time-zone",
    metavar="ZONE",
    callback=stated_zone,
    help="That of local times in these folders.  [default: UTC]",
)
@at_least_option
@click.option(
    "--only", multiple=True, metavar="METRIC", help="Compare these alone; may be given again."
)
@click.option(
    "--without", multiple=True, metavar="METRIC", help="Leave these out; may be given again."
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def compare(
    sides: tuple[str, ...],
    data_set: str,
    study: str | None,
    before: Path | None,
    after: Path | None,
    time_zone: str | None,
    at_least: float,
    only: tuple[str, ...],
    without: tuple[str, ...],
    as_json: bool,
) -> None:
    """Set B against A: what got worse, what better.

    A side is a run, a level of a factor (users=100, or users=100,cache=on for several), or another
    data set. It may be several runs by a pattern ("night-0*"), from one to another in the order in
    which they began (night-01..night-08), or the newest of these (newest:3; newest:4-13 are the ten
    before). Runs of several setups are set against those that agree with them in all other factors
    that vary. What differs between the sides besides is listed first.

    Repetitions are tested by Welch's t, skewed ones by resampling, fewer than eight against more
    by Student's t, too, where that finds less; a single run against five or more by the scatter of
    these, against fewer by the means of parts of its stable phase, which speaks of this run only,
    as "studybook check" does. The p-values are corrected (Holm) for the number of metrics that can
    get better or worse, and those of metrics that can only change for the number of these;
    intervals are of 95 % each, and are not. Better and worse are told where a corrected p-value is
    below 0.05 and the difference at least that of --at-least. "Alike" are
    metrics whose whole interval lies within it. The data sets must be loaded.

    METRIC is a name or a pattern such as "response_*", or what values are of, such as "host=web*":
    what a build is to fail for. Say so before you look: p-values are corrected for what is left.

    \b
    Examples:
      studybook compare monday tuesday -d mine
      studybook compare users=100 users=200 -d mine --at-least 2%
      studybook compare last-release this-release
      studybook compare newest:2-11 newest:1 -d nightly
      studybook compare release=1 release=2 --only "response_*" --without host=driver
      studybook compare --before results/old --after results/new

    Exit code 0: nothing got worse; 4: something did; 1: there is nothing to compare; 2: the command
    was not understood.
    """
    from studybook.dataset.paths import project_root
    from studybook.frames.folders import folders_as_sides
    from studybook.frames.named_sides import pairs_of
    from studybook.frames.two_sides import compare as set_against

    set_against = partial(set_against, at_least=at_least, only=only, without=without)
    if (before is None) != (after is None):
        raise click.UsageError("--before and --after go together")
    if time_zone is not None and not before:
        raise click.UsageError("--time-zone goes with --before and --after")
    data_sets: list[str] = []
    if before and after:
        if sides:
            raise click.UsageError("give two sides, or --before and --after")
        around = study_around(study)
        with folders_as_sides(before, after, time_zone, around) as (first, second, aside):
            for each in aside:
                click.echo(f"left aside: {each}", err=True)
            found = [("", set_against(first, second))]
    else:
        if len(sides) != 2:
            raise click.UsageError("give two sides, such as: compare users=100 users=200")
        given = [name for name in sides if (project_root() / "data/raw" / name).is_dir()]
        data_sets = given or [data_set]
        for each in data_sets:
            say_if_older(each)
        pairs = pairs_of(sides[0], sides[1], data_set, study)
        found = [(name, set_against(*pair)) for name, pair in pairs.items()]
    if not any(each.rows for _, each in found):
        compared = found[0][1]
        said = "\n".join(compared.alone[:_FEW])
        raise StudyBookError(
            f"{compared.first.name} and {compared.second.name} {compared.why_none}"
            + (f"\n{said}" if said else "")
            + "\n  → compare runs that did the same: by equal settings of their tools, and with"
            " the same factors where these vary within a side"
        )
    if as_json:
        records = [{"study": name, **each.record()} for name, each in found]
        click.echo(json.dumps(records, indent=2, ensure_ascii=False))
    else:
        for name, comparison in found:
            _say(name, comparison)
    of_two = [f"{name}: " for name in data_sets] if len(data_sets) > 1 else ["", ""]
    say_excluded(
        *(
            {f"{name}{run}": why for run, why in side.evidence.excluded.items()}
            for _, each in found
            for name, side in zip(of_two, (each.first, each.second), strict=True)
        )
    )
    if data_sets:
        _say_doubts(data_sets, [each for _, each in found])
    sys.exit(4 if any(each.worse for _, each in found) else 0)


def _say_doubts(data_sets: Sequence[str], found: Sequence[Compared]) -> None:
    """Name runs that are not as others of their setup: of fewer hosts, or of another part."""
    from studybook.dataset.paths import DataSet
    from studybook.doctor.data import DATA_CHECKS, examine_data

    compared = {run for each in found for side in (each.first, each.second) for run in side.runs}
    studies = {run.partition("/")[0] for run in compared}
    checks = [check for check in DATA_CHECKS if check.id in _UNLIKE]
    said = dict.fromkeys(
        f"{each.weight.words}: {each.study}/{each.run}: {each.subject}: {each.found};"
        f" {_UNLIKE[each.check.id]}"
        for name in data_sets
        for each in examine_data(DataSet.named(name).database, studies, checks)
        if f"{each.study}/{each.run}" in compared and each.weight.fails
    )
    if line := _of_other_phases(data_sets, found):
        said = {line: None} | said
    for line in [*said][:_FEW]:
        click.echo(line, err=True)
    if len(said) > _FEW:
        click.echo(f"  and {len(said) - _FEW} more: studybook doctor", err=True)


def _of_other_phases(data_sets: Sequence[str], found: Sequence[Compared]) -> str:
    """That of one side all of the runs count, and of the other a part; empty where it is not so."""
    from studybook.dataset.paths import DataSet
    from studybook.records import store

    methods: list[dict[str, str]] = []
    for name in data_sets:
        with store.connect(DataSet.named(name).database) as connection:
            rows = connection.execute("SELECT study || '/' || run, method FROM stable_phase")
            methods.append(dict(rows.fetchall()))
    for each in found:
        sides = [
            (side.name, {of.get(run) for run in side.runs} & {"whole run", "run.yml", "study.yml"})
            for side, of in zip((each.first, each.second), (methods[0], methods[-1]), strict=True)
        ]
        whole = [name for name, of in sides if of == {"whole run"}]
        part = [name for name, of in sides if of and "whole run" not in of]
        if whole and part:
            return (
                f"doubtful: all of {whole[0]} counts, and of {part[0]} the part that run.yml or"
                " study.yml says: the warm-up is in the means of one side"
            )
    return ""


def _say(study: str, found: Compared) -> None:
    """Print a comparison: what differs besides, then the metrics, the most important first."""
    first, second = found.first, found.second
    head = f"{second.name} against {first.name}" + (f" in {study}" if study else "")
    click.secho(head, bold=True)
    if found.besides:
        click.echo(f"\nThey differ besides in ({len(found.besides)}):")
        for each in found.besides[:_FEW]:
            click.echo(f"  {each.what}: {_cut(each.first)} → {_cut(each.second)}")
        _more(len(found.besides))
    click.echo()
    _say_rows(found.rows)
    if found.alone:
        click.echo("\nWithout a partner:")
        for line in found.alone[:_FEW]:
            click.echo(f"  {line}")
        _more(len(found.alone))
    limit = (
        f"; differences below {100 * found.at_least:g} % do not matter" if found.at_least else ""
    )
    click.echo(f"\n{found.summary}{limit}\n")
    if found.far_out:
        for out in found.far_out[:_FEW]:
            click.echo(str(out))
        _more(len(found.far_out))
        click.echo(found.beside_far_out + "\n" * bool(found.beside_far_out))


def _say_rows(rows: tuple[Row, ...]) -> None:
    """Print a line per metric, and below them by what each was judged."""
    ways = list(dict.fromkeys(row.why for row in rows))
    cells = [("", "metric", "A", "B", "difference", "p", "by")]
    cells += [
        (
            str(row.verdict),
            row.title,
            row.side(0),
            row.side(1),
            row.change,
            f"{row.p:.2g}" if row.p == row.p else "–",
            f"[{ways.index(row.why) + 1}]",
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    for line in cells:
        padded = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        colour = _COLOURS.get(line[0])
        padded[0] = click.style(padded[0], fg=colour) if colour else padded[0]
        click.echo("  ".join(padded).rstrip())
    click.echo()
    for number, way in enumerate(ways, 1):
        click.echo(f"[{number}] {' '.join(way.split())}")


def _cut(text: str) -> str:
    return text if len(text) <= _WIDE else f"{text[: _WIDE - 1]}…"


def _more(number: int) -> None:
    if number > _FEW:
        click.echo(f"  and {number - _FEW} more: --json")
