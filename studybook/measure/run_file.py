"""``run.yml`` of a run that was measured here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from studybook.dataset.manifest import FILE_NAME
from studybook.measure import host
from studybook.measure.plan import PlannedRun


@dataclass(frozen=True)
class KeptFile:
    """A raw export, the command that printed it, and when that began and ended."""

    path: str
    command: str
    began: float | None = None
    ended: float | None = None

    def entry(self, host_name: str) -> dict[str, Any]:
        """The file as ``run.yml`` lists it."""
        notes = [self.command]
        if self.began is not None and self.ended is not None:
            notes.append(f"from {_text(self.began)} to {_text(self.ended)} UTC")
        return {
            "path": self.path, "host": host_name, "provenance": "captured", "notes": notes
        }  # fmt: skip


def write_run(
    folder: Path,
    study: str,
    run: PlannedRun,
    start: float,
    files: Sequence[KeptFile],
    notes: Sequence[str],
) -> None:
    """Write ``run.yml`` beside the raw exports.

    Parameters
    ----------
    folder : pathlib.Path
        The run's folder.
    study : str
        The study that it belongs to.
    run : PlannedRun
        What was run.
    start : float
        When it began, in seconds since 1970.
    files : sequence of KeptFile
        The raw exports.
    notes : sequence of str
        What came of it, beside what the experiment says of itself.
    """
    machine = host.host()
    releases = host.releases((*run.experiment.tools, "sar"))
    content: dict[str, Any] = {
        "study": study,
        "run": run.name,
        "title": run.title,
        "origin": "measured",
        "kind": "measurement",
        "time_zone": "UTC",
        "start": _text(start).replace(" ", "T"),
        "factors": {"experiment": run.experiment.name, "repetition": run.repetition},
        "hosts": [machine],
        "files": [file.entry(machine["name"]) for file in files],
        "notes": [
            *run.experiment.notes,
            *([f"Releases: {releases}."] if releases else []),
            *notes,
        ],
    }
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=4096)
    (folder / FILE_NAME).write_text(text, encoding="utf-8")


def _text(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")
