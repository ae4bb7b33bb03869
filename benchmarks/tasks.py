"""What is timed. Each task runs in a process of its own and prints what it took, as JSON.

``python -m benchmarks.tasks <processors> <task> <argument>...``; libraries are imported before the
clock starts, the database is written and closed before it stops.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pandas  # pyarrow would import it on first use, inside the timing
import yaml

from benchmarks.measure import PROGRAM_VARIABLE
from benchmarks.plain_parser import parse
from benchmarks.sar_text import START
from studybook.records import load as loading
from studybook.records import schema


def load(source: str, database: str) -> None:
    """The product's own way: every file of the source in the data set ``bench``.

    The project is the one that the environment names. What is made of the records, all models of
    the library, and the loading report, after the database was closed: their times are taken apart.
    """
    loading.report = partial(_timed, "report", loading.report)
    loading.compute.compute = partial(_timed, "models", loading.compute.compute)
    loading.load(source, data_set="bench", database=database)


def read_csv(file: str, database: str) -> None:
    """DuckDB's own reader, which finds delimiter, names and types by itself."""
    with duckdb.connect(database) as connection:
        connection.execute("CREATE TABLE plain AS FROM read_csv(?)", [file])


def plain_parser(file: str, database: str) -> None:
    """The line-splitting parser."""
    with duckdb.connect(database) as connection:
        parse(Path(file), connection, datetime.combine(START, datetime.min.time()))


def sadf(recording: str, database: str) -> None:
    """``sadf -d`` of all activities: to text only, nothing is loaded."""
    with Path(database).open("wb") as stream:
        call = ["/usr/bin/env", "LC_ALL=C", "sadf", "-d", recording, "--", "-A"]
        subprocess.run(call, check=True, stdout=stream)  # noqa: S603 - our own


def pandas_csv(file: str, database: str) -> None:
    """The C parser of pandas, whose frame DuckDB takes over."""
    plain = pandas.read_csv(file, engine="c", parse_dates=["time"])
    with duckdb.connect(database) as connection:
        connection.register("frame", plain)
        connection.execute("CREATE TABLE plain AS FROM frame")


def book(root: str, place: str) -> None:
    """The product's own way to a whole book, with nothing there: load, figures, pages."""
    shutil.rmtree(Path(root, "build"), ignore_errors=True)
    _call(sys.executable, "-m", "studybook", "book")


def papermill(plain: str, place: str) -> None:
    """Each notebook by ``papermill``, one by one, and pages by ``jupyter-book``."""
    source = _as_written(plain, place)
    for notebook in _notebooks(source):
        _call(*_PAPERMILL, str(notebook), str(notebook))
    _call(_program("jupyter-book"), "build", str(source))


_SNAKEFILE = """
rule pages:
    input: {all}
    shell: "{book} build book"
rule load:
    input: "plain/{first}"
    output: "book/{first}"
    shell: "{run} {{input}} {{output}}"
rule notebook:
    input: "plain/{{name}}.ipynb", "book/{first}"
    output: "book/{{name}}.ipynb"
    shell: "{run} {{input[0]}} {{output}}"
ruleorder: load > notebook
"""


def snakemake(plain: str, place: str) -> None:
    """The same two by Snakemake, which runs as many notebooks at once as there are processors."""
    source = _as_written(plain, f"{place}/book")
    names = [path.relative_to(source).as_posix() for path in _notebooks(source)]
    for name in names:
        Path(source, name).unlink()
    Path(place, "plain").symlink_to(plain)
    rules = _SNAKEFILE.format(
        all=", ".join(f'"book/{name}"' for name in names),
        first=names[0],
        run=" ".join(_PAPERMILL),
        book=_program("jupyter-book"),
    )
    Path(place, "Snakefile").write_text(rules, encoding="utf-8")
    cores = len(os.sched_getaffinity(0))
    _call(os.environ[PROGRAM_VARIABLE], "--cores", str(cores), "--quiet", "all", cwd=place)


def jupyter_cache(plain: str, place: str) -> None:
    """The same notebooks by jupyter-cache, side by side, from which ``jupyter-book`` has them."""
    source = _as_written(plain, f"{place}/book")
    cache = f"{place}/cache"
    config = Path(source, "_config.yml")
    keys = yaml.safe_load(config.read_text(encoding="utf-8"))
    keys["execute"] = {"execute_notebooks": "cache", "cache": cache, "timeout": -1}
    config.write_text(yaml.safe_dump(keys), encoding="utf-8")
    first, *others = map(str, _notebooks(source))
    os.environ["JUPYTERCACHE"] = cache
    for names, way in (([first], "local-serial"), (others, "local-parallel")):
        _call(_program("jcache"), "notebook", "add", *names)
        how = ("--executor", way, "--timeout", "600")
        _call(_program("jcache"), "project", "execute", *how)
    _call(_program("jupyter-book"), "build", source)


def dashboard(file: str, place: str) -> None:
    """JMeter's own dashboard: HTML with tables and charts, as its script starts it."""
    jar = f"{os.environ[PROGRAM_VARIABLE]}/bin/ApacheJMeter.jar"
    heap = ("-Xms1g", "-Xmx1g", "-XX:MaxMetaspaceSize=256m")
    _call("java", *heap, "-Djava.awt.headless=true", "-jar", jar, "-g", file, "-o", place,
          "-j", f"{place}.log")  # fmt: skip


def _as_written(plain: str, place: str) -> str:
    """A copy of plain notebooks, with nothing there that was loaded before."""
    shutil.rmtree(Path(os.environ["STUDYBOOK_HOME"], "build"), ignore_errors=True)
    shutil.copytree(plain, place)
    return place


def _notebooks(folder: str) -> list[Path]:
    """All notebooks, that first which loads for all others."""
    found = sorted(Path(folder).glob("*/*/*.ipynb"))
    return sorted(found, key=lambda path: path.name != "all.ipynb")


def _program(name: str) -> str:
    """Where a program of this Python's environment is."""
    return str(Path(sys.executable).with_name(name))


_PAPERMILL = (_program("papermill"), "--kernel", "python3", "--no-progress-bar")


def _call(*call: str, cwd: str | None = None) -> None:
    done = subprocess.run(  # noqa: S603 - our own
        # jcache asks whether it may make its cache
        call,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        input="y\n",
    )
    if done.returncode:
        said = (done.stdout + done.stderr)[-4000:]
        raise RuntimeError(f"{' '.join(call)[:200]}: exit code {done.returncode}\n{said}")


TASKS = {
    "load": load, "read_csv": read_csv, "pandas": pandas_csv, "plain_parser": plain_parser,
    "sadf": sadf, "book": book, "papermill": papermill, "snakemake": snakemake,
    "jupyter_cache": jupyter_cache, "dashboard": dashboard,
}  # fmt: skip


#: What a task has to say of its parts.
_parts = {"models_s": 0.0, "models_processor_s": 0.0, "report_s": 0.0, "report_processor_s": 0.0}


def _timed(what: str, original: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    start, processor = time.perf_counter(), _processor_seconds()
    found = original(*arguments, **named)
    _parts[f"{what}_s"] = time.perf_counter() - start
    _parts[f"{what}_processor_s"] = _processor_seconds() - processor
    return found


def main(processors: int, task: str, *arguments: str) -> None:
    """Run a task and print seconds, processor seconds, and peak memory in MiB."""
    # As many processors for every library, whatever it does with them; DuckDB does not look.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-processors:])
    duckdb.connect = partial(_connect, duckdb.connect, processors)
    schema.record_tables()  # imports the formats
    start, processor = time.perf_counter(), _processor_seconds()
    TASKS[task](*arguments)
    apart, processor_apart = (sum(_parts[f"{what}_{unit}"] for what in ("models", "report"))
                              for unit in ("s", "processor_s"))  # fmt: skip
    took = _parts | {
        "seconds": time.perf_counter() - start - apart,
        "processor_s": _processor_seconds() - processor - processor_apart,
        "peak_mib": _peak_mib(),
    }
    print(json.dumps(took))


def _connect(
    original: Callable[..., Any], threads: int, *arguments: Any, config: Any = None, **others: Any
) -> Any:
    """``duckdb.connect``, with so many threads."""
    return original(*arguments, config={"threads": threads, **(config or {})}, **others)


def _usage() -> list[resource.struct_rusage]:
    return [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]


def _peak_mib() -> float:
    return max(each.ru_maxrss for each in _usage()) / 1024


def _processor_seconds() -> float:
    return sum(each.ru_utime + each.ru_stime for each in _usage())


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
