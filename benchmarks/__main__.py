"""``python -m benchmarks``: measure, print ratios, exit with 1 if a target is missed."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from benchmarks import page, report, results
from benchmarks.cases import CASES, Asked, NotMeasuredError
from benchmarks.measure import measure
from benchmarks.results import Result


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark; 0 if every target is met, 1 if one is missed."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.readme and options.only:
        parser.error("--readme is for all cases: leave out --only")
    if options.again:
        _write(results.read())
        return 0

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    taken: list[Result] = []
    left_out: list[str] = []
    every = sorted({1, len(os.sched_getaffinity(0))})
    asked = Asked(options.size_mb, options.figures, options.tools)
    for name in options.only or CASES:
        with tempfile.TemporaryDirectory(prefix="bench-", dir=options.folder) as folder:
            say(f"{name}: making files")
            try:
                case = CASES[name](Path(folder), asked)
            except NotMeasuredError as error:
                left_out.append(f"{name}: {error}")
                say(f"{name}: not measured: {error}")
                continue
            sides = options.processors or every
            for processors in [max(sides)] if case.whole else sides:
                measured = measure(case, options.turns, processors, Path(folder), say)
                taken.append(Result(case, processors, measured))
    found = results.as_json(taken, left_out)
    print(report.text(found))
    if options.json:
        results.write(found, options.json)
    if options.readme:
        results.write(found)
        _write(found)
    return 0 if report.met(found) else 1


def _write(found: results.Found) -> None:
    """Put what was measured into the README and into the page of the book."""
    report.put(report.README, report.of_readme(found))
    page.write(found)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--size-mb", type=int, default=200, help="size of the large files")
    parser.add_argument(
        "--figures", type=int, default=12,
        help="figures in the book that is made cold; 0: the whole reference book",
    )  # fmt: skip
    parser.add_argument("--only", nargs="+", choices=list(CASES), help="measure these only")
    parser.add_argument("--turns", type=int, default=3, help="how often; the median counts")
    parser.add_argument(
        "--processors", nargs="+", type=int, help="for each side; with one and with all by default"
    )
    parser.add_argument("--folder", type=Path, help="where to make the files (2 GB)")
    parser.add_argument(
        "--tools", type=Path,
        help="where Snakemake and JMeter are, or may be put; without it they are left out",
    )  # fmt: skip
    parser.add_argument("--json", type=Path, help="write everything that was measured there")
    parser.add_argument(
        "--readme", action="store_true",
        help="keep what was measured in results.json, the README and the page of the book",
    )  # fmt: skip
    parser.add_argument(
        "--again", action="store_true",
        help="measure nothing: write README and page anew from results.json",
    )  # fmt: skip
    return parser


if __name__ == "__main__":
    sys.exit(main())
