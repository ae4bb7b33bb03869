"""The measurement plan of the scale-out study: every setup and load that a figure shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import product
from typing import Any

from testbed.ecm.setup import Setup
from testbed.faults import Faults
from testbed.planned import CAMPAIGNS, ECM, ZONE, Phases, PlannedRun

#: Virtual users of the four load levels of the scale-out study (Table 20).
USERS = (250, 500, 750, 1000)
PAGEPOOLS_MIB = (256, 512, 1024, 2048)


def runs() -> Iterator[PlannedRun]:
    """Plan the scale-out study: a dozen runs a day, half an hour each, from a Monday on."""
    mondays = (datetime(2016, 5, 30, 9, 0, tzinfo=ZONE), datetime(2016, 6, 6, 9, 0, tzinfo=ZONE))
    for first, repetitions in zip(mondays, CAMPAIGNS, strict=True):
        each = product(enumerate(_setups()), repetitions)
        for number, ((setup_number, (name, setup, users)), repetition) in enumerate(each):
            planned = PlannedRun(
                study=ECM,
                run=f"{name}-u{users}-{repetition}",
                title=f"{_in_words(setup)}, {users} users, repetition {repetition}",
                setup=setup,
                users=users,
                repetition=repetition,
                start=first + timedelta(days=number // 12, minutes=40 * (number % 12)),
                seed=(1, setup_number, repetition),
                factors=factors_of(setup) | {"users": users, "repetition": repetition},
            )
            yield _with_faults(planned)


def _setups() -> Iterator[tuple[str, Setup, int]]:
    """Name each setup and load that a figure of the document shows."""
    shared = Setup()
    nsd = replace(shared, cluster="nsd")
    jumbo = replace(nsd, mtu=8192)
    for users in USERS:
        yield "xfs-1-1492", replace(shared, nodes=1, file_system="xfs", cluster="none"), users
        yield "sd-1-1492", replace(shared, nodes=1), users
        yield "sd-4-1492", shared, users
        yield "nsd-4-8192", jumbo, users
    most = USERS[-1]
    yield "sd-4-8192", replace(shared, mtu=8192), most
    yield "nsd-4-1492", nsd, most
    yield "nsd-4-8192-inside-zvm", replace(jumbo, mtu_scope="inside-zvm"), most
    yield "sd-4-1492-random", replace(shared, routing="random"), most
    yield "nsd-4-1492-unbalanced", replace(nsd, server_list="unbalanced"), most
    for mib in PAGEPOOLS_MIB:
        both = replace(nsd, client_pagepool_mib=2048, server_pagepool_mib=mib)
        yield f"nsd-4-1492-client-2048-server-{mib}", both, most
    for mib in PAGEPOOLS_MIB[:-1]:
        both = replace(nsd, client_pagepool_mib=mib, server_pagepool_mib=2048)
        yield f"nsd-4-1492-client-{mib}-server-2048", both, most


def captures() -> Iterator[PlannedRun]:
    """Plan the captures of each configuration of the scale-out study."""
    start = datetime(2016, 5, 27, 17, 0, tzinfo=ZONE)
    setups = {name: setup for name, setup, _ in _setups()}
    for number, (name, setup) in enumerate(setups.items()):
        yield PlannedRun(
            study=ECM,
            run=f"configuration-{name}",
            title=f"Configuration: {_in_words(setup)}",
            setup=setup,
            users=USERS[0],
            repetition=1,
            start=start + timedelta(minutes=5 * number),
            seed=(3, number),
            factors=factors_of(setup),
            phases=Phases(60, 60, 60),
            captures_only=True,
        )


def _in_words(setup: Setup) -> str:
    if setup.file_system == "xfs":
        return "One ECM node with XFS"
    cluster = "NSD servers" if setup.cluster == "nsd" else "shared disks"
    words = [f"{setup.nodes} ECM node{'s' if setup.nodes > 1 else ''} with {cluster}"]
    inside = " inside z/VM only" if setup.mtu_scope == "inside-zvm" else ""
    words.append(f"MTU {setup.mtu}{inside}")
    if setup.routing == "random":
        words.append("random routing")
    if setup.server_list == "unbalanced":
        words.append("unbalanced server list")
    if (setup.client_pagepool_mib, setup.server_pagepool_mib) != (2048, 1024):
        words.append(
            f"page pools of {setup.client_pagepool_mib} MiB on clients and"
            f" {setup.server_pagepool_mib} MiB on servers"
        )
    return ", ".join(words)


def factors_of(setup: Setup) -> dict[str, Any]:
    """Say what was varied about the system, as factors of a run."""
    factors: dict[str, Any] = {
        "nodes": setup.nodes,
        "file_system": {"scale": "spectrum-scale", "xfs": "xfs"}[setup.file_system],
        "cluster": setup.cluster,
        "mtu_bytes": setup.mtu,
        "mtu_scope": setup.mtu_scope,
        "routing": setup.routing,
    }
    if setup.file_system == "scale":
        factors["client_pagepool_mib"] = setup.client_pagepool_mib
    if setup.cluster == "nsd":
        factors["server_pagepool_mib"] = setup.server_pagepool_mib
        factors["server_list"] = setup.server_list
    return factors


#: Real life: which runs carry what, by run and export. The names are those of the files without
#: their suffixes; what is not said to be packed otherwise is packed as .xz.
FAULTS: Mapping[str, Mapping[str, Faults]] = {
    "sd-4-1492-u1000-3": {
        name: Faults(midnight=True, compression="xz")
        for name in ("sar-ECMnod1", "sar-ECMnod2", "sar-ECMnod3", "sar-ECMnod4", "perfkit")
    },
    "nsd-4-8192-u500-2": {"sar-Dmgr": Faults(restart_at=20, compression="gz")},
    "nsd-4-8192-u750-1": {"mmpmon": Faults(reset_at=25, compression="gz")},
    "sd-4-1492-u750-2": {"mmpmon": Faults(silent_at=18, compression="zst")},
    "sd-1-1492-u500-1": {"sar-ECMnod1": Faults(locale="de_DE", compression="zst")},
    "sd-1-1492-u750-1": {"sar-IHS": Faults(locale="en_US", compression="xz")},
    "xfs-1-1492-u1000-1": {"sar-DB2": Faults(locale="ISO", compression="xz")},
    "sd-4-8192-u1000-2": {"rpt-pages": Faults(line_end="\r\n", compression="xz")},
    "xfs-1-1492-u250-1": {"sar-ITDS": Faults(cut_last_line=True)},
    "sd-4-1492-u250-1": {"sar-Dmgr": Faults()},
}


def _with_faults(planned: PlannedRun) -> PlannedRun:
    faults = FAULTS.get(planned.run, {})
    start = planned.start
    if any(each.midnight for each in faults.values()):
        start = start.replace(hour=23, minute=50)
    return replace(planned, faults=faults, start=start)
