"""The model of the ECM scale-out study: one to many nodes on Spectrum Scale under z/VM."""

from testbed.ecm.model import predict
from testbed.ecm.setup import Setup

__all__ = ["Setup", "predict"]
