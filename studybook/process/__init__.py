"""Processes that work side by side, and stopping them."""
