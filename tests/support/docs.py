"""The commands and outputs in the docs: run, compared, and written anew by ``make docs``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import REPOSITORY

#: The pages whose commands and outputs are held to what the product does.
PAGES = (REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md")

OUTPUT = re.compile(r"<!-- output of: studybook (.*?) -->\n```text\n(.*?)```", re.DOTALL)


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


def write(page: Path) -> None:
    """Write the outputs of a page anew."""
    page.write_text(renewed(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    for each in PAGES:
        write(each)
