"""The commands and outputs in the docs: run, compared, and written anew by ``make docs``.

A walk is a page of ``docs/walks``, and is run from its top to its end in a folder of its own: a
text behind the name of a file is written, and each command of a block ``console`` is run where
those before it have left off. What a command prints takes the place of the lines below it. A block
below ``<!-- by make docs only -->`` takes long, and is not run by the tests; what stands in one
below ``<!-- varies -->`` is of one run, and comes out otherwise each time.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.conftest import REPOSITORY, samples_folder
from tests.support.folder import write_runs

#: What a reader of the README is led to, in the order in which it leads there.
README = REPOSITORY / "README.md"
LED_TO = tuple(
    REPOSITORY / each
    for each in dict.fromkeys(re.findall(r"\((docs/[a-z-]+\.md)\)", README.read_text("utf-8")))
)
#: The pages whose commands and outputs are held to what the product does.
PAGES = (README, *LED_TO, REPOSITORY / "CONTRIBUTING.md")

OUTPUT = re.compile(r"<!-- output of: studybook (.*?) -->\n```text\n(.*?)```", re.DOTALL)

#: The pages that are run as a whole.
WALKS = REPOSITORY / "docs/walks"

#: What lies in the folder of a walk before it begins.
GIVEN: dict[str, Callable[[Path], object]] = {
    "twelve-runs": lambda folder: write_runs(folder / "results")
}

_STEP = re.compile(
    r"^`(?P<name>[^`\n]+)`:\n\n```\w+\n(?P<content>.*?)^```$"
    r"|^(?:<!-- (?P<how>by make docs only|varies) -->\n)?```console\n(?P<lines>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
#: How far long work has come: said on slow machines only.
_PROGRESS = re.compile(r"^(?:loading|figures|looking): \d+ of \d+ .*\n", re.MULTILINE)


def output_of(arguments: str) -> str:
    """What ``studybook`` prints for these arguments."""
    done = subprocess.run(
        [sys.executable, "-m", "studybook", *arguments.split()],
        cwd=REPOSITORY,
        env=os.environ | {"COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def renewed(text: str) -> str:
    """A page with every output as it is now."""

    def fresh(match: re.Match[str]) -> str:
        arguments = match[1]
        return f"<!-- output of: studybook {arguments} -->\n```text\n{output_of(arguments)}```"

    return OUTPUT.sub(fresh, text)


@dataclass(frozen=True)
class Walked:
    """A page that was run.

    Attributes
    ----------
    text : str
        The page, with what came out.
    said : mapping of str to str
        What each command printed, with its exit code where that is not 0.
    """

    text: str
    said: dict[str, str]


def walked(page: Path, folder: Path, programs: Path, *, whole: bool = False) -> Walked:
    """Run a walk.

    Parameters
    ----------
    page : pathlib.Path
        The page.
    folder : pathlib.Path
        An empty folder.
    programs : pathlib.Path
        The folder of the commands ``studybook`` and ``python``.
    whole : bool
        Whether to run what takes long, too, and to take over what varies.
    """
    GIVEN.get(page.stem, lambda _: None)(folder)
    place, said = folder, {}

    def step(match: re.Match[str]) -> str:
        nonlocal place
        if match["name"]:
            path = place / match["name"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(match["content"], encoding="utf-8")
            return match[0]
        if match["how"] == "by make docs only" and not whole:
            return match[0]
        lines = []
        for command in _commands(match["lines"]):
            printed, place = _run(command, place, folder, programs)
            said[command] = printed
            lines.append(f"$ {command.replace(chr(10), chr(10) + '> ')}\n{printed}")
        if match["how"] == "varies" and not whole:
            return match[0]
        head = f"<!-- {match['how']} -->\n" if match["how"] else ""
        return f"{head}```console\n{''.join(lines)}```"

    return Walked(_STEP.sub(step, page.read_text(encoding="utf-8")), said)


def _commands(lines: str) -> Iterator[str]:
    """The commands of a block; one goes on where a line begins with ``>``."""
    for found in re.finditer(r"^\$ (.*(?:\n> .*)*)$", lines, re.MULTILINE):
        yield found[1].replace("\n> ", "\n")


def _run(command: str, place: Path, folder: Path, programs: Path) -> tuple[str, Path]:
    """What a command prints, and where it leaves off."""
    ended = folder.parent / f"{folder.name}-ended-in"
    ours = {k: v for k, v in os.environ.items() if not k.startswith("STUDYBOOK_")}
    done = subprocess.run(
        ["bash", "-c", f'trap \'pwd > "$ENDED_IN"\' EXIT\n{command}'],
        cwd=place,
        env=ours | {
            "COLUMNS": "100", "TZ": "UTC", "ENDED_IN": str(ended),
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "STUDYBOOK_SAMPLES": str(samples_folder()), "STUDYBOOK_WORKERS": "1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )  # fmt: skip
    printed = _PROGRESS.sub("", done.stdout)
    assert "Traceback" not in printed, printed
    code = f"[exit code {done.returncode}]\n" if done.returncode else ""
    return printed + code, Path(ended.read_text(encoding="utf-8").strip())


def write(page: Path) -> None:
    """Write the outputs of a page anew."""
    page.write_text(renewed(page.read_text(encoding="utf-8")), encoding="utf-8")


def write_walk(page: Path) -> None:
    """Run a walk as a whole, and write what came out."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) / "walk"
        folder.mkdir()
        text = walked(page, folder, Path(sys.executable).parent, whole=True).text
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for each in PAGES:
        write(each)
    for each in sorted(WALKS.glob("*.md")):
        write_walk(each)
