"""A model of the systems under test, and writers of the raw exports that their tools would print.

parameters → model → prediction → course of a run → native files. Nothing here is imported by
the readers, and nothing of the readers is imported here: only so does a round trip prove them.
"""
