"""The model of the FileNet P8 study: Content Engine and Process Engine in one guest."""

from testbed.filenet.model import (
    LEVELS,
    ONE_CPU_LEVELS,
    SETUPS,
    Setup,
    group_response_ms,
    levels,
    predict,
    predict_level,
    unit_per_s,
)

__all__ = [
    "LEVELS", "ONE_CPU_LEVELS", "SETUPS", "Setup", "group_response_ms", "levels", "predict",
    "predict_level", "unit_per_s",
]  # fmt: skip
