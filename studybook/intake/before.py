"""What the runs that a study has already say, and a new run of it should say, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from dataclasses import dataclass, field
from pathlib import Path

from studybook.checked_yaml import read_yaml
from studybook.dataset.definition import Definition
from studybook.dataset.manifest import FILE_NAME, REPETITION, Run
from studybook.errors import StudyBookError
from studybook.intake.facts import knowledge

#: The role of a host of which nobody knows any.
OTHER = "other"


def own_factors(names: Set[str]) -> frozenset[str]:
    """Those of some factors that people write: neither files tell them, nor number they runs."""
    return frozenset(names - knowledge().factors.keys() - {REPETITION})


def lacking(own: Set[str], having: Counter[str], others: int) -> list[str]:
    """The factors that a run should have, for the other runs of its study have them.

    A run with factors lacks what all others have: a part of a study may have one more. One without
    any is of no part: it lacks what most have.

    Parameters
    ----------
    own : set of str
        Its own, by :func:`own_factors`.
    having : Counter
        How many of the others have each.
    others : int
        The number of the others that have any.
    """
    least = others if own else others // 2 + 1
    return sorted(name for name, runs in having.items() if runs >= least and name not in own)


@dataclass(frozen=True)
class Before:
    """The words of a study, and what its runs say.

    Attributes
    ----------
    words : Definition
        The words.
    roles : dict
        The roles of each host, for each role the runs in which it has it.
    factors : list of frozenset
        Those that people wrote for each run that is measured and counts, where there are any.
    faults : list of str
        Runs of which nothing is known, for their manifests cannot be read.
    """

    words: Definition
    roles: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    factors: list[frozenset[str]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def knows(self, host: str) -> bool:
        """Whether other runs give a host one role."""
        return len(self.roles.get(host, ())) == 1

    def role_of(self, host: str, kind: str | None) -> str:
        """The role that all other runs give a host; else one of its kind, as files tell that."""
        if self.knows(host):
            return next(iter(self.roles[host]))
        of_kind = [name for name, role in self.words.roles.items() if kind and role.kind == kind]
        return of_kind[0] if len(of_kind) == 1 else kind or OTHER

    def is_role(self, role: str) -> bool:
        """Whether hosts of the study may have a role."""
        return role in self.words.roles or not self.words.roles


def read_before(study: Path, words: Definition) -> Before:
    """Read what the runs of a study say; one that cannot be read says nothing, and is named.

    Parameters
    ----------
    study : pathlib.Path
        The folder of the study's runs; it need not be there.
    words : Definition
        The words of the study.
    """
    found = Before(words)
    for path in sorted(study.glob(f"*/{FILE_NAME}")):
        try:
            run = read_yaml(path, Run)
        except StudyBookError as error:
            said = str(error).splitlines()[0].removeprefix(f"{path}")
            found.faults.append(
                f"{path.parent.name}/{FILE_NAME}{said}: roles and factors are not taken from it"
            )
            continue
        for host in run.hosts:
            # What add writes where nobody knows is no role, but where the study says it is one.
            if found.is_role(host.role) and (host.role != OTHER or words.roles):
                found.roles.setdefault(host.name, {}).setdefault(host.role, []).append(run.run)
        names = own_factors(run.factors.keys())
        if names and run.kind == "measurement" and run.excluded is None:
            found.factors.append(names)
    return found
