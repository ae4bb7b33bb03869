"""Captures: what commands printed, maybe several one after another, with prompts between them.

Shared by the sources whose raw files are captures of configuration commands. A source gives
the starts of its outputs (:class:`~studybook.formats.captures.section.Start`) and how its
command lines look (:class:`~studybook.formats.captures.walk.Family`).
"""
