"""The verbs of the command line, one per file: they parse, call and print; no logic.

A verb imports what it works with when it runs: its help, and that of its neighbours, is there at
once, and no verb waits for the libraries of another.
"""
