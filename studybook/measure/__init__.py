"""Experiments on the reader's own machine: small benchmarks, run and kept as a data set.

An experiment is a list of commands with what they will need of time and disk space; a run is one
repetition of one experiment. Everything is known before the first command starts, so that it can
be printed, refused, or done. Tools are run, never imitated: one that is missing is named.
"""
