"""The studies that have a model: how to predict, and what can be read off a prediction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from studybook.errors import StudyBookError
from testbed import ecm, filenet
from testbed.ecm.quantities import QUANTITIES as ECM_QUANTITIES
from testbed.filenet.quantities import QUANTITIES as FILENET_QUANTITIES
from testbed.prediction import Prediction
from testbed.targets import Case, Target

Parameters = Mapping[str, float]


@dataclass(frozen=True)
class Study:
    """A study with a model.

    Parameters
    ----------
    section : str
        Its section of the file of parameters.
    setup : callable
        Makes a setup of the keys in a target.
    predict : callable
        Predicts the steady state of a setup, with so many users and such parameters.
    quantities : mapping of str to callable
        What targets speak of, read off a prediction.
    """

    section: str
    setup: Callable[..., Any]
    predict: Callable[[Any, float, Parameters], Prediction]
    quantities: Mapping[str, Callable[[Prediction], float]]

    def case(self, case: Case, parameters: Parameters) -> Prediction:
        """Return the prediction for a case."""
        return self.predict(self.setup(**case.setup), case.users, parameters)

    def value(self, target: Target, predicted: Callable[[Case], Prediction]) -> float:
        """Return what the model says to a target, given its predictions."""
        if target.quantity not in self.quantities:
            known = ", ".join(sorted(self.quantities))
            raise StudyBookError(
                f"target {target.id}: quantity {target.quantity} is not known\n  → one of: {known}"
            )
        quantity = self.quantities[target.quantity]
        value = quantity(predicted(target))
        if target.against is None:
            return value
        other = quantity(predicted(target.against))
        return value / other if target.as_ == "ratio" else value - other


STUDIES: dict[str, Study] = {
    "ecm-scaleout": Study("ecm", ecm.Setup, ecm.predict, ECM_QUANTITIES),
    # Its targets give users in percent of those at the highest load level.
    "filenet-p8": Study("filenet", filenet.Setup, filenet.predict_level, FILENET_QUANTITIES),
}
