"""The solver of queueing networks against exact mean value analysis and against a simulation."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studybook.errors import StudyBookError
from testbed import mean_value
from testbed.centre import Centre
from testbed.queueing import Network, RequestClass, Solution, solve
from tests.support.exact_mva import Station, exact_mva
from tests.support.simulated_network import simulate

#: Largest relative error of a response time or a throughput that the solver's description admits.
TOLERANCE = 0.05
#: The same for a simulation of 60,000 requests, on top of the width of its interval.
SIMULATED_TOLERANCE = 0.03
#: The same for the throughput where servers are held together with those of an overlay, from idle
#: to far too few. Response times are up to a quarter too short where users just fill the overlay.
OVERLAY_TOLERANCE = 0.05


def approximate(
    stations: list[Station], think_time_s: list[float], population: tuple[int, ...]
) -> Solution:
    """Solve the network that :func:`exact_mva` solves, with stations and classes by number."""
    users = sum(population)
    centres = tuple(
        Centre(
            str(j),
            max(1, station.servers),
            kind="queue" if station.servers else "delay",
            contention=station.contention,
        )
        for j, station in enumerate(stations)
    )
    classes = tuple(
        RequestClass(
            str(k), z, {str(j): each.demands_s[k] for j, each in enumerate(stations)}, n / users
        )
        for k, (n, z) in enumerate(zip(population, think_time_s, strict=True))
    )
    return solve(Network(centres, classes), users)


def assert_agree(
    stations: list[Station], think_time_s: list[float], population: tuple[int, ...]
) -> None:
    exact = exact_mva(stations, think_time_s, population)
    ours = approximate(stations, think_time_s, population)
    for k, (x, r) in enumerate(zip(exact.throughput_per_s, exact.response_s, strict=True)):
        assert ours.throughput_per_s[str(k)] == pytest.approx(x, rel=TOLERANCE)
        assert ours.response_s[str(k)] == pytest.approx(r, rel=TOLERANCE)


SERVERS = [(1, 2), (1, 4), (2, 8), (4, 1, 2), (16, 1), (1, 1, 1), (8, 1, 1, 0)]
#: Users over those that would just fill the slowest station: from idle to twice too many.
LOADS = [0.2, 0.5, 0.8, 0.95, 1.2, 2.0]


@pytest.mark.parametrize("servers", SERVERS)
@pytest.mark.parametrize("users", [2, 5, 10, 20, 50])
def test_one_class_agrees_with_exact_analysis(servers: tuple[int, ...], users: int) -> None:
    for load, second in itertools.product(LOADS, (0.9, 0.4)):
        demands = [
            max(1, count) * (second if j else 1.0) * load / users for j, count in enumerate(servers)
        ]
        stations = [Station(c, [d]) for c, d in zip(servers, demands, strict=True)]
        assert_agree(stations, [1.0], (users,))


@pytest.mark.parametrize("contention", [0.005, 0.02, 0.05])
@pytest.mark.parametrize("servers", [4, 8, 16])
@pytest.mark.parametrize("users", [5, 20, 60])
def test_contention_agrees_with_exact_analysis(contention: float, servers: int, users: int) -> None:
    for load in LOADS:
        stations = [
            Station(servers, [servers * load / users], contention),
            Station(1, [0.5 * load / users]),
        ]
        assert_agree(stations, [1.0], (users,))


@pytest.mark.parametrize("population", [(2, 3), (8, 4), (12, 12)])
@pytest.mark.parametrize("servers", [(1, 1), (4, 1), (4, 2, 0)])
def test_two_classes_agree_with_exact_analysis(
    population: tuple[int, int], servers: tuple[int, ...]
) -> None:
    for load in LOADS:
        stations = [
            Station(c, [max(1, c) * load / sum(population) * d for d in demands])
            for c, demands in zip(servers, [(1.0, 0.4), (0.5, 1.2), (1.0, 1.0)], strict=False)
        ]
        assert_agree(stations, [1.0, 2.0], population)


@pytest.mark.parametrize(
    ("users", "think_time_s", "servers", "demands_s"),
    [
        # A node of eight processors, a lock and a disk, at 80 % of what the lock can do.
        (40, 1.0, {"cpu": 8, "lock": 1, "disk": 1}, {"cpu": 0.12, "lock": 0.02, "disk": 0.015}),
        # Four processors that are too few.
        (60, 1.0, {"cpu": 4, "disk": 2}, {"cpu": 0.09, "disk": 0.02}),
        # Light load.
        (10, 2.0, {"cpu": 2, "disk": 1}, {"cpu": 0.1, "disk": 0.05}),
    ],
)
def test_agrees_with_a_simulation(
    users: int, think_time_s: float, servers: dict[str, int], demands_s: dict[str, float]
) -> None:
    network = Network(
        tuple(Centre(name, count) for name, count in servers.items()),
        (RequestClass("users", think_time_s, demands_s),),
    )
    ours = solve(network, users)
    requests = 60_000
    seconds = requests / ours.throughput_per_s["users"]
    simulated = simulate(users, think_time_s, demands_s, servers, seconds, seed=1)
    room = simulated.half_width_s + SIMULATED_TOLERANCE * simulated.response_s
    assert abs(ours.response_s["users"] - simulated.response_s) <= room
    assert ours.throughput_per_s["users"] == pytest.approx(
        simulated.throughput_per_s, rel=SIMULATED_TOLERANCE
    )


def test_copies_are_separate_centres() -> None:
    demands = {"disks": 0.06, "cpu": 0.05}
    together = solve(
        Network(
            (Centre("disks", copies=6), Centre("cpu", 4, contention=0.02)),
            (RequestClass("users", 1.0, demands),),
        ),
        60,
    )
    apart = solve(
        Network(
            (*(Centre(f"disk{i}") for i in range(6)), Centre("cpu", 4, contention=0.02)),
            (RequestClass("users", 1.0, {f"disk{i}": 0.01 for i in range(6)} | {"cpu": 0.05}),),
        ),
        60,
    )
    assert together.response_s["users"] == pytest.approx(apart.response_s["users"], rel=1e-8)
    assert together.busy["disks"] == pytest.approx(
        sum(apart.busy[f"disk{i}"] for i in range(6)), rel=1e-8
    )


def overlaid(real: int, *, occupied: float = 0.0, contention: float = 0.0) -> Network:
    """Return two times four virtual processors on so many real ones."""
    names = ("one", "two")
    return Network(
        (
            *(Centre(name, 4, contention=contention) for name in names),
            Centre("real", real, kind="overlay", over=names, occupied=occupied),
        ),
        (RequestClass("users", 1.0, dict.fromkeys(names, 0.05)),),
    )


def test_an_overlay_costs_only_the_wait() -> None:
    plenty, scarce = solve(overlaid(1000), 60), solve(overlaid(4), 60)
    assert plenty.wait_share["real"] == pytest.approx(0.0, abs=1e-9)
    assert scarce.wait_share["real"] > 0.1
    assert scarce.response_s["users"] > 1.1 * plenty.response_s["users"]
    # The parts of a request still add up to the whole.
    time_s = scarce.time_s("users", {"one": 0.05, "two": 0.05})
    assert time_s == pytest.approx(scarce.response_s["users"])


@given(
    users=st.floats(1, 300),
    real=st.integers(1, 12),
    occupied=st.floats(0, 0.9),
    contention=st.floats(0, 0.05),
)
def test_an_overlay_gives_no_more_than_it_has(
    users: float, real: int, occupied: float, contention: float
) -> None:
    solution = solve(overlaid(real, occupied=occupied, contention=contention), users)
    # What contention adds to the work above is work for those below.
    assert solution.busy["real"] == pytest.approx(solution.busy["one"] + solution.busy["two"])
    assert solution.busy["real"] <= real - occupied + 1e-6
    assert solution.busy["one"] <= 4 + 1e-6
    # No more wait than there are virtual processors.
    assert solution.requests["real"] <= 8 + 1e-6


@pytest.mark.parametrize("real", [3, 5, 6, 8])
@pytest.mark.parametrize("users", [30, 60, 100])
def test_an_overlay_agrees_with_a_simulation(real: int, users: int) -> None:
    ours = solve(overlaid(real), users)
    simulated = simulate(
        users,
        1.0,
        {"one": 0.05, "two": 0.05},
        {"one": 4, "two": 4},
        seconds=20_000 / ours.throughput_per_s["users"],
        seed=2,
        held=("one", "two"),
        real=real,
    )
    assert ours.throughput_per_s["users"] == pytest.approx(
        simulated.throughput_per_s, rel=OVERLAY_TOLERANCE
    )


def test_too_many_servers_occupied_are_refused() -> None:
    with pytest.raises(StudyBookError, match="2 of 2 servers are occupied"):
        overlaid(2, occupied=2.0)


def test_waiting_for_a_lock_burns_the_processor() -> None:
    def busy(spin_share: float) -> float:
        lock = Centre("lock", spin_share=spin_share, spins_at="cpu")
        users = RequestClass("users", 1.0, {"cpu": 0.05, "lock": 0.02})
        return solve(Network((lock, Centre("cpu", 8)), (users,)), 60).busy["cpu"]

    assert busy(0.1) > busy(0.05) > busy(0.0)


@given(
    users=st.floats(0.5, 500),
    think_time_s=st.floats(0.0, 10),
    servers=st.lists(st.integers(1, 32), min_size=1, max_size=5),
    demands_s=st.lists(st.floats(1e-4, 0.5), min_size=5, max_size=5),
    contention=st.floats(0.0, 0.05),
)
def test_laws_hold(
    users: float,
    think_time_s: float,
    servers: list[int],
    demands_s: list[float],
    contention: float,
) -> None:
    centres = tuple(Centre(str(j), c, contention=contention) for j, c in enumerate(servers))
    demands = {str(j): d for j, d in zip(range(len(servers)), demands_s, strict=False)}
    network = Network(centres, (RequestClass("users", think_time_s, demands),))
    solution = solve(network, users)
    x, r = solution.throughput_per_s["users"], solution.response_s["users"]
    # Little's law, for the whole and for its parts; and no more than the slowest centre can do.
    assert x * (r + think_time_s) == pytest.approx(users, rel=1e-9)
    assert sum(solution.requests.values()) == pytest.approx(x * r, rel=1e-9)
    assert solution.time_s("users", demands) == pytest.approx(r, rel=1e-9)
    assert r >= sum(demands.values()) * (1 - 1e-9)
    for centre in centres:
        assert solution.busy[centre.name] <= centre.servers * (1 + 1e-6)


@given(servers=st.integers(1, 64), offered=st.floats(0, 1))
def test_erlang_c_against_its_definition(servers: int, offered: float) -> None:
    load = servers * min(offered, 0.99)
    terms = [1.0]
    for busy in range(1, servers + 1):
        terms.append(terms[-1] * load / busy)
    waiting = terms[-1] * servers / (servers - load)
    expected = waiting / (sum(terms[:-1]) + waiting)
    assert mean_value.erlang_c(servers, load) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_an_unknown_centre_is_refused() -> None:
    with pytest.raises(StudyBookError, match="no centre disk"):
        Network((Centre("cpu"),), (RequestClass("users", 1.0, {"disk": 0.1}),))


def test_no_users_are_refused() -> None:
    network = Network((Centre("cpu"),), (RequestClass("users", 1.0, {"cpu": 0.1}),))
    with pytest.raises(StudyBookError, match="more than 0 users"):
        solve(network, 0)


def test_an_iteration_that_does_not_settle_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mean_value, "MOST_STEPS", 3)
    network = Network((Centre("cpu"),), (RequestClass("users", 1.0, {"cpu": 0.1}),))
    with pytest.raises(StudyBookError, match="does not settle with 50 users"):
        solve(network, 50)
