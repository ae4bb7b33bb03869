"""What a notebook may use: bounds that a book sets in its ``_config.yml``, under ``notebooks``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import psutil
from pydantic import BaseModel, ConfigDict, Field

from studybook.checked_yaml import Strict, read_yaml

#: The file of a book that says it.
CONFIG = "_config.yml"

#: The part of the machine's memory that one notebook may have where the book does not say.
_MEMORY = 0.75


def _memory_gib() -> float:
    return float(_MEMORY * psutil.virtual_memory().total / 2**30)


class Bounds(Strict):
    """Bounds of each notebook that is run.

    ``cell_timeout_s`` are seconds for one cell; ``output_mib`` MiB for all outputs together;
    ``memory_gib`` GiB for what its process holds of its own.
    """

    cell_timeout_s: Annotated[int, Field(ge=1)] = 600
    output_mib: Annotated[float, Field(gt=0)] = 20
    memory_gib: Annotated[float, Field(gt=0)] = Field(default_factory=_memory_gib)


class Config(BaseModel):
    """The part of ``_config.yml`` that is ours; all else in it is Jupyter Book's."""

    model_config = ConfigDict(extra="allow")

    notebooks: Bounds = Field(default_factory=Bounds)


def bounds_of(root: Path) -> Bounds:
    """The bounds that a book sets, or the usual ones.

    Raises
    ------
    StudyBookError
        Naming the file, line and key, where it says something else.
    """
    path = root / CONFIG
    return read_yaml(path, Config).notebooks if path.is_file() else Bounds()
