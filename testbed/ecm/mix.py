"""The transactions and pages of the users of Content Navigator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from studybook.checked_yaml import Strict, read_yaml

FILE = Path(__file__).with_name("mix.yml")

#: Kinds of demand: all that a page needs is of one of them; each page has a factor for each.
Origin = Literal["work", "database", "read", "write"]
ORIGINS: tuple[Origin, ...] = ("work", "database", "read", "write")

NotNegative = Annotated[float, Field(ge=0)]


class _Page(Strict):
    name: str
    work: NotNegative
    database: NotNegative
    read: NotNegative
    write: NotNegative


class _Transaction(Strict):
    name: str
    weight: Annotated[float, Field(gt=0)]
    pages: Annotated[tuple[_Page, ...], Field(min_length=1)]


class _Mix(Strict):
    transactions: tuple[_Transaction, ...]


@dataclass(frozen=True)
class Page:
    """A page: its share of all pages, and what it needs as multiples of the mean page.

    Parameters
    ----------
    transaction, name : str
        Names in the test.
    share : float
        Share of all pages; the shares add up to 1.
    factors : mapping of str to float
        By origin; over all pages, weighted with their shares, each has the mean 1.
    """

    transaction: str
    name: str
    share: float
    factors: Mapping[Origin, float]


@dataclass(frozen=True)
class Mix:
    """All pages, and how many of them a transaction has on average."""

    pages: tuple[Page, ...]
    pages_per_transaction: float


@cache
def read_mix(path: Path = FILE) -> Mix:
    """Read the mix, and scale it so that the mean page needs 1 of everything."""
    transactions = read_yaml(path, _Mix).transactions
    weighted = [(each, page) for each in transactions for page in each.pages]
    total = sum(each.weight for each, _ in weighted)
    mean = {
        origin: sum(each.weight / total * getattr(page, origin) for each, page in weighted)
        for origin in ORIGINS
    }
    pages = tuple(
        Page(
            transaction=each.name,
            name=page.name,
            share=each.weight / total,
            factors={origin: getattr(page, origin) / mean[origin] for origin in ORIGINS},
        )
        for each, page in weighted
    )
    return Mix(pages, total / sum(each.weight for each in transactions))
