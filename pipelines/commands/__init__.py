"""The verbs of the command line, one per file: they parse, call and print; no logic."""
