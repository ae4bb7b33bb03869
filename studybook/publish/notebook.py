"""Writing the notebooks of a staged book."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_notebook(notebook: Mapping[str, Any], path: Path) -> None:
    """Write a notebook on one line: with the indents of nbformat, a book of them takes seconds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(notebook, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    path.write_text(text, encoding="utf-8")
