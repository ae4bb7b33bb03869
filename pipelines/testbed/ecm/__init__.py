"""The model of the ECM scale-out study: one to many nodes on Spectrum Scale under z/VM."""

from pipelines.testbed.ecm.model import predict
from pipelines.testbed.ecm.setup import Setup

__all__ = ["Setup", "predict"]
