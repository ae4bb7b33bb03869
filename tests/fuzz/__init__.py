"""Files that are damaged in all ways we know of, and what must hold of each all the same.

``damage`` has the ways in which raw files get damaged, ``manifests`` those of the YAML files that
people write, ``properties`` what must hold. ``make test`` takes a few of each way for each file,
the same each time; ``make fuzz HOURS=n`` goes on with all of them on all cores.
"""
