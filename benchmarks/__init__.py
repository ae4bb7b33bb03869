"""Benchmarks: every claim about speed in this project is measured here, as a ratio.

``python -m benchmarks`` makes files of invented values, loads them with the readers and, side
by side in the same run, does what the claim compares with. It shares no code with the readers.
"""
