"""The notebooks of the book: where they lie, what parameters they take.

A figure is a notebook ``notebooks/<study>/<name>.ipynb``; its id is ``<study>/<name>``. It is
found by being there. Where figures differ by parameters only, one has the notebook, and each other
is a file ``<name>.yml`` that says whose it runs, with which parameters, and under which heading.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import yaml
from pydantic import AfterValidator, Field

from studybook.checked_yaml import Strict, line_of, read_keys, read_yaml
from studybook.code import LIBRARY
from studybook.dataset import definition
from studybook.dataset.inventory import PARAMETERS_FILE, Inventory
from studybook.dataset.paths import DataSet, look_into
from studybook.errors import StudyBookError, did_you_mean
from studybook.memory import content_sha256, recall
from studybook.text import by_numbers

if TYPE_CHECKING:
    import nbformat

#: The loading report of all sources together, beside those of each.
ALL = "all"

#: The folder, beside a figure that shares a notebook, of what it gave when it was recorded.
RECORDED = "recorded"


def _with_title(heading: str) -> str:
    if not heading.startswith("# "):
        raise ValueError("its first line must be the title: # and words")
    return heading


def _of_a_figure(parameters: dict[str, Any]) -> dict[str, Any]:
    if "data_set" in parameters:
        raise ValueError("data_set is chosen by who runs the figure, not by the figure")
    return parameters


class Shared(Strict):
    """A figure that runs the notebook of another.

    ``notebook`` is that figure's id, ``heading`` the text that stands in the place of its first
    cell, and ``parameters`` what differs from the defaults in it.
    """

    notebook: str
    heading: Annotated[str, AfterValidator(_with_title)]
    parameters: Annotated[dict[str, Any], Field(min_length=1), AfterValidator(_of_a_figure)]


@dataclass(frozen=True)
class Notebook:
    """A notebook of the project.

    Parameters
    ----------
    id : str
        ``<study>/<name>`` of a figure.
    path : pathlib.Path
        Where it lies.
    given : mapping, optional
        Parameters that this figure has in the place of the notebook's own: several figures may
        share a notebook.
    heading : str, optional
        The text that this figure has in the place of the notebook's first cell.
    listed : pathlib.Path, optional
        The file that says so.
    """

    id: str
    path: Path
    given: Mapping[str, Any] = field(default_factory=dict)
    heading: str = ""
    listed: Path | None = None

    @cached_property
    def content(self) -> nbformat.NotebookNode:
        """The notebook as it is committed, under this figure's heading."""
        with _said_of(self.path):
            return read_headed(self.path, self.heading)

    @property
    def recorded(self) -> Path:
        """The file in which its outputs are committed: its notebook, or a run of a shared one."""
        if self.listed:
            return self.listed.parent / RECORDED / f"{self.listed.stem}.ipynb"
        return self.path

    @property
    def of_library(self) -> bool:
        """Whether it is one of those that fit any study."""
        return self.path.is_relative_to(LIBRARY)

    @property
    def study(self) -> str:
        """The study of a figure: the folder that it lies in."""
        return self.id.split("/")[0]

    @property
    def title(self) -> str:
        """The first heading, or the id where there is none."""
        return str(self._told["title"]) or self.id

    @cached_property
    def _told(self) -> Mapping[str, Any]:
        """What is asked of each notebook in each command: what is stale, and with which parameters.

        A notebook is large by its outputs, and rarely another one; many figures may share it.
        """
        try:
            content = content_sha256(self.path)
        except OSError:
            content = ""  # to read it says why
        return dict(
            recall(
                "a notebook and its title",
                f"{content}{self.heading}".encode(),
                self._tell,
                private=True,
            )
        )

    def _tell(self) -> dict[str, Any]:
        try:
            # That a file is what it was is asked of its entry, for it is large.
            plain = _plain(self.path, content_sha256(self.path))
        except OSError as error:
            raise StudyBookError(f"{self.path}: cannot be read: {error.strerror}") from error
        cells = list(plain.cells)
        if self.heading:
            cells[0] = (cells[0][0], self.heading.rstrip())
        return {
            "code": hashlib.sha256(repr(cells).encode()).hexdigest(),
            "first": cells[0][1] if cells else "",
            "title": next((each for cell in cells if (each := _title_in(*cell))), ""),
            "parameters": plain.parameters,
        }

    @property
    def first(self) -> str:
        """The text of its first cell."""
        return str(self._told["first"])

    @property
    def code(self) -> str:
        """Hash of text and code: everything that a person wrote in it."""
        return str(self._told["code"])

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """Names and default values of the parameters, as they are for this figure."""
        return self.written_defaults | dict(self.given)

    @cached_property
    def written_defaults(self) -> dict[str, Any]:
        """Names and default values of the parameters, as they stand in the notebook."""
        try:
            return dict(_assigned(self._told["parameters"]))
        except SyntaxError as error:
            raise StudyBookError(
                f"{self.path}: its cell of parameters is no Python, in line {error.lineno}\n"
                "  → write NAME = VALUE, one below the other"
            ) from error

    def injected(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters that are not those of the notebook: it is run with these."""
        written = self.written_defaults
        return {name: value for name, value in parameters.items() if written.get(name) != value}

    def check_parameters(self, parameters: Mapping[str, Any]) -> None:
        """Refuse parameters that the notebook does not have, and values of another kind.

        Raises
        ------
        StudyBookError
            Naming the nearest parameter that there is, or the default.
        """
        for name, value in parameters.items():
            if name not in self.written_defaults:
                known = ", ".join(self.written_defaults)
                do = did_you_mean(name, self.written_defaults) or f"it has: {known}"
                where = f"{self.listed}: " if self.listed and name in self.given else ""
                raise StudyBookError(f"{where}{self.id} has no parameter {name!r}\n  → {do}")
            default = self.defaults[name]
            if default is not None and _kind(value) != _kind(default):
                example = yaml.safe_dump(default, default_flow_style=True, width=4096)
                do = f"give {_kind(default)}, such as {example.splitlines()[0]}"
                if isinstance(default, str):
                    do = "give a text, between quotation marks where it looks like a number"
                raise StudyBookError(f"{self.id}: {name} is {value!r}\n  → {do}")


def _kind(value: object) -> str:
    """What a parameter is, in words."""
    kinds = ((bool, "true or false"), ((int, float), "a number"), (str, "a text"), (dict, "a map"))
    return next((said for kind, said in kinds if isinstance(value, kind)), "a list")


class _Plain(NamedTuple):
    """What a notebook says, without its outputs: kinds and texts of its cells, and more."""

    cells: tuple[tuple[str, str], ...]
    parameters: str


@lru_cache(maxsize=16)
def _plain(path: Path, _content: str) -> _Plain:
    """Read a notebook that many figures may share, each under a heading of its own."""
    with _said_of(path):
        content = read_headed(path)
        tagged = (c.source for c in content.cells if "parameters" in c.metadata.get("tags", ()))
        return _Plain(
            tuple((cell.cell_type, cell.source) for cell in content.cells),
            next(tagged, ""),
        )


@contextmanager
def _said_of(path: Path) -> Iterator[None]:
    """Say of a file that it is no notebook."""
    try:
        yield
    except (ValueError, AttributeError, UnicodeDecodeError) as error:
        raise StudyBookError(
            f"{path}: is not a notebook: {str(error).splitlines()[0][:100]}\n"
            "  → look for marks of a merge in it, or restore it from version control"
        ) from error


def _title_in(kind: str, source: str) -> str:
    """The first heading of a cell; empty if it has none."""
    lines = source.splitlines() if kind == "markdown" else []
    return next((line[2:].strip() for line in lines if line.startswith("# ")), "")


def _assigned(source: str) -> Iterator[tuple[str, Any]]:
    """Names and values that a cell assigns; of a value that is no literal, its text."""
    for line in ast.parse(source).body:
        if isinstance(line, ast.Assign):
            names, value = line.targets, line.value
        elif isinstance(line, ast.AnnAssign) and line.value:
            names, value = [line.target], line.value
        else:
            continue
        for name in names:
            if isinstance(name, ast.Name):
                try:
                    yield name.id, ast.literal_eval(value)
                except ValueError:
                    yield name.id, ast.unparse(value)


def read_headed(path: Path, heading: str = "") -> nbformat.NotebookNode:
    """Read a notebook; its first cell is the heading, where one is given."""
    import nbformat  # takes a while, and most commands read no notebook

    content: nbformat.NotebookNode = nbformat.read(path, as_version=4)
    if heading:
        content.cells[0].source = heading.rstrip()
    return content


def figures(root: Path) -> list[Notebook]:
    """Every figure of the project, in the order of their ids.

    Raises
    ------
    StudyBookError
        If a figure is said to share a notebook that is not there, or a folder may not be looked
        into.
    """
    folder = root / "notebooks"
    look_into(folder)
    own = {f"{path.parent.name}/{path.stem}": path for path in sorted(folder.glob("*/*.ipynb"))}
    found = {id_: Notebook(id_, path) for id_, path in own.items()}
    for path in sorted(folder.glob("*/*.yml")):
        id_, says = f"{path.parent.name}/{path.stem}", read_yaml(path, Shared)
        if says.notebook not in own:
            do = did_you_mean(says.notebook, own) or f"notebooks: {', '.join(own)}"
            raise StudyBookError(f"{path}: there is no notebook {says.notebook!r}\n  → {do}")
        if id_ in own:
            raise StudyBookError(f"{path}: {own[id_].name} lies beside it\n  → keep one of them")
        shared = own[says.notebook]
        found[id_] = Notebook(id_, shared, says.parameters, says.heading, path)
    return [found[id_] for id_ in sorted(found)]


def figures_of(inventory: Inventory) -> list[Notebook]:
    """The figures that belong into the book of a data set.

    Left out are those of a published study of which the data set has no run. Notebooks that belong
    to no published study, such as those that ask a model, are in every book. A study has those of
    the library, too, which fit any study, if it does not say otherwise; its own of the same name is
    in the place of one.
    """
    root = inventory.data_set.root
    runs: dict[str, list[str]] = {run.study: [] for run in inventory.runs}
    for run in inventory.runs:
        runs[run.study] += [run.run] if run.kind == "measurement" else []
    studies = runs.keys() | others(root)
    own = [each for each in figures(root) if each.study in studies]
    return own + _of_library(root, runs, {each.id for each in own})


def _of_library(
    root: Path, runs: Mapping[str, Sequence[str]], own: Container[str]
) -> list[Notebook]:
    """The figures that fit any study, and the goals and claims of those that have some."""
    return [
        each
        for study in sorted(runs)
        for each in (
            *goals_of(root, study),
            *claims_of(root, study),
            *(() if _has_only_own(root, study) else figures_of_any(study, runs[study])),
        )
        if each.id not in own
    ]


def goals_of(root: Path, study: str) -> list[Notebook]:
    """The page of the goals of a study; none where it has no goals."""
    if not (definition.folder(root, study) / definition.GOALS).is_file():
        return []
    path = LIBRARY / "template/notebooks/with-goals/goals.ipynb"
    return [Notebook(f"{study}/goals", path, {"study_name": study})]


def claims_of(root: Path, study: str) -> list[Notebook]:
    """The page that judges the claims of a document; none where nothing was published."""
    path = LIBRARY / "template/notebooks/with-claims/claims.ipynb"
    there = _is_published(root, study)
    return [Notebook(f"{study}/claims", path, {"study_name": study})] if there else []


def _has_only_own(root: Path, study: str) -> bool:
    found = definition.read_definition(root, study)
    return found is not None and found.only_own_figures


def _is_published(root: Path, study: str) -> bool:
    return (root / "data/published" / f"{study}.yml").is_file()


def figures_of_any(study: str, runs: Sequence[str] = ()) -> list[Notebook]:
    """The figures that fit any study, for one of them; and those that fit any run, for each.

    The overview is the first, then come the runs, then those below ``several-runs``, which set runs
    against each other: a study with one run has no data for them.
    """
    place = LIBRARY / "template/notebooks"
    of_study = [
        Notebook(f"{study}/{path.stem}", path, {"study_name": study})
        for folder in ("several-runs", "any-study")
        for path in sorted((place / folder).glob("*.ipynb"))
    ]
    overview = [each for each in of_study if each.path.stem == "overview"]
    of_runs = [
        Notebook(
            f"{study}/{path.stem}-{run}",
            path,
            {"study_name": study, "run": run},
            re.sub(r"\A# .*", f"# Run {run}", heading),
        )
        for path in sorted((place / "any-run").glob("*.ipynb"))
        for heading in [Notebook("", path).first]
        for run in sorted(runs, key=by_numbers)
    ]
    return overview + of_runs + [each for each in of_study if each not in overview]


def others(root: Path) -> set[str]:
    """The folders of notebooks that belong to no published study."""
    return {each.study for each in figures(root) if not _is_published(root, each.study)}


def studies_without_figures(root: Path, studies: Iterable[str]) -> dict[str, list[str]]:
    """The studies for which the book has no notebook; for each, names that are like it."""
    there = {each.study for each in figures(root)}
    return {
        study: difflib.get_close_matches(study, there, n=1) for study in sorted({*studies} - there)
    }


def load_notebook(root: Path) -> Notebook:
    """The notebook that loads: the book's own, or where it has none that of the library."""
    own = root / "pipelines/load.ipynb"
    return Notebook("load", own if own.is_file() else LIBRARY / "template/pipelines/load.ipynb")


def choose(notebooks: Iterable[Notebook], names: Iterable[str]) -> list[Notebook]:
    """The notebooks that a person named by id, by bare name, or by study.

    Raises
    ------
    StudyBookError
        If a name fits none.
    """
    there = list(notebooks)
    chosen: dict[str, Notebook] = {}
    for name in names:
        stem = name.removesuffix(".ipynb").removeprefix("notebooks/")
        fitting = [each for each in there if stem in (each.id, *each.id.split("/"))]
        if not fitting:
            ids = [each.id for each in there]
            near = did_you_mean(stem, [*ids, *(i.split("/")[1] for i in ids)])
            do = near or f"figures: {', '.join(ids)}"
            raise StudyBookError(f"there is no figure {name!r}\n  → {do}")
        chosen.update({each.id: each for each in fitting})
    return list(chosen.values()) if chosen else there


def declared_parameters(data_set: DataSet) -> dict[str, dict[str, Any]]:
    """Parameters that a data set sets for its figures in ``parameters.yml``.

    Raises
    ------
    StudyBookError
        If the file is not a mapping of figure ids to parameters that they have: file, line, what to
        write.
    """
    path = data_set.raw / PARAMETERS_FILE
    if not path.is_file():
        return {}
    content = read_keys(path) or {}
    known = {each.id: each for each in figures(data_set.root)}
    runs: dict[str, list[str]] = {folder.name: [] for folder in data_set.raw.glob("*/")}
    for folder in sorted(data_set.raw.glob("*/*/")):
        runs[folder.parent.name].append(folder.name)
    known |= {each.id: each for each in _of_library(data_set.root, runs, known)}
    if not isinstance(content, dict):
        example = next(iter(known), "study/figure")
        raise StudyBookError(f"{path}: holds no keys\n  → write as  {example}: {{name: value}}")
    for name, parameters in content.items():
        where = f"{path}, line {line_of(path, str(name))}"
        if name not in known:
            do = did_you_mean(str(name), known) or "studybook status names all figures"
            raise StudyBookError(f"{where}: there is no figure {str(name)!r}\n  → {do}")
        if not isinstance(parameters, dict):
            said = f"{name}: parameters are expected\n  → write as  {name}: {{name: value}}"
            raise StudyBookError(f"{where}: {said}")
        if "data_set" in parameters:
            raise StudyBookError(f"{where}: {name}: a figure's data set is that which it lies in")
        try:
            known[name].check_parameters(parameters)
        except StudyBookError as error:
            raise StudyBookError(f"{where}: {error}") from error
    return content
