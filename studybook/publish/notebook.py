"""Writing the notebooks of a staged book."""

from __future__ import annotations

import json
from pathlib import Path

from nbformat import NotebookNode


def write_notebook(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook on one line: with the indents of nbformat, a book of them takes seconds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(notebook, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    path.write_text(text, encoding="utf-8")
