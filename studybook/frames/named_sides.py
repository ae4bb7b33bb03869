"""Two sides of a comparison by their names: runs, levels of a factor, or data sets."""

from __future__ import annotations

from collections.abc import Sequence

from studybook.dataset.manifest import FILE_NAME
from studybook.dataset.paths import project_root
from studybook.errors import StudyBookError
from studybook.frames.compared import Compared
from studybook.frames.evidence import Evidence, evidence_of
from studybook.frames.side import Side, choose, refuse_excluded, unknown
from studybook.frames.two_sides import compare as set_against


def compare(
    first: str,
    second: str,
    *,
    data_set: str = "",
    study: str = "",
    at_least: float = 0.0,
    only: Sequence[str] = (),
    without: Sequence[str] = (),
) -> Compared:
    """Set the second side against the first: what got worse, what better.

    Parameters
    ----------
    first, second : str
        Runs as :func:`~studybook.frames.side.choose` knows them, such as ``monday``, ``night-*``,
        ``newest:3``, ``users=100`` or ``users=100,cache=on``; or two data sets.
    data_set : str
        The data set of the runs; it must be loaded.
    study : str, optional
        The study that is asked; the only one that has both sides by default.
    at_least : float
        What a difference must be to matter, as a share of the first side, such as 0.02.
    only, without : sequence of str
        What to compare, and what not: metrics or patterns of their names, such as ``response_*``,
        or what a value is of, such as ``host=web*``.

    Returns
    -------
    Compared
        ``rows`` has a row per metric, with both means, the difference with its 95 % interval, the
        corrected p-value and the verdict; ``frame()`` has them as a table, ``record()`` as plain
        data; ``worse`` says whether anything got worse.

    Raises
    ------
    StudyBookError
        If a side is not there, or several studies have both and none is named.

    Examples
    --------
    >>> from studybook import compare
    >>> found = compare("cache=off", "cache=on", data_set="mine")
    >>> found.worse
    True
    >>> row = next(row for row in found.rows if row.metric.name == "response_mean_ms")
    >>> str(row.verdict)
    'worse'
    """
    pairs = pairs_of(first, second, data_set, study or None)
    if len(pairs) > 1:
        raise StudyBookError(
            f"{first} and {second} are in several studies: {', '.join(pairs)}\n  → name one of them"
        )
    ((one, other),) = pairs.values()
    return set_against(one, other, at_least=at_least, only=only, without=without)


def pairs_of(
    first: str, second: str, data_set: str, only: str | None = None
) -> dict[str, tuple[Side, Side]]:
    """The two sides in each study that has both.

    Raises
    ------
    StudyBookError
        If no study has both.
    """
    sides, root = (first, second), project_root()
    if all((root / "data/raw" / each).is_dir() for each in sides):
        one, other = (evidence_of(each, only) for each in sides)
        common = sorted(one.keys() & other.keys())
        if not common:
            raise StudyBookError(f"{first} and {second} have no study in common")
        return {
            study: (
                Side(first, one[study], _measurements(one[study])),
                Side(second, other[study], _measurements(other[study])),
            )
            for study in common
        }
    found = {}
    evidence = evidence_of(data_set, only)
    undated: StudyBookError | None = None
    for study, each in evidence.items():
        try:
            pair = choose(each, first), choose(each, second)
        except StudyBookError as error:  # others may say when they began
            undated = undated or error
            continue
        if pair[0] and pair[1]:
            found[study] = pair[0], pair[1]
    if undated and not found:
        raise undated
    if not found:
        for text in sides:
            if not any(choose(each, text) for each in evidence.values()):
                for each in evidence.values():
                    refuse_excluded(each, text)
                raw = root / "data/raw" / data_set
                if text in {path.parent.name for path in raw.glob(f"{only or '*'}/*/{FILE_NAME}")}:
                    raise StudyBookError(
                        f"the run {text} is not loaded yet\n  → studybook load -d {data_set}"
                    )
                likely = max(evidence.values(), key=lambda each: len(each.runs))
                raise unknown(likely, text)
        raise StudyBookError(f"{first} and {second} are of different studies")
    return found


def _measurements(evidence: Evidence) -> tuple[str, ...]:
    runs = evidence.runs
    return tuple(runs.loc[runs["kind"] == "measurement", "run_id"])
