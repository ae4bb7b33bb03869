"""What a person has to write of new runs, for no file tells it and other runs of their study do."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from studybook.intake.before import Before, lacking, own_factors
from studybook.intake.manifests import NewRun
from studybook.text import counted, few

#: Hosts that are named in a line.
_NAMED = 5


def roles_to_write(runs: Sequence[NewRun], before: Before) -> list[str]:
    """What to tell of hosts of new runs whose role is none of the study, or not clear."""
    where: defaultdict[str, list[str]] = defaultdict(list)
    without: defaultdict[str, list[str]] = defaultdict(list)
    for run in runs:
        for host, role in run.roles.items():
            if not where[host] and not before.is_role(role) and host not in before.roles:
                without[role].append(host)
            where[host].append(run.name)
    found = []
    for host, names in where.items():
        if len(said := before.roles.get(host, {})) > 1:
            roles = " and ".join(f"{role} in {each[0]}" for role, each in said.items())
            found.append(f"{host} is {roles}: say in run.yml what it is in {_some(names)}")
    for role, hosts in without.items():
        names = list(dict.fromkeys(name for host in hosts for name in where[host]))
        found.append(
            f"{few(hosts, _NAMED)}: “{role}” is no role of {before.words.study}, and"
            f" no other run says theirs: write one of {', '.join(before.words.roles)} in the"
            f" run.yml of {_some(names)}; until then nothing can be loaded"
        )
    return found


def folders_unlike(runs: Sequence[NewRun], folders: str) -> list[str]:
    """What to tell of new runs whose folders are called otherwise than somebody said."""
    names = [run.name for run in runs if not run.fits]
    said = f"{_some(names)}: its folder is not called as {folders}, or fits it in" if names else ""
    return [f"{said} several ways: no factor is taken from that name"] if said else []


def factors_to_write(runs: Sequence[NewRun], before: Before) -> list[str]:
    """What to tell of new runs that lack factors of the others."""
    having = Counter(name for each in before.factors for name in each)
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for run in runs:
        names = lacking(own_factors(run.factors.keys()), having, len(before.factors))
        if names and not run.group.is_setting:
            alike[", ".join(names)].append(run.name)
    return [
        f"{_some(of)}: without factors that the study's other runs have, {names}: write them in"
        " run.yml, or goals and comparisons that name them do not see the run"
        for names, of in alike.items()
    ]


def _some(runs: Sequence[str]) -> str:
    return runs[0] + (f" and {counted(len(runs) - 1, 'other run')}" if runs[1:] else "")
