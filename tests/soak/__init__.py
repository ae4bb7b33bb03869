"""Commands that are killed at any moment: what is left, and whether the next one mends it.

``make test`` has kills at chosen moments (``tests/process``, ``tests/records``); ``make soak
KILLS=n`` goes on with random ones, of processes here and of a Dask cluster and its workers.
"""
