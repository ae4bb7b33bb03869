"""Listings of the z/VM Performance Toolkit."""

from testbed.writers.perfkit.listing import NOTE, lines
from testbed.writers.perfkit.page import Machine

__all__ = ["NOTE", "Machine", "lines"]
