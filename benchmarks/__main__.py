"""``python -m benchmarks``: measure, print ratios, exit with 1 if a target is missed."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from benchmarks import report
from benchmarks.cases import CASES
from benchmarks.measure import measure
from benchmarks.report import Result


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark; 0 if every target is met, 1 if one is missed."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.readme and options.only:
        parser.error("--readme is for all cases: leave out --only")

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    results: list[Result] = []
    every = sorted({1, len(os.sched_getaffinity(0))})
    for name in options.only or CASES:
        with tempfile.TemporaryDirectory(prefix="bench-", dir=options.folder) as folder:
            say(f"{name}: making files")
            case = CASES[name](Path(folder), options.size_mb)
            if case is None:
                say(f"{name}: not measured: sysstat is not installed (sadc, sar, sadf)")
                continue
            for processors in options.processors or every:
                taken = measure(case, options.repeat, processors, Path(folder), say)
                results.append(Result(case, processors, taken))
    print(report.text(results))
    if options.json:
        found = report.as_json(results, options.repeat)
        options.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    if options.readme:
        report.write_readme(results, options.repeat)
    return 0 if report.met(results) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--size-mb", type=int, default=200, help="size of the large files")
    parser.add_argument("--only", nargs="+", choices=list(CASES), help="measure these only")
    parser.add_argument("--repeat", type=int, default=3, help="turns; the median counts")
    parser.add_argument(
        "--processors", nargs="+", type=int, help="for each side; with one and with all by default"
    )
    parser.add_argument("--folder", type=Path, help="where to make the files (2 GB)")
    parser.add_argument("--json", type=Path, help="write everything that was measured there")
    parser.add_argument("--readme", action="store_true", help="write the results into the README")
    return parser


if __name__ == "__main__":
    sys.exit(main())
