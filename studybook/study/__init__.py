"""A study of a data set as a notebook works with it, limited to what the figure declares."""

from studybook.study.study import Study, open_study

__all__ = ["Study", "open_study"]
