"""What a notebook works with: a study of a data set, limited to what the figure declares."""

from studybook.study.study import Study, open_study

__all__ = ["Study", "open_study"]
