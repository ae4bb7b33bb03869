"""The words of one study, and their meaning: ``pipelines/<study>/study.yml``.

The factors that its runs differ in, the values that these may have, what they are where nothing is
said of them, how its figures call setups, the roles of its hosts, metrics of its own, tables that
its runs have, and what is known to be wrong with them. A study without the file may use any words.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    field_validator,
    model_validator,
)

from studybook.checked_yaml import Misplaced, Strict, line_of, read_yaml
from studybook.dataset.folder_names import pattern_of
from studybook.dataset.manifest import REPETITION, Accepted, FactorName, Name, Run, StablePhase
from studybook.errors import StudyBookError, did_you_mean
from studybook.formats.mapped import mapping
from studybook.formats.mapped.conversion import conversion
from studybook.units import METRICS, Better, Metric, unit_of, use_metrics, without_unit

#: Name of the file in the folder of the study's own models.
FILE_NAME = "study.yml"

#: Name of the file with the goals of a study, beside it: see :mod:`studybook.claims.goals`.
GOALS = "goals.yml"

FactorValue = StrictBool | StrictInt | StrictFloat | StrictStr
Factors = dict[str, FactorValue]


class Factor(Strict):
    """A thing varied between the runs of a study, and what values it may have."""

    meaning: str
    """What it is, in a few words."""
    values: tuple[FactorValue, ...] = ()
    """Those that it may have; without them, any."""
    whole_from: StrictInt | None = None
    """Where it is a whole number: the least."""

    def fault(self, value: object) -> str:
        """The fault of a value; empty if there is none."""
        if self.values and value not in self.values:
            # Where it is the same but for its kind, say which is a text.
            said = repr if str(value) in map(str, self.values) else str
            return f"expected {' or '.join(map(said, self.values))}"
        whole = isinstance(value, int) and not isinstance(value, bool)
        if self.whole_from is not None and (not whole or int(str(value)) < self.whole_from):
            return f"expected a whole number from {self.whole_from} on"
        return ""


class Named(Strict):
    """How figures call the setups that have certain values of factors."""

    call: str
    """The name; a factor in braces stands for its value."""
    of: Factors = Field(default_factory=dict)
    """The values of factors that setups of this name have."""

    @field_validator("call")
    @classmethod
    def _plain(cls, call: str) -> str:
        """Refuse what makes names long, or looks into values: ``{a:>9999999}``, ``{a.real}``."""
        do = "\n  → write a factor between braces, as {users}, and doubled braces for plain ones"
        try:
            parts = list(string.Formatter().parse(call))
        except ValueError as error:
            raise ValueError(f"a brace stands alone{do}") from error
        for _, field, spec, how in parts:
            if field is not None and (not field.isidentifier() or spec not in ("", ",") or how):
                raise ValueError(f"more than a factor stands between braces{do}")
        return call

    def name(self, factors: Mapping[str, Any]) -> str | None:
        """The name by the factors of a setup; None if it is another one, or a factor is missing."""
        fits = all(factors.get(name) == value for name, value in self.of.items())
        return self.call.format(**factors) if fits and self.called_by <= factors.keys() else None

    @property
    def called_by(self) -> set[str]:
        """The factors that stand in the name."""
        fields = {field for _, field, _, _ in string.Formatter().parse(self.call)}
        return {field for field in fields if field is not None}


#: Kinds of host for those who know no study: laws and checks go by them.
HostKind = Literal["file-client", "file-server", "hypervisor", "load-driver", "other", "storage"]


#: The colours that a study can give a meaning: what they look like, the palette of the charts says.
Hue = Literal["blue", "grey", "ochre", "orange", "slate", "teal", "violet"]

_colours: dict[str, dict[str, Hue]] = {}


def colours() -> dict[str, Hue]:
    """The meanings that the studies of this process have given colours, in their order."""
    return {word: hue for each in _colours.values() for word, hue in each.items()}


class Role(Strict):
    """A role of hosts in a study.

    ``is`` says which general kind of host has the role: a file server serves the disks of a
    cluster's file system, a file client uses it. For drawings there are its name in words, and a
    word that has a colour, here or in :data:`studybook.charts.palette.COLOURS`; without a name a
    drawing takes the words of the role itself, without a colour it is grey.
    """

    meaning: str
    """What a host of this role does."""
    name: str = ""
    """What drawings call it."""
    colour: str | None = None
    """A word that has a colour."""
    kind: Annotated[HostKind | None, Field(alias="is")] = None
    """What it is in general, by which laws and checks go."""


def _with_meaning(given: object) -> object:
    return {"meaning": given} if isinstance(given, str) else given


class OwnMetric(Strict):
    """A metric of a study; its name is the key. See :class:`studybook.units.Metric`."""

    label: str
    """What axes and tables say, without the unit."""
    unit: str = ""
    """The unit as printed; empty for counts."""
    better: Better = "neither"
    """Which direction is an improvement."""
    decimals: StrictInt = Field(ge=0, le=9)
    """Decimals to print."""
    formula: str = ""
    """How it is computed, in words."""

    def as_metric(self, name: str) -> Metric:
        """The metric of that name."""
        formula = " ".join(self.formula.split())
        return Metric(name, self.label, self.unit, self.better, self.decimals, formula)


def _of_the_library(metrics: dict[str, OwnMetric]) -> dict[str, OwnMetric]:
    for name, own in metrics.items():
        known = METRICS.get(name)
        if known and known != own.as_metric(name):
            said = f"{name} is “{known.title}” in every study\n  → give this one another name"
            raise Misplaced((name,), said)
    return metrics


class KnownTable(Strict):
    """Tables that runs of a study have; in ``run.yml`` an entry of ``files`` says it of one run."""

    path: Annotated[tuple[str, ...], BeforeValidator(mapping.one_or_more)] = Field(min_length=1)
    """Names of their files, in whatever folder of a run, or patterns such as ``*.csv``."""
    table: mapping.Mapping
    """Which of their columns are metrics."""

    @field_validator("path")
    @classmethod
    def _patterns(cls, path: tuple[str, ...]) -> tuple[str, ...]:
        for each in path:
            if not each or "/" in each:
                raise ValueError("the name of a file is expected, or a pattern such as '*.csv'")
        return path


def _of_folders(text: str) -> str:
    pattern_of(text)
    return text


class Definition(Strict):
    """The words of a study."""

    study: Name = "any"
    """The name of the folder."""
    factors: dict[FactorName, Factor] = Field(default_factory=dict)
    """What may be varied between runs; without any, anything."""
    baseline: Factors = Field(default_factory=dict)
    """What factors are where a run says nothing of them; a run without the factor fits, too."""
    names: dict[FactorName, tuple[Named, ...]] = Field(default_factory=dict)
    """How figures call setups, by the column that holds the names: the first that fits."""
    roles: dict[Name, Annotated[Role, BeforeValidator(_with_meaning)]] = Field(default_factory=dict)
    """Those that hosts may have; a text is the meaning alone."""
    metrics: Annotated[dict[FactorName, OwnMetric], AfterValidator(_of_the_library)] = Field(
        default_factory=dict
    )
    """Those that only this study has, by name with the unit at the end."""
    tables: tuple[KnownTable, ...] = ()
    """Those that its runs have, and no reader knows: the first that fits."""
    folders: Annotated[str, AfterValidator(_of_folders)] = ""
    """What ``studybook add`` takes from the names of folders: ``{release}-p{producers}``."""
    stable_phase: StablePhase | None = None
    """The part of each run that counts, where run.yml does not say so."""
    accepted: tuple[Accepted, ...] = ()
    """What is wrong with the data of any of its runs, and known."""
    colours: dict[str, Hue] = Field(default_factory=dict)
    """The colours of what its figures tell apart, by name."""
    only_own_figures: bool = False
    """Whether its notebooks are all of its book, without the figures that fit any study."""

    @model_validator(mode="after")
    def _of_factors(self) -> Self:
        """Refuse a baseline or a name by what is no factor, or by a value that it cannot have."""
        if self.factors:
            self._check(("baseline",), self.baseline)
        for column, named in self.names.items():
            for number, each in enumerate(named):
                self._check(("names", column, number, "call"), dict.fromkeys(each.called_by))
                self._check(("names", column, number, "of"), each.of)
        return self

    @model_validator(mode="after")
    def _of_tables(self) -> Self:
        """Refuse a table by a metric that is none, or is another statistic than elsewhere."""
        statistics: dict[str, str] = {}
        for number, known in enumerate(self.tables):
            for place, each in enumerate(known.table.metrics):
                fault = self._metric_fault(each, "metrics")
                if (other := statistics.setdefault(each.name, each.statistic)) != each.statistic:
                    fault = f"{each.name} is the {each.statistic}, and in another table the {other}"
                if fault:
                    raise Misplaced(("tables", number, "table", "metrics", place, "name"), fault)
        return self

    def table_of(self, path: str, time_zone: str | None = None) -> mapping.Mapping | None:
        """How a file is mapped, by its name; its times that name no zone are of this one."""
        name = PurePosixPath(path).name
        for known in self.tables:
            if any(fnmatchcase(name, pattern) for pattern in known.path):
                zone = known.table.time_zone or time_zone
                return known.table.model_copy(update={"time_zone": zone})
        return None

    def _check(self, keys: Sequence[str | int], values: Mapping[str, FactorValue | None]) -> None:
        """Refuse what is no factor, and a value that one cannot have."""
        for name in sorted(values):
            value = values[name]
            if name not in self.factors:
                do = did_you_mean(name, self.factors) or f"known: {', '.join(self.factors)}"
                place = keys if value is None else (*keys, name)
                raise Misplaced(place, f"{name!r} is not a factor\n  → {do}")
            if value is not None and (fault := self.factors[name].fault(value)):
                raise Misplaced((*keys, name), f"it is {value!r}\n  → {fault}")

    @property
    def of_runs(self) -> str:
        """What it says of runs that a database has beside what ``run.yml`` says, as JSON."""
        return self.model_dump_json(include={"accepted", "roles", "stable_phase"})

    def kind_of(self, role: str) -> str:
        """The general kind of host that has a role; a role may be called by the kind itself."""
        if (found := self.roles.get(role)) and found.kind:
            return found.kind
        return role if role in get_args(HostKind) else "other"

    def use(self) -> None:
        """Make its metrics known to :func:`studybook.units.metric`, its colours to charts."""
        _colours[self.study] = self.colours
        use_metrics(
            self.study,
            (each.as_metric(name) for name, each in self.metrics.items()),
        )

    def named(self, column: str) -> Callable[[Mapping[str, Any]], str | None]:
        """A function that names a setup by its factors, as a column of figures has it.

        Raises
        ------
        StudyBookError
            If ``names`` has no such column.
        """
        if column not in self.names:
            do = did_you_mean(column, self.names) or f"known: {', '.join(self.names) or 'none'}"
            raise StudyBookError(f"names of {self.study} has no {column!r}\n  → {do}")

        def name(factors: Mapping[str, Any]) -> str | None:
            found = (each.name(factors) for each in self.names[column])
            return next(filter(None, found), None)

        return name

    def runs_like(self, **factors: Any) -> dict[str, Any]:
        """The factors of the runs that a figure takes: the baseline, but for those given.

        Runs without a factor of the baseline belong to them, too; they must have those given.
        """
        usual = {name: [value, None] for name, value in self.baseline.items()}
        return usual | factors

    def faults(self, run: Run) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """The faults in the words of a run: for each the keys that lead to it, and a sentence."""
        for name, value in run.factors.items():
            if self.factors and name not in self.factors and name != REPETITION:
                known = did_you_mean(name, self.factors) or f"known: {', '.join(self.factors)}"
                said = f"factors.{name} is not a factor of {self.study}\n  → {known}"
                yield ("factors", name), said
            elif name in self.factors and (fault := self.factors[name].fault(value)):
                yield ("factors", name), f"factors.{name} is {value!r}\n  → {fault}"
        for number, host in enumerate(run.hosts):
            if self.roles and host.role not in self.roles:
                known = did_you_mean(host.role, self.roles) or f"known: {', '.join(self.roles)}"
                said = f"hosts.{number}.role is {host.role!r}, no role of {self.study}\n  → {known}"
                yield ("hosts", number, "role"), said
        tables = [(file, file.table) for file in run.files if file.table]
        mapped = {each.name: (each, file) for file, table in tables for each in table.metrics}
        for each, file in mapped.values():
            if fault := self._metric_fault(each, f"metrics in pipelines/{self.study}/{FILE_NAME}"):
                # Files of a pattern stand in the manifest once: only its list has a line.
                yield ("files",), f"files: {file.path}: {fault}"

    def _metric_fault(self, given: mapping.MappedMetric, where: str) -> str:
        """The fault of a metric that a table gives; empty if there is none.

        It says where metrics of the study's own stand.
        """
        name, unit = given.name, unit_of(given.name)[1]
        own = self.metrics.get(name)
        if known := own or METRICS.get(name):
            # Of what only the study knows nothing is converted: the file has it as the study says.
            if without_unit(name, given.unit) is not None:
                if given.unit == known.unit:
                    return ""
                return (
                    f"{name} is in {known.unit or 'plain numbers'}, and the file has it in"
                    f" {given.unit}\n  → say one unit in both places"
                )
            if conversion(known.unit, unit) == 1:
                return ""
            say = f'say unit: "{unit}" in study.yml, or ' if own and unit else ""
            return (
                f"{name} is in {known.unit or 'plain numbers'}, and its name says"
                f" {unit or 'no unit'}\n  → {say}give it a name that ends with its unit"
            )
        stem = without_unit(name, given.unit)
        stem, unit = (unit_of(name)[0], unit) if stem is None else (stem or name, given.unit)
        label = stem.replace("_", " ").capitalize()
        said = f"label: {label}" + (f', unit: "{unit}"' if unit else "")
        near = did_you_mean(name, {*METRICS, *self.metrics})
        return (
            f"{name} is not a metric{f'; {near}' if near else ''}\n  → add to {where}: "
            f" {name}: {{{said}, better: neither,"
            " decimals: 1}  (better: higher or lower, where one is)"
        )


def folder(root: Path, study: str) -> Path:
    """The folder with the models and words of a study, which need not be there."""
    return root / "pipelines" / study


def place(root: Path, study: str) -> Path:
    """The file with the words of a study, which need not be there."""
    return folder(root, study) / FILE_NAME


def only_study(root: Path) -> str | None:
    """The study of a book, if it has words on a single one."""
    studies = [path.parent.name for path in root.glob(f"pipelines/*/{FILE_NAME}")]
    return studies[0] if len(studies) == 1 else None


def studies_with_goals(root: Path) -> list[str]:
    """The studies that have goals, by name, whether or not a data set has runs of them."""
    return sorted(path.parent.name for path in root.glob(f"pipelines/*/{GOALS}"))


def read_definition(root: Path, study: str) -> Definition | None:
    """Read the words of a study; None where it has none of its own.

    Raises
    ------
    StudyBookError
        If the file is wrong.
    """
    path = place(root, study)
    if not path.is_file():
        return None
    found = read_yaml(path, Definition)
    if "study" in found.model_fields_set:
        check_study(path, found.study, study)
    return found.model_copy(update={"study": study})


def check_study(path: Path, said: str, study: str) -> None:
    """Refuse a file that says it is of another study than it lies with.

    Raises
    ------
    StudyBookError
        With file and line.
    """
    if said != study:
        raise StudyBookError(
            f"{path}, line {line_of(path, 'study')}: study: it is {said[:100]!r}, but the file is"
            f" that of {study}\n  → change the line, or move the file"
        )
