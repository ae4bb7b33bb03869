"""Laying out the source folder of the book: written pages, executed notebooks, downloads."""

from __future__ import annotations

import html
import shutil
from collections.abc import Callable, Container, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import nbformat
import yaml

from studybook.dataset.names import slug
from studybook.dataset.paths import DataSet, usual_data_set
from studybook.engine.notebooks import Notebook, figures
from studybook.engine.outputs import Record, expected_outputs, read_record
from studybook.publish.decorate import decorate_figure, decorate_report
from studybook.publish.doubts import what_is_doubtful
from studybook.publish.explore import page as explore_page
from studybook.publish.fill import fill_pages
from studybook.publish.leave_out import leave_out
from studybook.publish.notebook import write_notebook
from studybook.publish.shape import config_of, contents_of
from studybook.publish.tallies import tallies, where_from
from studybook.publish.titles import tell_apart
from studybook.publish.what_to_set import what_to_set
from studybook.records import store
from studybook.records.catalogue import catalogue
from studybook.table import badge

#: What stands in a page for the list of all figures, for where the data of all studies come from,
#: for the verdicts on their claims, for what is doubtful in the data, for all tables and models of
#: the database, and for all advice.
INDEX, ORIGINS, VERDICTS, DOUBTS, CATALOGUE, ADVICE = (
    f"<!-- {each} -->"
    for each in (
        "list of figures", "origins of all studies", "verdicts of all studies", "what is doubtful",
        "catalogue", "what to set",
    )
)  # fmt: skip


def stage(
    data_set: DataSet,
    chosen: Sequence[Notebook],
    target: Path,
    sections: Mapping[str, Callable[[], str]] | None = None,
) -> list[Record]:
    """Lay out the book's source in an empty folder.

    Parameters
    ----------
    data_set : DataSet
        Its notebooks must have been run.
    chosen : sequence of Notebook
        The figures that belong into its book. Pages of a study without figures stay out, too.
    target : pathlib.Path
        The folder; emptied first.
    sections : mapping of str to callable, optional
        What takes the place of further markers in its pages.

    Returns
    -------
    list of Record
        The figures in the book.
    """
    root = data_set.root
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(root / "book", target / "book")
    _write_config(data_set, target)
    records = []
    for notebook in chosen:
        record = read_record(data_set, notebook.id)
        # A figure that fits any study is offered where there are data for it.
        if record is None or (record.state == "needs data" and notebook.of_library):
            continue
        content = nbformat.read(data_set.notebooks / f"{notebook.id}.ipynb", as_version=4)
        decorate_figure(content, record, data_set.name)
        write_notebook(content, target / "notebooks" / f"{notebook.id}.ipynb")
        downloads = target / "figures" / record.id
        downloads.parent.mkdir(parents=True, exist_ok=True)
        for path in expected_outputs(data_set, record):
            shutil.copy2(path, downloads.with_name(path.name))
        records.append(record)
    for path in sorted(data_set.load_reports.glob("*.ipynb")):
        content = nbformat.read(path, as_version=4)
        decorate_report(content, path.stem)
        write_notebook(content, target / "pipelines/load" / path.name)
    absent = {each.study for each in figures(root)} - {each.study for each in chosen}
    leave_out(absent, target)
    runs = {each.id for each in chosen if "run" in each.given}
    title = str(config_of(root)["title"])
    toc = _complete_toc(target / "book/_toc.yml", records, runs, title)
    names = {notebook.study: _caption(toc, notebook.study) for notebook in chosen}
    records = tell_apart(target, records, lambda study: names.get(study, study))
    fill_pages(target / "book", records, data_set)
    ids = [notebook.id for notebook in chosen]
    content = {
        ORIGINS: lambda: where_from(records, names),
        VERDICTS: lambda: tallies(ids, records, names),
        INDEX: lambda: _index(records, toc, runs),
        DOUBTS: lambda: what_is_doubtful(data_set.database, _pages_of_runs(chosen, records)),
        CATALOGUE: lambda: _catalogue(data_set),
        ADVICE: lambda: what_to_set(root, records, names),
        explore_page.MARKER: lambda: explore_page.explore(data_set, records, names, target),
        **(sections or {}),
    }
    for page in sorted((target / "book").glob("*.md")):
        _fill_in(page, content)
    return records


def _fill_in(page: Path, content: Mapping[str, Callable[[], str]]) -> None:
    text = page.read_text(encoding="utf-8")
    for marker, of_marker in content.items():
        if marker in text:
            text = text.replace(marker, of_marker())
            page.write_text(text, encoding="utf-8")


def _pages_of_runs(chosen: Sequence[Notebook], records: Sequence[Record]) -> dict[str, str]:
    """The page of each run that has one in the book, by study/run."""
    there = {record.id for record in records}
    return {
        f"{each.study}/{each.given['run']}": f"../notebooks/{each.id}.html"
        for each in chosen
        if "run" in each.given and each.id in there
    }


def _catalogue(data_set: DataSet) -> str:
    with store.connect(data_set.database) as connection:
        return catalogue(connection, data_set.root)


def _write_config(data_set: DataSet, target: Path) -> None:
    config = config_of(data_set.root)
    if data_set.name != usual_data_set(data_set.root):
        config["title"] = f"{config['title']}: {data_set.name}"
    text = yaml.safe_dump(config, sort_keys=False, allow_unicode=True)
    (target / "_config.yml").write_text(text, encoding="utf-8")


def _complete_toc(
    path: Path, records: Sequence[Record], runs: Container[str] = (), title: str = ""
) -> dict[str, Any]:
    """Put figures that the table of contents does not list at the end of their study's part.

    Those of single runs are below the last page before them.
    """
    toc = contents_of(path)
    text = str(toc)
    for record in records:
        study, page = record.id.split("/")[0], f"notebooks/{record.id}"
        if f"'{page}'" in text:
            continue
        part = next((p for p in toc["parts"] if f"notebooks/{study}/" in str(p)), None)
        if part is None:
            # The study of a book's own name is called as the book is.
            caption = title if slug(title) == study else _heading(study)
            part = {"caption": caption, "chapters": []}
            toc["parts"].insert(-1, part)
        if record.id in runs and part["chapters"]:
            part["chapters"][-1].setdefault("sections", []).append({"file": page})
        else:
            part["chapters"].append({"file": page})
    path.write_text(yaml.safe_dump(toc, sort_keys=False), encoding="utf-8")
    return toc


def _caption(toc: dict[str, Any], study: str) -> str:
    """The heading under which the table of contents has a study; its name where that has none."""
    parts = (each for each in toc.get("parts", ()) if f"notebooks/{study}/" in str(each))
    return str(next((each.get("caption") for each in parts), None) or _heading(study))


def _heading(study: str) -> str:
    """The name of a study as a heading: ``web-shop`` is “Web shop”."""
    words = study.replace("-", " ").replace("_", " ")
    return words[:1].upper() + words[1:]


def _index(records: list[Record], toc: dict[str, Any], runs: Container[str] = ()) -> str:
    """List the figures of each study, those of single runs last: title, what it says, origin."""
    lines: list[str] = []
    for study, of_study in groupby(records, lambda record: record.id.split("/")[0]):
        lines += [f"## {_caption(toc, study)}", "", "| Page | Finding | Data |", "|---|---|---|"]
        for record in sorted(of_study, key=lambda record: record.id in runs):
            origins = " ".join(badge(origin) for origin in record.origins)
            finding = html.escape(record.finding or record.answer).replace("|", "\\|")
            if record.state != "ok":
                finding = f"**{record.state}**"
            if record.id in runs and record.excluded:
                finding = f"**does not count**: {finding}"
            link = f"[{record.title}](../notebooks/{record.id}.ipynb)"
            lines.append(f"| {link} | {finding} | {origins} |")
        lines.append("")
    return "\n".join(lines)
