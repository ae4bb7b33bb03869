"""A book of one's own: the folders and files that it begins with."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from tempfile import mkdtemp

from studybook import __version__
from studybook.code import LIBRARY
from studybook.errors import StudyBookError

_TEMPLATE = LIBRARY / "template/book"

#: Names that files of the template cannot have there, for version control acts on them.
_RENAMED = {"gitignore": ".gitignore", "pipelines/study.yml": "pipelines/{study}/study.yml"}

#: What may be in a folder that counts as empty.
_NOTHING = {".git", ".gitkeep", ".DS_Store", ".venv"}


def write_book(folder: Path, title: str, author: str, study: str) -> list[str]:
    """Write a book without data into an empty folder.

    Parameters
    ----------
    folder : pathlib.Path
        The folder; made where it is not there.
    title, author : str
        What its pages print.
    study : str
        Name of its first study.

    Returns
    -------
    list of str
        The files that were written, below the folder.

    Raises
    ------
    StudyBookError
        If the folder holds anything, or cannot be written; nothing is left then.
    """
    said = {"title": title, "author": author, "study": study, "version": __version__}
    written: list[str] = []
    try:
        if folder.exists() and not folder.is_dir():
            raise StudyBookError(f"{folder}: is no folder\n  → name a new one")
        there = {each.name for each in folder.iterdir()} - _NOTHING if folder.is_dir() else set()
        if there:
            some = ", ".join(sorted(there)[:3])
            raise StudyBookError(
                f"{folder}: is not empty ({some})\n  → name a new folder, or an empty one"
            )
        folder.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(prefix=".new-", dir=folder))
        try:
            for path in sorted(_TEMPLATE.rglob("*")):
                if path.is_file():
                    name = path.relative_to(_TEMPLATE).as_posix()
                    name = _RENAMED.get(name, name).format(study=study)
                    (made / name).parent.mkdir(parents=True, exist_ok=True)
                    text = _filled(path.read_text(encoding="utf-8"), said, path.suffix)
                    (made / name).write_text(text, encoding="utf-8")
                    written.append(name)
            for each in made.iterdir():
                each.rename(folder / each.name)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise StudyBookError(
            f"{error.filename or folder}: cannot be written: {error.strerror}\n"
            "  → name a folder that can be written"
        ) from error
    return written


def _filled(text: str, said: dict[str, str], suffix: str) -> str:
    """Put the names of a book into a file of the template."""
    for name, value in said.items():
        # A text of JSON is one of YAML, too, whatever is in it.
        quoted = json.dumps(value, ensure_ascii=False) if suffix == ".yml" else value
        bare = suffix == ".yml" and name in ("study", "version")
        text = text.replace(f"{{{{{name}}}}}", value if bare else quoted)
    return text
