"""The two files that Jupyter Book is told by: ``_config.yml``, and the table of contents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field

from studybook.checked_yaml import read_yaml
from studybook.code import LIBRARY
from studybook.engine.bounds import CONFIG, Config
from studybook.errors import StudyBookError

TOC = "book/_toc.yml"


class _Config(Config):
    """What the book is completed in; the rest is for Jupyter Book to judge."""

    title: str
    author: str | None = None
    logo: str | None = None
    exclude_patterns: tuple[str, ...] = ()
    execute: dict[str, Any] = Field(default_factory=dict)
    parse: dict[str, Any] = Field(default_factory=dict)
    html: dict[str, Any] = Field(default_factory=dict)
    sphinx: dict[str, Any] = Field(default_factory=dict)


class _Toc(BaseModel):
    model_config = ConfigDict(extra="allow")

    format: str
    root: str
    parts: list[dict[str, Any]] = []
    chapters: list[dict[str, Any]] = []


_MODELS: dict[str, type[BaseModel]] = {CONFIG: _Config, TOC: _Toc}
_LEAST = {
    CONFIG: "title: My service",
    TOC: "format: jb-book, root: book/intro, and a page book/intro.md",
}


def check_shape(root: Path) -> None:
    """Refuse a book whose two files cannot be read, before anything is loaded for it.

    Raises
    ------
    StudyBookError
        Naming the file, and the line where there is one.
    """
    for name, model in _MODELS.items():
        if not (root / name).is_file():
            raise StudyBookError(
                f"{root / name}: is not there\n  → write it, with at least: {_LEAST[name]}"
            )
        read_yaml(root / name, model)


def config_of(root: Path) -> dict[str, Any]:
    """The configuration of a book, completed by what every book needs for its charts."""
    own = yaml.safe_load((root / CONFIG).read_text(encoding="utf-8"))
    own.pop("notebooks", None)  # of our own, and nothing that Jupyter Book knows
    usual = (LIBRARY / "template/book" / CONFIG).read_text(encoding="utf-8")
    quoted = yaml.safe_dump(own["title"], default_style='"').strip()
    for name, text in (("title", quoted), ("author", '""')):
        usual = usual.replace(f"{{{{{name}}}}}", text)
    complete = _over(yaml.safe_load(usual), own)
    for name in ("author", "logo"):  # a book need have neither
        if name not in own:
            del complete[name]
    if "favicon" not in own.get("html", {}):
        del complete["html"]["favicon"]
    return complete


def _over(usual: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What is said in the second, and the rest of the first."""
    both = {
        name: _over(usual[name], value)
        if isinstance(value, dict) and isinstance(usual.get(name), dict)
        else value
        for name, value in own.items()
    }
    return dict(usual) | both


def contents_of(path: Path) -> dict[str, Any]:
    """A table of contents in parts; chapters without parts are one."""
    toc: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    chapters = toc.pop("chapters", [])
    toc["parts"] = toc.get("parts") or ([{"chapters": chapters}] if chapters else [])
    return toc
