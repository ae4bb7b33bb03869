"""The quantities of the FileNet study's figures, read off a prediction."""

from __future__ import annotations

from collections.abc import Callable

from testbed.filenet.guests import CE_PE, DB
from testbed.filenet.mix import Engine
from testbed.filenet.model import group_response_ms
from testbed.prediction import Prediction


def _ifl(prediction: Prediction, guest: str) -> float:
    use = prediction.guest(guest)
    return use.user_ifl + use.system_ifl + use.hypervisor_ifl


def mean_response_ms(prediction: Prediction, engine: Engine) -> float:
    """Return the mean over the groups of an engine, not weighted: as Figures 11 and 12 have it."""
    groups = group_response_ms(prediction.operations, engine)
    return sum(groups.values()) / len(groups)


def slowest_response_ms(prediction: Prediction, engine: Engine) -> float:
    """Return the response time of the slowest group of an engine."""
    return max(group_response_ms(prediction.operations, engine).values())


#: By the name that targets use.
QUANTITIES: dict[str, Callable[[Prediction], float]] = {
    "operations_per_s": lambda prediction: prediction.throughput_per_s,
    "ce_pe_ifl": lambda prediction: _ifl(prediction, CE_PE),
    "ce_pe_busy_share": lambda prediction: _ifl(prediction, CE_PE) / prediction.guest(CE_PE).vcpus,
    "ce_pe_ifl_per_operation": lambda prediction: (
        _ifl(prediction, CE_PE) / prediction.throughput_per_s
    ),
    "db_ifl": lambda prediction: _ifl(prediction, DB),
    "ce_response_ms": lambda prediction: mean_response_ms(prediction, "CE"),
    "pe_response_ms": lambda prediction: mean_response_ms(prediction, "PE"),
    "slowest_ce_group_ms": lambda prediction: slowest_response_ms(prediction, "CE"),
    "slowest_pe_group_ms": lambda prediction: slowest_response_ms(prediction, "PE"),
}
