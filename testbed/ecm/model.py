"""The ECM system on z/VM as a queueing network: one prediction for a setup and a load.

Two classes go round: the virtual users, and the background work of each ECM node. They meet at the
virtual processors of the guests, the locks inside each ECM node, the disks, the virtual switch and
the real processors of the LPAR.
"""

from __future__ import annotations

from collections.abc import Mapping

from testbed.centre import Centre
from testbed.ecm.demand import BACKGROUND, NODES, SERVERS, Demand, demand
from testbed.ecm.guests import Load, guests
from testbed.ecm.mix import ORIGINS, Mix, read_mix
from testbed.ecm.setup import DATABASE_DISKS, DISKS, OTHER_GUESTS, Setup
from testbed.prediction import Operation, Prediction, Station
from testbed.queueing import Network, RequestClass, Solution, solve
from testbed.rounded import rounded

__all__ = ["Setup", "predict"]

USERS = "users"


def predict(setup: Setup, users: float, parameters: Mapping[str, float]) -> Prediction:
    """Return the steady state of the ECM system.

    Parameters
    ----------
    setup : Setup
        Its configuration.
    users : float
        Virtual users.
    parameters : mapping of str to float
        Values of the sections ``shared`` and ``ecm`` of the file of parameters.

    Returns
    -------
    Prediction
        Rounded to nine significant digits, so that it is the same on every machine.
    """
    mix = read_mix()
    need = demand(setup, parameters)
    shares = setup.node_shares(users)
    centres = _centres(setup, parameters)
    parts = _parts(setup, need, shares, parameters)
    solution = solve(_network(setup, users, centres, parts, mix, parameters), users + setup.nodes)
    pages_per_s = solution.throughput_per_s[USERS] * mix.pages_per_transaction
    load = Load(
        pages_per_s=pages_per_s,
        background_blocks_per_s=solution.throughput_per_s[BACKGROUND] / setup.nodes,
        node_shares=shares,
        node_busy=[
            solution.busy[_node_centre(setup, node, "cpu")] / (setup.nodes if _alike(setup) else 1)
            for node in range(setup.nodes)
        ],
        disk_stretch=solution.stretch[USERS]["disks"],
        database_disk_stretch=solution.stretch[USERS]["database disks"],
    )
    used = guests(setup, need, load, parameters)
    total_ifl = parameters["cp_background_ifl"] + sum(
        guest.user_ifl + guest.system_ifl + guest.hypervisor_ifl for guest in used
    )
    operations = _operations(mix, pages_per_s, parts, solution)
    return rounded(
        Prediction(
            users=users,
            think_time_s=parameters["think_time_s"],
            throughput_per_s=pages_per_s,
            response_ms=sum(each.per_s * each.response_ms for each in operations) / pages_per_s,
            total_ifl=total_ifl,
            cp_ifl=parameters["cp_background_ifl"],
            operations=operations,
            guests=used,
            stations=_stations(setup, centres, solution, total_ifl),
            ifl_wait_share=solution.wait_share["IFLs"],
        )
    )


def network_of(setup: Setup, users: float, parameters: Mapping[str, float]) -> Network:
    """Return the network that :func:`predict` solves, with so many users and one more per node."""
    parts = _parts(setup, demand(setup, parameters), setup.node_shares(users), parameters)
    centres = _centres(setup, parameters)
    return _network(setup, users, centres, parts, read_mix(), parameters)


def _parts(
    setup: Setup, need: Demand, shares: list[float], p: Mapping[str, float]
) -> dict[str, dict[str, float]]:
    """Return the demands of a mean page, and of a block of background work, by origin."""
    return {
        origin: _at_centres(setup, need, origin, shares, p) for origin in (*ORIGINS, BACKGROUND)
    }


def _alike(setup: Setup) -> bool:
    """Return whether all nodes have the same load, and one centre can stand for them."""
    return setup.routing == "round-robin"


def _node_centre(setup: Setup, node: int, what: str) -> str:
    return f"{NODES} {what}" if _alike(setup) else f"{setup.node_names[node]} {what}"


def _centres(setup: Setup, p: Mapping[str, float]) -> tuple[Centre, ...]:
    kinds = 1 if _alike(setup) else setup.nodes
    copies = setup.nodes // kinds
    cpu = [_node_centre(setup, node, "cpu") for node in range(kinds)]
    locks = [_node_centre(setup, node, "locks") for node in range(kinds)]
    idle_ifl = p["cp_background_ifl"] + p["small_guest_background_ifl"] * (
        len(OTHER_GUESTS) + len(setup.server_names)
    )
    virtual = (
        *(Centre(name, setup.node_vcpus, copies, contention=p["cpu_contention"]) for name in cpu),
        *(Centre(f"{name} cpu", OTHER_GUESTS[name][1]) for name in ("IHS", "DB2", "ITDS")),
        *(Centre(f"{name} cpu", 2) for name in setup.server_names),
    )
    return (
        *(Centre(name, copies=copies) for name in locks),
        *virtual,
        Centre("disks", copies=len(DISKS)),
        Centre("database disks", copies=len(DATABASE_DISKS)),
        Centre("virtual switch"),
        Centre(
            "IFLs",
            setup.ifls,
            kind="overlay",
            over=tuple(each.name for each in virtual),
            occupied=idle_ifl,
        ),
        Centre("elsewhere", kind="delay"),
    )


def _at_centres(
    setup: Setup, need: Demand, origin: str, shares: list[float], p: Mapping[str, float]
) -> dict[str, float]:
    """Return the demand of a mean page (or background block) of one origin, by centre."""
    result: dict[str, float] = {}
    # All nodes do the same background work, however many sessions they have.
    shares = [1.0 / setup.nodes] * setup.nodes if origin == BACKGROUND else shares
    lock_s = p[f"lock_{setup.file_system}_ms"] * 1e-3 if origin == "work" else 0.0
    for node, share in enumerate(shares):
        for what, seconds in (("cpu", need.cpu_s(NODES, origin)), ("locks", lock_s)):
            name = _node_centre(setup, node, what)
            result[name] = result.get(name, 0.0) + share * seconds
    for name in ("IHS", "DB2", "ITDS"):
        result[f"{name} cpu"] = need.cpu_s(name, origin)
    for name, share in zip(setup.server_names, setup.server_shares(), strict=True):
        result[f"{name} cpu"] = share * need.cpu_s(SERVERS, origin)
    blocks = {"read": need.content.misses, "write": p["write_blocks"], BACKGROUND: 1.0}
    result["disks"] = blocks.get(origin, 0.0) * need.content.block_s
    if origin == "database":
        result["database disks"] = p["database_ios"] * p["database_io_ms"] * 1e-3
    result["virtual switch"] = (
        need.traffic.switched.get(origin, 0.0) * p["virtual_switch_us"] * 1e-6
    )
    result["elsewhere"] = need.elsewhere_s.get(origin, 0.0)
    return {name: seconds for name, seconds in result.items() if seconds > 0.0}


def _network(
    setup: Setup,
    users: float,
    centres: tuple[Centre, ...],
    parts: Mapping[str, Mapping[str, float]],
    mix: Mix,
    p: Mapping[str, float],
) -> Network:
    transaction: dict[str, float] = {}
    for origin in ORIGINS:
        for name, seconds in parts[origin].items():
            transaction[name] = transaction.get(name, 0.0) + seconds * mix.pages_per_transaction
    everyone = users + setup.nodes
    return Network(
        centres,
        (
            RequestClass(USERS, p["think_time_s"], transaction, users / everyone),
            RequestClass(
                BACKGROUND,
                p["background_pause_ms"] * 1e-3,
                parts[BACKGROUND],
                setup.nodes / everyone,
            ),
        ),
    )


def _operations(
    mix: Mix, pages_per_s: float, parts: Mapping[str, Mapping[str, float]], solution: Solution
) -> tuple[Operation, ...]:
    origin_s = {origin: solution.time_s(USERS, parts[origin]) for origin in ORIGINS}
    return tuple(
        Operation(
            transaction=page.transaction,
            page=page.name,
            per_s=pages_per_s * page.share,
            response_ms=1e3 * sum(page.factors[origin] * origin_s[origin] for origin in ORIGINS),
        )
        for page in mix.pages
    )


def _stations(
    setup: Setup, centres: tuple[Centre, ...], solution: Solution, total_ifl: float
) -> tuple[Station, ...]:
    result = []
    for centre in centres:
        places = [centre.name]
        if _alike(setup) and centre.name.startswith(f"{NODES} "):
            places = [centre.name.replace(NODES, node, 1) for node in setup.node_names]
        servers = centre.servers * centre.copies / len(places)
        busy = solution.busy[centre.name] / len(places)
        if centre.kind == "overlay":
            servers, busy = setup.ifls, total_ifl
        if centre.kind != "delay":
            result += [Station(name, servers, busy / servers) for name in places]
    return tuple(result)
