"""Files that are in a data set already: told by what they hold, whatever they are called."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from studybook.checked_yaml import read_yaml
from studybook.dataset.manifest import FILE_NAME, Run
from studybook.errors import StudyBookError
from studybook.intake.manifests import NewRun, Says
from studybook.memory import content_sha256
from studybook.text import counted


def in_other_runs(study: Path, runs: Sequence[NewRun]) -> list[str]:
    """Look for the files of new runs among those that a study has.

    Settings are left out: they may be the same in all runs.

    Parameters
    ----------
    study : pathlib.Path
        The folder of the study's runs.
    runs : sequence of NewRun
        The runs that are to be added; one that is there by its name, with equal files, is none.

    Returns
    -------
    list of str
        What is doubtful: files of new runs that other runs hold, too.

    Raises
    ------
    StudyBookError
        If a run holds no file that is new.
    """
    recorded = {run.name: [each for each in run.group.files if not each.is_setting] for run in runs}
    driven = {run.name for run in runs if run.group.has_driver}
    sizes = {each.path.stat().st_size for files in recorded.values() for each in files}
    holds: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(study.rglob("*")) if sizes else ():
        if path.is_file() and path.name != FILE_NAME and path.stat().st_size in sizes:
            holds[content_sha256(path)].append(path.relative_to(study).parts[0])
    doubts, again = [], []
    for name, files in recorded.items():
        others = [sorted(set(holds[each.sha256]) - {name}) for each in files]
        if others and all(others):
            where = Counter(run for runs_of in others for run in runs_of)
            of = ", ".join(f"{counted(number, 'file')} in {run}" for run, number in where.items())
            again.append(f"  {name}: {of}\n")
        elif not all(name in holds[each.sha256] for each in files):
            doubts += [
                f"{each.name}: the run {runs_of[0]} holds the same"
                + ", which is well if it was recorded during the loads of both"
                * (name in driven and not each.is_driver)
                for each, runs_of in zip(files, others, strict=True)
                if runs_of
            ]
    if again:
        raise StudyBookError(
            f"{study}: all that these runs would hold is there already, in other runs:\n"
            + "".join(again)
            + "  → for another zone, change time_zone in the run.yml of those; to have the files\n"
            "    grouped anew, remove the folders of those runs first"
        )
    return doubts


def kept_zones(study: Path, there: Sequence[str], says: Says) -> list[str]:
    """Runs that are there already, with the zone that they keep although another was said."""
    if not says.zone_stated:
        return []
    zones = {name: read_yaml(study / name / FILE_NAME, Run).time_zone for name in there}
    return [f"{name} keeps {zone}" for name, zone in zones.items() if zone != says.time_zone]
