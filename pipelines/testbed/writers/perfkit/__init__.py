"""Listings of the z/VM Performance Toolkit."""

from pipelines.testbed.writers.perfkit.listing import NOTE, lines
from pipelines.testbed.writers.perfkit.page import Machine

__all__ = ["NOTE", "Machine", "lines"]
