"""Pages made anew after a change are those of a build from nothing, to the byte."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from myst_nb.ext.glue.crossref import read_glue_cache
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, writes
from sphinx.config import Config

from studybook.charts.renderer import MIME_TYPE
from studybook.errors import StudyBookError
from studybook.publish.pages import Pages, make_pages, pages_changed
from studybook.publish.shape import config_of
from tests.conftest import REPOSITORY

#: Two pictures of one pixel.
DOT = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mN{}YAAAAAUAAVhQmcoAAAAASUVORK5CYII="
)
PICTURES = {name: base64.b64encode(DOT.format(name).encode()).decode() for name in "kN"}


def figure(title: str, value: float, picture: str = "k") -> str:
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "title": f"It takes {value} ms", "description": "Bars.", "mark": "bar",
        "data": {"values": [{"ms": value, "origin": "measured"}]},
        "encoding": {"x": {"field": "ms", "type": "quantitative"}},
    }  # fmt: skip
    shown = [
        new_output("display_data", data={MIME_TYPE: spec, "text/plain": "bars"}),
        new_output("display_data", data={"image/png": PICTURES[picture]}),
        new_output(
            "display_data",
            data={"text/plain": f"{value}"},
            metadata={"scrapbook": {"mime_prefix": "", "name": "ms"}},
        ),
    ]
    cells = [
        new_markdown_cell(f"# {title}"),
        new_code_cell("draw()", outputs=shown),
        new_markdown_cell("{download}`data </figures/shop/speed.csv>`"),
    ]
    for number, cell in enumerate(cells):
        cell.id = str(number)
    language = {"language_info": {"name": "python"}}
    return writes(new_notebook(cells=cells, metadata=language))


TOC = {
    "format": "jb-book",
    "root": "book/intro",
    "parts": [
        {
            "caption": "The shop",
            "chapters": [
                {"file": "book/glossary"},
                {"file": "book/tea", "sections": [{"file": "notebooks/shop/speed"}]},
            ],
        }
    ],
}
SOURCE = {
    "_config.yml": yaml.safe_dump(config_of(REPOSITORY) | {"title": "A shop"}),
    "book/_static/mark.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "book/_toc.yml": yaml.safe_dump(TOC, sort_keys=False),
    "book/intro.md": "# Front\n\nOf tea, and of [](tea.md). See {ref}`how`; {eq}`sum` is 3.\n",
    "book/glossary.md": (
        "# Words\n\n```{glossary}\nsamovar\n  It boils water.\n```\n\n"
        "```{glue} ms\n:doc: ../notebooks/shop/speed.ipynb\n```\n"
    ),
    "book/tea.md": (
        "# Tea\n\nA samovar hums.\n\n(how)=\n## How it is made\n\n"
        "```{math}\n:label: sum\n1 + 2\n```\n\n```{index} kettle\n```\n\n"
        "| Leaf | Steeps & cools |\n|---|---|\n| *green* | 2 min |\n| white | |\n"
    ),
    "notebooks/shop/speed.ipynb": figure("How fast is it?", 12.5),
    "figures/shop/speed.csv": "ms\n12.5\n",
}
#: What somebody changes, one after the other: text of pages, what takes its place.
CHANGES: dict[str, dict[str, tuple[str, str]]] = {
    "a sentence, and a download": {
        "book/tea.md": ("hums", "sings of its kettle, a unicorn"),
        "figures/shop/speed.csv": ("ms", "ms,host"),
    },
    "a word that no page has any more, and a picture": {
        "book/tea.md": (", a unicorn", ""),
        "notebooks/shop/speed.ipynb": (PICTURES["k"], PICTURES["N"]),
    },
    "a title": {"notebooks/shop/speed.ipynb": ("How fast", "At which speed")},
    "a heading that others link to, and its equation": {
        "book/tea.md": ("## How it is made", "## How one makes it\n\n$$0$$ (none)")
    },
    "a term": {"book/glossary.md": ("It boils", "A kettle that boils")},
    "a number of a figure": {
        "notebooks/shop/speed.ipynb": ("12.5", "13.5"),
        "book/intro.md": ("Of tea", "Of 13.5 ms for tea"),
    },
}


def made(folder: Path, source: Mapping[str, str], work: str) -> Pages:
    for name, text in source.items():
        path = folder / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    # To the default itself, of which a process has one, the theme adds at each build.
    Config.config_values["templates_path"].default.clear()
    read_glue_cache.cache_clear()
    made_of = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in source.items()}
    return make_pages(folder / "source", made_of, folder / work, folder / "log")


def content(pages: Pages) -> dict[str, bytes]:
    html = pages.html
    files = (path for path in html.rglob("*") if path.is_file() and path.name != ".buildinfo")
    return {path.relative_to(html).as_posix(): path.read_bytes() for path in files}


def changed(source: Mapping[str, str], change: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    for name, (before, after) in change.items():
        assert before in source[name]
        source = {**source, name: source[name].replace(before, after)}
    return dict(source)


def test_pages_are_those_of_a_build_from_nothing(tmp_path: Path) -> None:
    source = SOURCE
    assert made(tmp_path, source, "work").anew
    for what, change in CHANGES.items():
        source = changed(source, change)
        onward = made(tmp_path, source, "work")
        assert not onward.anew, what
        assert not onward.warnings, what
        there, wanted = content(onward), content(made(tmp_path, source, what))
        other = {name for name in {*there, *wanted} if there.get(name) != wanted.get(name)}
        assert not other, what


def test_a_cell_says_its_column_where_a_row_is_a_card(tmp_path: Path) -> None:
    page = (made(tmp_path, SOURCE, "pages").html / "book/tea.html").read_text(encoding="utf-8")
    cells = re.findall(r'<td(?: data-label="([^"]*)")?>(?:<p>)?(.*?)(?:</p>)?\s*</td>', page)
    assert cells == [
        ("Leaf", "<em>green</em>"), ("Steeps &amp; cools", "2 min"),
        ("Leaf", "white"), ("", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "pages"),
    [
        ({"book/tea.md": "1", "figures/shop/speed.csv": "1"}, True),
        ({}, False),
        ({"book/new.md": "1"}, False),
        ({"_config.yml": "1"}, False),
        ({"book/_toc.yml": "1"}, False),
        ({"book/_static/mark.svg": "1"}, False),
        ({"studybook/charts/charts.css": "1"}, False),
    ],
)
def test_only_text_and_downloads_leave_other_pages_as_they_are(
    tmp_path: Path, change: Mapping[str, str], pages: bool
) -> None:
    made_of = dict.fromkeys([*SOURCE, "studybook/charts/charts.css"], "0")
    noted = tmp_path / "made_of.json"
    assert pages_changed(noted, made_of | change) == []  # broken off
    noted.write_text(json.dumps(made_of), encoding="utf-8")
    assert pages_changed(noted, made_of | change) == (list(change) if pages else [])
    future = noted.stat().st_mtime + 3600
    os.utime(noted, (future, future))  # the clock was set back
    assert pages_changed(noted, made_of | change) == []


def test_what_sphinx_complains_of_is_said_each_time(tmp_path: Path) -> None:
    source = SOURCE | {"book/tea.md": SOURCE["book/tea.md"] + "See {ref}`nowhere`.\n"}
    said = made(tmp_path, source, "work").warnings
    assert "nowhere" in str(said)
    again = made(tmp_path, changed(source, CHANGES["a term"]), "work")
    assert again.anew
    assert again.warnings == said


def test_settings_that_jupyter_book_refuses_are_told_in_words(tmp_path: Path) -> None:
    config = yaml.safe_load(SOURCE["_config.yml"])
    config["html"]["use_repository_button"] = True  # and no address of a repository
    source = SOURCE | {"_config.yml": yaml.safe_dump(config)}
    with pytest.raises(StudyBookError, match=r"made no pages: .* repository URL"):
        made(tmp_path, source, "work")
