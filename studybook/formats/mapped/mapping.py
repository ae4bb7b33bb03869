"""``table`` in ``run.yml``, and ``tables`` in ``study.yml``: which column of a table is what."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from studybook.checked_yaml import Strict
from studybook.formats.mapped.conversion import conversion, known_units
from studybook.units import unit_of, without_unit
from studybook.zones import known_zone

#: What a run's values of a metric become as one number.
Statistic = Literal["mean", "sum", "min", "max", "p50", "p90", "p95", "p99"]


def _metric_name(name: str) -> str:
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise ValueError("small letters, digits and underscores are expected")
    return name


def _time_format(text: str) -> str:
    if text in ("iso", "unix", "unix-ms", "unix-us", "unix-ns"):
        return text
    if "%" not in text:
        raise ValueError(
            "iso, unix, unix-ms, unix-us, unix-ns or a pattern such as '%d.%m.%Y %H:%M:%S' is"
            " expected"
        )
    moment = datetime(2024, 11, 23, 14, 25, 36, tzinfo=UTC)
    try:
        read = datetime.strptime(moment.strftime(text), text)
    except ValueError as error:
        raise ValueError(f"{text!r} is no pattern of a time: {error}") from error
    if read.date() != moment.date():
        raise ValueError(f"{text!r} does not say day, month and year")
    return text


def one_or_more(given: Any) -> Any:
    """What stands for a list of one may stand alone."""
    return [given] if isinstance(given, str) else given


class MappedMetric(Strict):
    """A metric that a table gives."""

    column: str
    """The column of its values; in a long table, what stands for it in the column ``names``."""
    name: Annotated[str, AfterValidator(_metric_name)]
    """The metric, with its unit at the end."""
    unit: str = ""
    """The unit of the numbers in the file, which are converted."""
    units: str | None = None
    """Where rows have units of their own: the column of these."""
    statistic: Statistic = "mean"
    """How the values of a run become one."""
    counter: bool = False
    """Whether the numbers are running totals: the metric is by how much they grow per second."""
    per_interval: bool = False
    """Whether each number counts what happened since the row before (with ``time_marks: begin``,
    until the row behind): the metric is how much that is per second.
    """
    optional: bool = False
    """Whether files may lack the column."""

    @model_validator(mode="after")
    def _convertible(self) -> Self:
        to = unit_of(self.name)[1]
        if self.units and (self.unit or not to):
            raise ValueError(
                "units: the column says the unit of each number\n  → say no unit, too" if self.unit
                else f"{self.name} ends with no unit to which those of {self.units} become\n"
                "  → end it with one, such as _ms"
            )  # fmt: skip
        if self.counter and self.per_interval:
            raise ValueError(
                "counter: a number is a running total, or a count per interval\n"
                "  → keep counter, if the numbers only grow; else per_interval"
            )
        if not self.units and self.times_of(self.unit) is None:
            raise ValueError(self._cannot_become(to))
        if self.rate_by and self.statistic == "sum":
            raise ValueError(
                f"{self.rate_by}: rates have no sum\n  → take the mean, or {self.rate_by}: false"
            )
        return self

    def _cannot_become(self, to: str) -> str:
        """What to do where the unit of the numbers cannot become that of the metric."""
        ends = f"its end says {to}" if to else "its name ends with no unit"
        grows = "the growth per second of " if self.counter else ""
        each = " per second" if self.per_interval else ""
        ways = []
        if not self.rate_by and self._times_of_rate(self.unit) is not None:
            ways.append(
                "say counter: true where the numbers are running totals, per_interval: true where"
                " each counts what happened since the row before"
            )
        if near := [unit for unit in known_units() if self.times_of(unit) is not None]:
            ways.append(
                f"name the unit of the numbers in the file, such as: {', '.join(near[:12])}"
            )
        ways.append(
            "end the name with another unit, such as _ms, _per_s, _mib_s, _percent; or with that"
            " of the file, as it is: drift_mm of mm"
        )
        return (
            f"{self.name} cannot be had of {grows}{self.unit or 'plain numbers'}{each}: {ends}\n"
            f"  → {'; or '.join(ways)}"
        )

    @property
    def rate_by(self) -> str:
        """The key by which the metric is a rate of the numbers; empty where they are its values."""
        return "counter" if self.counter else "per_interval" if self.per_interval else ""

    def times_of(self, unit: str) -> float | None:
        """By what numbers in a unit, or what they are per second, are multiplied."""
        if self.rate_by:
            return self._times_of_rate(unit)
        to = unit_of(self.name)[1]
        return conversion(unit, to) if without_unit(self.name, unit) is None else 1

    def _times_of_rate(self, unit: str) -> float | None:
        to = unit_of(self.name)[1]
        seconds = conversion(unit, "s")
        if seconds is None:
            return conversion(f"{unit or 1}/s", to)
        share = conversion("share", to)  # such as processor time: seconds per second
        return share and seconds * share


class Mapping(Strict):
    """What the columns of a table are."""

    rows: str | None = None
    """Of JSON: where in an object its rows stand, such as ``benchmarks`` or ``results.times``: each
    entry of an array on that way is one, each member of an object where it says ``*``.
    """
    time: Annotated[tuple[str, ...], BeforeValidator(one_or_more)] = ()
    """The column of times, or several, such as day and time of day; without it, values are of the
    whole run.
    """
    time_format: Annotated[str, AfterValidator(_time_format)] = "iso"
    """``iso``, ``unix``, ``unix-ms``, ``unix-us``, ``unix-ns`` or a pattern such as ``%d.%m.%Y
    %H:%M:%S``.
    """
    time_marks: Literal["end", "begin"] = "end"
    """What a row's time is of what the row counts: its end, or its beginning."""
    time_zone: Annotated[str, AfterValidator(known_zone)] | None = None
    """That of times which name none; by default that of the run."""
    host: str | None = None
    """A column that tells hosts apart."""
    label: Annotated[tuple[str, ...], BeforeValidator(one_or_more)] = ()
    """A column that tells other things apart, such as requests; or several that do so together."""
    rows_are: str = ""
    """What all rows are of, where no column tells it: their label, such as ``generator A``."""
    names: str | None = None
    """Of a long table: the column with the names of metrics."""
    values: str | None = None
    """Of a long table: the column of their numbers."""
    units: str | None = None
    """Of a long table: the column of their units."""
    where: dict[str, Annotated[tuple[str, ...], BeforeValidator(one_or_more)]] = Field(
        default_factory=dict
    )
    """The rows that count: columns, and what must stand there, such as ``run_type: iteration``."""
    metrics: tuple[MappedMetric, ...] = Field(min_length=1)
    """The metrics that it gives."""
    empty: tuple[str, ...] = ()
    """Cells that hold no value, as empty ones do."""
    delimiter: Literal[",", ";", "\t", "|", " "] = ","
    """Of CSV: what parts cells; a blank stands for any number of blanks and tabs."""
    decimal: Literal[".", ","] = "."
    """Of CSV: the decimal sign."""
    skip: int = Field(default=0, ge=0, le=10_000)
    """Of CSV: how many lines stand before the header, or before the first row if there is none."""
    header: tuple[str, ...] = ()
    """Of CSV without a header: the names of its columns."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.names is None) != (self.values is None):
            raise ValueError("a long table has both: names and values")
        if self.units is not None and self.names is None:
            raise ValueError("units is a column of a long table\n  → say names and values, too")
        if self.decimal == self.delimiter:
            raise ValueError("decimal and delimiter cannot be the same\n  → say delimiter: ';'")
        for name in self.columns if self.header else ():
            if self.header.count(name) != 1:
                times = "twice" if name in self.header else "not"
                raise ValueError(f"header: {name!r}, which is mapped, is {times} among its names")
        if self.rows_are and self.label:
            raise ValueError("label: a column says what rows are of, and rows_are what all are of")
        if not self.time and (rate := next((m for m in self.metrics if m.rate_by), None)):
            what = "a counter" if rate.counter else "a count per interval"
            raise ValueError(
                f"metrics: {rate.name} is {what}, and the table has no times\n  → say time"
            )
        if self.names is not None and (own := next((m for m in self.metrics if m.units), None)):
            raise ValueError(f"metrics: units of {own.name}: a long table says it beside names")
        way = f"{self.rows}."
        for each in self.metrics if self.rows and self.names is None else ():
            if not f"{each.column}.".startswith(way):  # it would count once for each row
                raise ValueError(
                    f"metrics: {each.column} does not stand in {self.rows}, and is no value of its"
                    " rows\n  → take a column of the rows, or say rows otherwise"
                )
        if self.names is not None and any(each.optional for each in self.metrics):
            raise ValueError("metrics: optional is needless: a long table may lack any name")
        given = [each.name for each in self.metrics]
        if twice := sorted({name for name in given if given.count(name) > 1}):
            raise ValueError(f"metrics: {', '.join(twice)} stands there twice")
        return self

    @property
    def columns(self) -> list[str]:
        """The columns that are mapped."""
        return self._columns_with(self.metrics)

    def needed(self, there: Collection[str]) -> list[str]:
        """Those that a file must have, which has some: all but what is optional, with its unit."""
        return self._columns_with([m for m in self.metrics if not m.optional or m.column in there])

    def _columns_with(self, metrics: Sequence[MappedMetric]) -> list[str]:
        of_metrics = [each.column for each in metrics] if self.names is None else []
        named = (self.host, *self.label, *self.where, self.names, self.values, self.units)
        of_units = [each.units for each in metrics]
        return list(dict.fromkeys([*self.time, *filter(None, [*named, *of_units]), *of_metrics]))
