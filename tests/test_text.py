"""Counts with their nouns: one of a thing is no plural, in no alternative text of the book."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from studybook.charts.renderer import MIME_TYPE
from studybook.engine.notebooks import Notebook, figures
from studybook.frames import words
from studybook.text import by_numbers, counted, numbered, short, singular
from tests.conftest import REPOSITORY
from tests.frames.test_load_curve import over

FIGURES = figures(REPOSITORY)


@pytest.mark.parametrize(
    ("thing", "things"),
    [
        ("node", "nodes"),
        ("process", "processes"),
        ("virtual switch", "virtual switches"),
        ("entry", "entries"),
        ("key", "keys"),
        ("cache", "caches"),
        ("NSD server", "NSD servers"),
        ("IFL", "IFLs"),
    ],
)
def test_one_and_several(thing: str, things: str) -> None:
    assert (counted(1, thing), counted(2, thing)) == (f"1 {thing}", f"2 {things}")
    assert (numbered("1", things), numbered("2", things)) == (f"1 {thing}", f"2 {things}")


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [
        (11_789.4, 3, "11,800"),
        (3_071.0, 3, "3,070"),
        (15_234.0, 4, "15,230"),
        (999.96, 3, "1,000"),
        (100.0, 2, "100"),
        (2.5, 3, "2.5"),
        (-0.012345, 3, "−0.0123"),
        (0.0, 3, "0"),
        (23_456_789, 4, "23,460,000"),
        (float("nan"), 3, "nan"),
    ],
)
def test_numbers_of_ordinary_size_have_no_exponent(value: float, digits: int, said: str) -> None:
    assert short(value, digits) == said


@pytest.mark.parametrize("word", ["ms", "GiB/s", "series", "status", "class", "axis", "", "×"])
def test_what_is_no_plural_stays(word: str) -> None:
    assert singular(word) == word


def test_a_number_that_is_no_count_keeps_the_plural() -> None:
    assert numbered("1.0", "nodes") == "1.0 nodes"


def test_names_are_sorted_by_the_numbers_in_them() -> None:
    names = ["2", "run-2b", "run-10", "run-2", "15", "1", "run", "٣"]
    wanted = ["1", "2", "15", "run", "run-2", "run-2b", "run-10", "٣"]
    assert sorted(names, key=by_numbers) == wanted


def test_alternative_texts_count_one_in_the_singular() -> None:
    at_one = pd.concat([over("ce_pe_ifl").assign(times=each) for each in (1.0, 2.0)])
    said = words.alternative("Curves", at_one, times="{:.0f} processors")
    assert ", 1 processor: " in said
    assert ", 2 processors: " in said
    said = words.alternative("Curves", at_one, times="load level {:.0f}")
    assert ", load level 1: " in said


@pytest.mark.parametrize("notebook", FIGURES, ids=lambda each: each.id)
def test_no_recorded_alternative_text_has_one_of_several(notebook: Notebook) -> None:
    said = [
        output["data"][MIME_TYPE]["description"]
        for cell in notebook.content.cells
        for output in cell.get("outputs", [])
        if MIME_TYPE in output.get("data", {})
    ]
    plurals = [
        f"1 {word}"
        for text in said
        for word in re.findall(r"(?<![\w.,/–−-])1 ([A-Za-z]+)\b", text)
        if singular(word) != word
    ]
    assert not plurals, "run: make record"
    assert not any(re.search(r"\bprocesse\b", text) for text in said), "run: make record"
