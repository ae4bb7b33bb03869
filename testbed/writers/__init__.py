"""One module per raw export: a course of a run in, the lines of the native file out."""
