"""Fitting the parameters of a model to some published values, and holding it against all.

A fit with as many parameters as values meets them all and proves nothing; so the result says how
many values there were beyond the parameters (:attr:`FitResult.degrees_of_freedom`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from testbed.parameters import ParameterFile
from testbed.prediction import Prediction
from testbed.studies import STUDIES, Study
from testbed.targets import Case, Target, read_targets

#: Significant digits of a fitted parameter.
DIGITS = 4


@dataclass(frozen=True)
class Comparison:
    """A published value and that of the model."""

    target: Target
    model: float

    @property
    def difference(self) -> float:
        """Model less published; of a range or a bound, how far it is off."""
        return self.target.difference(self.model)

    @property
    def holds(self) -> bool:
        """Whether the two agree."""
        return self.target.holds(self.model)


@dataclass(frozen=True)
class FitResult:
    """The result of a fit, and the number of values behind it.

    Parameters
    ----------
    values : dict of str to float
        The fitted parameters, rounded to four significant digits.
    targets : int
        Published values that the fit used.
    rss : float
        Residual sum of squares: of their distances from the model, in tolerances.
    """

    values: dict[str, float]
    targets: int
    rss: float

    @property
    def degrees_of_freedom(self) -> int:
        """Published values beyond the number of parameters."""
        return self.targets - len(self.values)


def compare(
    study: str, parameters: Mapping[str, float], targets: Iterable[Target] | None = None
) -> tuple[Comparison, ...]:
    """Hold a model against published values.

    Parameters
    ----------
    study : str
        Name of the study.
    parameters : mapping of str to float
        Values of its parameters.
    targets : iterable of Target, optional
        Published values; all of the study by default.
    """
    model = STUDIES[study]
    predicted = _predictions(model, parameters)
    return tuple(
        Comparison(target, model.value(target, predicted))
        for target in (read_targets(study) if targets is None else targets)
    )


def fit(study: str, parameters: ParameterFile, most_steps: int = 60) -> FitResult:
    """Fit the parameters of a study that have bounds to its targets with the role ``fitted``.

    Least squares of the distances in units of the tolerances (scipy, trust region reflective),
    from the values in the file.

    Parameters
    ----------
    study : str
        Name of the study.
    parameters : ParameterFile
        Values to start from, and bounds.
    most_steps : int
        Steps after which to stop, settled or not.

    """
    section = STUDIES[study].section
    free = parameters.fitted(section)
    values = parameters.values(section)
    targets = [target for target in read_targets(study) if target.role == "fitted"]

    def residuals(point: NDArray[np.float64]) -> list[float]:
        trial = {**values, **dict(zip(free, (float(x) for x in point), strict=True))}
        return [each.target.residual(each.model) for each in compare(study, trial, targets)]

    low, high = zip(*(each.bounds for each in free.values() if each.bounds), strict=True)
    # The solver starts inside the bounds, and moves in shares of each parameter's range.
    start = np.clip([each.value for each in free.values()], low, high)
    result = least_squares(
        residuals,
        start,
        bounds=(low, high),
        x_scale=np.maximum(np.abs(start), 1e-3 * np.subtract(high, low)),
        diff_step=1e-4,
        ftol=1e-10,
        xtol=1e-8,
        max_nfev=most_steps,
    )
    return FitResult(
        values={name: float(f"{x:.{DIGITS}g}") for name, x in zip(free, result.x, strict=True)},
        targets=len(targets),
        rss=2.0 * float(result.cost),
    )


def _predictions(study: Study, parameters: Mapping[str, float]) -> Callable[[Case], Prediction]:
    """Return a function that predicts each case once."""
    known: dict[str, Prediction] = {}

    def predicted(case: Case) -> Prediction:
        key = f"{sorted(case.setup.items())} {case.users}"
        if key not in known:
            known[key] = study.case(case, parameters)
        return known[key]

    return predicted
