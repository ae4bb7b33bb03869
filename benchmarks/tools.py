"""Programs of others that are measured beside ours, made where ``--tools`` says.

None of them is needed by this project. Each comes by the usual client of its registry, in a
version that is said here: Snakemake into a virtual environment of its own, the parts of JMeter
that make its dashboard into a folder as its own archive has it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

VERSIONS = {"Snakemake": "9.27.1", "JMeter": "5.6.3"}

#: In a folder of what was made to its end.
_READY = "ready"

_MAVEN = """
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>benchmarks</groupId><artifactId>dashboard</artifactId><version>1</version>
  <dependencies>{}</dependencies>
</project>
"""
_DEPENDENCY = (
    "<dependency><groupId>org.apache.jmeter</groupId><artifactId>{}</artifactId>"
    "<version>{}</version></dependency>"
)


class NotThereError(Exception):
    """A program is not there, and is not to be had; says why."""


def snakemake(tools: Path | None) -> Path:
    """The program ``snakemake``.

    Parameters
    ----------
    tools : pathlib.Path or None
        Where programs are, or go.

    Raises
    ------
    NotThereError
        If it cannot be had.
    """
    place = _asked("Snakemake", tools)
    program = place / "bin/snakemake"
    if not (place / _READY).exists():
        _run("Snakemake", sys.executable, "-m", "venv", "--clear", str(place))
        wanted = f"snakemake=={VERSIONS['Snakemake']}"
        _run("Snakemake", str(place / "bin/python"), "-m", "pip", "install", "--quiet", wanted)
        (place / _READY).touch()
    return program


def jmeter(tools: Path | None) -> Path:
    """The home of a JMeter that can make its dashboard.

    Parameters
    ----------
    tools : pathlib.Path or None
        Where programs are, or go.

    Raises
    ------
    NotThereError
        If it cannot be had, or there is no Java.
    """
    place = _asked("JMeter", tools)
    if not shutil.which("java"):
        raise NotThereError("JMeter: there is no java")
    if (place / _READY).exists():
        return place
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    parts = ("ApacheJMeter", "ApacheJMeter_core", "ApacheJMeter_config")
    wanted = "".join(_DEPENDENCY.format(part, VERSIONS["JMeter"]) for part in parts)
    (place / "pom.xml").write_text(_MAVEN.format(wanted), encoding="utf-8")
    library = place / "lib"
    _run(
        "JMeter", "mvn", "--batch-mode", "--quiet", "--file", str(place / "pom.xml"),
        "dependency:copy-dependencies", f"-DoutputDirectory={library}",
    )  # fmt: skip
    (library / "ext").mkdir()
    with zipfile.ZipFile(library / f"ApacheJMeter_config-{VERSIONS['JMeter']}.jar") as settings:
        settings.extractall(
            place, [name for name in settings.namelist() if name.startswith("bin/")]
        )
    for jar in library.glob("ApacheJMeter*.jar"):
        starts = jar.name.startswith("ApacheJMeter-")
        jar.replace(place / "bin/ApacheJMeter.jar" if starts else library / "ext" / jar.name)
    (place / _READY).touch()
    return place


def _asked(name: str, tools: Path | None) -> Path:
    if tools is None:
        raise NotThereError(f"{name}: --tools does not say where it is, or may be put")
    return tools.resolve() / f"{name.lower()}-{VERSIONS[name]}"


def _run(name: str, *call: str) -> None:
    try:
        done = subprocess.run(call, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    except FileNotFoundError as error:
        raise NotThereError(f"{name}: there is no {call[0]}") from error
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no word of it"]
        raise NotThereError(f"{name}: cannot be fetched: {last[0][:200]}")
