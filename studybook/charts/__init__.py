"""The look of the book: one palette, one renderer, one page plugin, one browser loader.

``look`` is what a figure uses; ``notebook`` is what Altair calls, and ``renderer`` what it says
of a chart; ``page`` and ``sphinx`` are what the book build calls; ``bundle`` writes the browser
side.
"""
