"""The operations of the FileNet workload, with their shares and what they need.

The shares are those of Tables 8.1 and 8.2 of the document, and the groups those of its Table 9.
How much work an operation is, compared with the others of its engine, was not published: the
weights are plausible ones, and only their proportions count.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Engine = Literal["CE", "PE"]
ENGINES: tuple[Engine, ...] = ("CE", "PE")


@dataclass(frozen=True)
class Kind:
    """One kind of operation.

    Parameters
    ----------
    engine : {'CE', 'PE'}
        The engine that does it.
    group : str
        The group in whose response time it counts.
    name : str
        What it is called in the driver's log.
    share : float
        Share of the operations of its engine; they sum to 1.
    weight : float
        Its work in comparison with others of its engine.
    upload_kib, download_kib : float
        Content that moves. Sizes from ``a`` to ``b`` are taken as spread evenly over their
        logarithm, so their mean is ``(b - a) / ln(b / a)``.
    """

    engine: Engine
    group: str
    name: str
    share: float
    weight: float
    upload_kib: float = 0.0
    download_kib: float = 0.0

    @property
    def relative_work(self) -> float:
        """Its work as a multiple of the mean of its engine."""
        return self.weight / mean((kind.share, kind.weight) for kind in of(self.engine))


#: 1 to 500 KiB when created, 100 KiB when updated, 1 KiB to 2 MiB when retrieved (Table 8.1).
KINDS = (
    Kind("CE", "create", "CE create", 0.16, 1.2, upload_kib=80),
    Kind("CE", "update", "CE update", 0.14, 1.3, upload_kib=100),
    Kind("CE", "retrieval", "CE retrieve", 0.36, 1.0, download_kib=268),
    Kind("CE", "retrieval", "CE search", 0.34, 0.8),
    Kind("PE", "logon", "PE logon", 0.05, 1.20),
    Kind("PE", "query", "PE query", 0.20, 0.70),
    Kind("PE", "update", "PE update", 0.30, 0.95),
    Kind("PE", "dispatch", "PE dispatch", 0.30, 1.15),
    Kind("PE", "reassign", "PE reassign", 0.05, 0.80),
    Kind("PE", "launch", "PE launch", 0.10, 1.40),
)


def of(engine: Engine) -> tuple[Kind, ...]:
    """Return the operations of an engine."""
    return tuple(kind for kind in KINDS if kind.engine == engine)


def mean(pairs: Iterable[tuple[float, float]]) -> float:
    """Return the mean of values, given as pairs of weight and value."""
    weighted = list(pairs)
    return sum(w * v for w, v in weighted) / sum(w for w, _ in weighted)
