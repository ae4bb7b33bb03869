"""The meaning of models and of their columns, as ``schema.yml`` beside them says it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from studybook.checked_yaml import Strict, read_yaml
from studybook.code import LIBRARY
from studybook.errors import StudyBookError, did_you_mean

#: Where the models of the library lie.
FOLDER = LIBRARY / "models"

#: The file that says what models and their columns mean, beside them.
SCHEMA_FILE = "schema.yml"


class Column(Strict):
    """A column of a model: its meaning, and the bounds of its values.

    A text in its place is its meaning. ``unit`` stands where the end of the column's name does not
    say it (``studybook.units.unit_of``).
    """

    meaning: str
    unit: str = ""
    not_null: bool = False
    least: float | None = None
    most: float | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_text(cls, given: Any) -> Any:
        return {"meaning": given} if isinstance(given, str) else given


class Meaning(Strict):
    """The meaning of a model.

    ``key`` are the columns by which a row is told from all others. One that looks ``across_runs``
    says something of a run that depends on which others there are: it is evaluated for the runs
    that a figure sees.
    """

    meaning: str = ""
    across_runs: bool = False
    key: tuple[str, ...] = ()
    columns: dict[str, Column] = Field(default_factory=dict)


class Schema(Strict):
    """The models of a folder.

    ``columns`` mean the same in all models of the folder and of those in it, unless a model, or the
    ``schema.yml`` of a folder further in, says otherwise.
    """

    columns: dict[str, Column] = Field(default_factory=dict)
    models: dict[str, Meaning] = Field(default_factory=dict)


def schemas_below(folder: Path, paths: Collection[Path]) -> Mapping[Path, Schema]:
    """Read the ``schema.yml`` of a folder and of those in it.

    Parameters
    ----------
    folder : pathlib.Path
        Where to look.
    paths : collection of pathlib.Path
        The models that lie there.

    Returns
    -------
    mapping of pathlib.Path to Schema
        By folder.

    Raises
    ------
    StudyBookError
        If one speaks of a model that is not beside it: that would be lost silently.
    """
    schemas = {path.parent: read_yaml(path, Schema) for path in folder.rglob(SCHEMA_FILE)}
    for beside, schema in schemas.items():
        there = [path.stem for path in paths if path.parent == beside]
        for name in schema.models:
            if name not in there:
                raise StudyBookError(
                    f"{beside / SCHEMA_FILE}: there is no model {name!r} beside it\n"
                    f"  → {did_you_mean(name, there) or f'write {name}.sql, or take it out'}"
                )
    return schemas


def columns_of(path: Path, schemas: Mapping[Path, Schema]) -> dict[str, Column]:
    """The columns that a model may have: its own, of folders around it, of all models.

    Parameters
    ----------
    path : pathlib.Path
        The file of the model.
    schemas : mapping of pathlib.Path to Schema
        As of :func:`schemas_below`.
    """
    found = dict(_of_all_models())
    for folder in reversed(path.parents):
        if folder in schemas:
            found |= schemas[folder].columns
    return found | meaning_of(path, schemas).columns


def meaning_of(path: Path, schemas: Mapping[Path, Schema]) -> Meaning:
    """The meaning of a model, by its file; an empty one where nothing is said of it."""
    return schemas.get(path.parent, Schema()).models.get(path.stem, Meaning())


@cache
def _of_all_models() -> Mapping[str, Column]:
    return read_yaml(FOLDER / SCHEMA_FILE, Schema).columns
