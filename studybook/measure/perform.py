"""Performing a plan: run after run, each kept as soon as it is complete."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from studybook.errors import StudyBookError
from studybook.measure import host
from studybook.measure.command import Command
from studybook.measure.plan import Plan, PlannedRun
from studybook.measure.recording import Recording
from studybook.measure.run_command import Failed, NoResult, Stopped, run_command, serving
from studybook.measure.run_file import KeptFile, write_run
from studybook.process.stop import Stop


@dataclass
class Outcome:
    """The outcome of a plan."""

    kept: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """Who is told what happens: before a command, after it, and of what went wrong."""

    begins: Callable[[str], None]
    ended: Callable[[float], object]
    says: Callable[[str], None]


def perform(plan: Plan, stop: Stop, report: Report) -> Outcome:
    """Run all that the plan has, until the end or until someone asks to stop.

    Parameters
    ----------
    plan : Plan
        Checked before.
    stop : Stop
        Looked at while tools run.
    report : Report
        Is told what happens.

    Raises
    ------
    StudyBookError
        If files cannot be written.
    """
    outcome = Outcome()
    until = time.monotonic() + plan.most_seconds
    try:
        plan.target.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix="studybook-measure-", dir=plan.directory))
        try:
            for number, run in enumerate(plan.runs):
                if stop.asked:
                    break
                if time.monotonic() + run.seconds > until:
                    outcome.left_out = [each.name for each in plan.runs[number:]]
                    break
                _Run(plan, run, scratch, stop, report, outcome, until).perform()
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
            _remove_if_empty(plan.target)
            _remove_if_empty(plan.target.parent)
    except OSError as error:
        raise StudyBookError(
            f"{error.filename or plan.target}: {error.strerror or error}\n"
            "  → what was complete before is kept; name other folders by --out and --directory"
        ) from error
    return outcome


def _remove_if_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


@dataclass
class _Run:
    """One run while it is made, in a folder whose name hides it from loading."""

    plan: Plan
    run: PlannedRun
    scratch: Path
    stop: Stop
    report: Report
    outcome: Outcome
    until: float

    def perform(self) -> None:
        """Run the commands, and keep the run if any of them came to its end."""
        folder = self.plan.target / f".{self.run.name}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            start = time.time()
            notes = [f"File system: {host.file_system(self.scratch)}."]
            with Recording(self.plan.recorder, folder, self.scratch) as recording:
                files, faults = self._commands(folder)
            if files:
                files += recording.files()
                notes += [*recording.faults, *faults]
                write_run(folder, self.plan.study, self.run, start, files, notes)
                folder.rename(self.plan.target / self.run.name)
                self.outcome.kept.append(self.run.name)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _commands(self, folder: Path) -> tuple[list[KeptFile], list[str]]:
        """Run the commands; what was kept, and what was not and why."""
        files: list[KeptFile] = []
        faults: list[str] = []
        experiment = self.run.experiment
        try:
            with serving(experiment.service, self._fresh(), self.stop):
                for command in experiment.commands:
                    self.report.begins(f"{self.run.name}: {command.text}")
                    try:
                        attempt, file = self._attempts(command, folder)
                        files.append(file)
                        if attempt > 1:
                            faults.append(
                                f"No result before attempt {attempt}, which is kept: {command.text}"
                            )
                    except Failed as error:
                        self._failed(f"{command.text}: {error}")
                        faults.append(f"Failed, and not kept: {command.text}")
                    self.report.ended(command.seconds)
        except Failed as error:
            self._failed(str(error))
            faults.append("The server beside the commands could not be started.")
        except Stopped:
            done = {file.path for file in files}
            cut = [each.text for each in experiment.commands if each.file not in done]
            faults.append(f"Stopped by hand; not kept or not run: {' | '.join(cut)}")
        return files, faults

    def _attempts(self, command: Command, folder: Path) -> tuple[int, KeptFile]:
        """Run a command until it prints a result; at which attempt it did, and what is kept."""
        attempt = 1
        while True:
            left = self.until - time.monotonic()
            try:
                began, ended = run_command(
                    command, folder / command.file, self._fresh(), self.stop, left
                )
            except NoResult:
                if attempt == command.attempts:
                    raise
                attempt += 1
            else:
                return attempt, KeptFile(command.file, command.text, began, ended)

    def _failed(self, text: str) -> None:
        self.outcome.failed.append(f"{self.run.name}: {text}")
        self.report.says(f"{self.run.name}: {text}")

    def _fresh(self) -> Path:
        """The folder of the test files, with nothing in it."""
        for each in self.scratch.iterdir():
            if each.is_dir():
                shutil.rmtree(each)
            else:
                each.unlink()
        return self.scratch
