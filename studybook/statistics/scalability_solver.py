"""The solver below the scalability laws: least squares within bounds, from good start values."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import least_squares, nnls

from studybook.statistics.profile import Values

#: The most that gamma, alpha and beta can be; the least is 0.
UPPER = (math.inf, 1.0, math.inf)

#: From the parameters of a fit with one of them exchanged for a quantity, back to the parameters.
Complete = Callable[[Values], Values]


@dataclass(frozen=True)
class Data:
    """Observations: how many of a kind, their throughput, and the weight of each."""

    n: Values
    x: Values
    weights: Values


def throughput(n: ArrayLike, gamma: float, alpha: float, beta: float = 0.0) -> Values:
    """Return X(N) by the law, in the unit of gamma."""
    n = np.asarray(n, dtype=np.float64)
    return np.asarray(gamma * n / (1 + alpha * (n - 1) + beta * n * (n - 1)), dtype=np.float64)


def typical_sizes(n: Values, start: Values) -> Values:
    """Typical sizes of the coordinates, so that the solver works with numbers near 1."""
    most = float(np.max(n))
    typical = np.array([1.0, 1 / most, 1 / most**2])
    return np.where(start > 1e-6 * typical, start, typical)


def start_values(data: Data, free: list[int]) -> list[Values]:
    """Start values: N / X is linear in three unknowns; and Amdahl's law with little overhead."""
    n, x = data.n, data.x
    terms = np.column_stack([np.ones_like(n), n - 1, n * (n - 1)])[:, free]
    rows = np.sqrt(data.weights) * x**2 / n
    found, _ = nnls(terms * rows[:, None], rows * n / x)
    usual = np.array([float(np.max(x / n)), 0.1, 0.1]) * typical_sizes(n, np.zeros(3))
    plain = np.where(np.isin(range(3), free), usual, 0.0)
    if found[0] <= 0:
        return [plain]
    guess = np.zeros(3)
    guess[free] = [1 / found[0], *found[1:] / found[0]]
    guess[1] = min(guess[1], 0.99)
    return [guess, plain]


def least_squares_fit(
    of: Data,
    start: Values,
    complete: Complete,
    free: list[int],
    scale: Values,
    upper: list[float],
    tolerance: float = 1e-14,
) -> tuple[Values, float]:
    """Fit the free coordinates; return all of them, and the residual sum of squares."""
    root = np.sqrt(of.weights)
    unit = float(np.max(of.x))

    def residuals(free_values: Values) -> Values:
        trial = start.copy()
        trial[free] = free_values * scale[free]
        return root * (throughput(of.n, *complete(trial)) - of.x) / unit

    limits = np.array(upper) / scale[free]
    # Not from a bound: the solver takes small steps there, and stops for their smallness.
    begin = np.clip(start[free] / scale[free], 1e-3, limits * (1 - 1e-3))
    solved: Any = least_squares(
        residuals,
        begin,
        jac="3-point",
        bounds=(0.0, limits),
        xtol=tolerance,
        ftol=tolerance,
        gtol=tolerance,
    )
    found = start.copy()
    found[free] = solved.x * scale[free]
    return found, float(2 * solved.cost) * unit**2
