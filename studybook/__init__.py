"""The study book: from raw performance exports to a published, checkable book.

Data flows one way through this package::

    data/raw -> formats -> store (DuckDB) -> models -> notebooks -> book

For programs of one's own: :func:`open_study` gives a study of a loaded data set, to be asked in
SQL; :func:`compare` sets two sides of one against each other. Both look for the book around the
current folder, or in the folder that the variable ``STUDYBOOK_HOME`` names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studybook.frames.named_sides import compare
    from studybook.study.study import open_study

__version__ = "0.1.0"
__all__ = ["__version__", "compare", "open_study"]

_PLACES = {"compare": "studybook.frames.named_sides", "open_study": "studybook.study.study"}


def __getattr__(name: str) -> Any:
    """Import what is asked for, when it is: ``studybook --help`` needs none of it."""
    from importlib import import_module

    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
