"""The model of the ECM system: what its mechanisms must do, whatever the parameters are."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studybook.errors import StudyBookError
from testbed.ecm import Setup, predict
from testbed.ecm.demand import demand
from testbed.ecm.mix import ORIGINS, read_mix
from testbed.ecm.model import network_of
from testbed.ecm.quantities import QUANTITIES
from testbed.network import Count, Flow, mtu_between, traffic
from testbed.parameters import read_parameters
from testbed.prediction import Prediction
from testbed.queueing import solve
from tests.support.simulated_network import simulate_network

PARAMETERS = read_parameters().values("ecm")
#: Largest relative difference between the whole network solved and simulated: 3 % of the method,
#: and as much for the length of the simulation.
SIMULATED_TOLERANCE = 0.06
XFS: dict[str, Any] = {"nodes": 1, "file_system": "xfs", "cluster": "none"}

setups = st.one_of(
    st.just(Setup(**XFS)),
    st.builds(
        Setup,
        nodes=st.integers(1, 16),
        cluster=st.sampled_from(["shared-disk", "nsd"]),
        mtu=st.sampled_from([1492, 4000, 8192]),
        mtu_scope=st.sampled_from(["everywhere", "inside-zvm"]),
        client_pagepool_mib=st.integers(64, 8192),
        server_pagepool_mib=st.integers(64, 8192),
        server_list=st.sampled_from(["balanced", "unbalanced"]),
        routing=st.sampled_from(["round-robin", "random"]),
        nsd_servers=st.integers(1, 6),
    ),
)
loads = st.floats(20, 1500)


def of(setup: Setup, users: float, **changed: Any) -> Prediction:
    """Predict with the committed parameters, on a setup with some things changed."""
    return predict(dataclasses.replace(setup, **changed), users, PARAMETERS)


def transactions_per_s(prediction: Prediction) -> float:
    """Return the transactions that end: each transaction has every one of its pages once."""
    rates = {each.transaction: each.per_s for each in prediction.operations}
    return sum(rates.values())


@settings(max_examples=60)
@given(setup=setups, users=loads, ifls=st.integers(4, 60))
def test_laws_hold(setup: Setup, users: float, ifls: int) -> None:
    setup = dataclasses.replace(setup, ifls=ifls)
    prediction = of(setup, users)
    pages_per_s = sum(each.per_s for each in prediction.operations)
    assert pages_per_s == pytest.approx(prediction.throughput_per_s, rel=1e-6)
    # Little's law: users think, or wait for the pages of a transaction.
    waiting = sum(each.per_s * each.response_ms / 1000.0 for each in prediction.operations)
    thinking = transactions_per_s(prediction) * prediction.think_time_s
    assert waiting + thinking == pytest.approx(users, rel=1e-6)
    assert all(0.0 <= each.utilisation <= 1.0 + 1e-6 for each in prediction.stations)
    assert prediction.bottleneck.utilisation == max(x.utilisation for x in prediction.stations)
    # The whole is the sum of its parts, and no more than there are processors.
    parts = sum(g.user_ifl + g.system_ifl + g.hypervisor_ifl for g in prediction.guests)
    assert parts + prediction.cp_ifl == pytest.approx(prediction.total_ifl, rel=1e-6)
    assert prediction.total_ifl <= setup.ifls * (1 + 1e-6)
    assert all(g.user_ifl + g.system_ifl <= g.vcpus * (1 + 1e-6) for g in prediction.guests)
    # No more wait for a processor than there are virtual ones to wait.
    waiting_ifl = prediction.ifl_wait_share * (prediction.total_ifl - prediction.cp_ifl)
    assert 0.0 <= waiting_ifl <= sum(g.vcpus for g in prediction.guests)


@settings(max_examples=15)
@given(setup=setups, users=st.floats(20, 1200))
def test_more_users_wait_longer_and_get_more_done(setup: Setup, users: float) -> None:
    few, many = of(setup, users), of(setup, 1.25 * users)
    assert many.response_ms > few.response_ms
    assert many.throughput_per_s >= few.throughput_per_s * (1 - 1e-3)
    assert many.throughput_per_s <= 1.25 * few.throughput_per_s


@pytest.mark.parametrize("nodes", [*range(1, 17), 32, 64])
@pytest.mark.parametrize("cluster", ["shared-disk", "nsd"])
def test_any_number_of_nodes_can_be_solved(nodes: int, cluster: Any) -> None:
    prediction = of(Setup(nodes=nodes, cluster=cluster, ifls=30 * nodes), 10.0 * nodes)
    names = [guest.name for guest in prediction.guests if guest.role == "ecm-node"]
    assert names == [f"ECMnod{i + 1}" for i in range(nodes)]
    # Nobody waits for a node, but all share the disks, the database and the switch.
    busy = {each.name: each.utilisation for each in prediction.stations}
    assert busy["ECMnod1 cpu"] < 0.5
    assert prediction.response_ms < 1000


@pytest.mark.parametrize("users", [250, 1000])
@pytest.mark.parametrize("cluster", ["shared-disk", "nsd"])
def test_larger_packets_are_fewer_and_cost_less(cluster: Any, users: int) -> None:
    small, large = (of(Setup(cluster=cluster, mtu=mtu), users) for mtu in (1492, 8192))
    for before, after in zip(small.guests, large.guests, strict=True):
        # Per page: the pages come a little faster.
        pages = large.throughput_per_s / small.throughput_per_s * (1 + 1e-6)
        assert after.rx_packets_per_s <= before.rx_packets_per_s * pages
        assert after.tx_packets_per_s <= before.tx_packets_per_s * pages
    assert large.total_ifl < small.total_ifl
    assert large.response_ms < small.response_ms


def test_jumbo_frames_inside_leave_the_driver_its_packets() -> None:
    everywhere, inside, nowhere = (
        demand(setup, PARAMETERS).traffic
        for setup in (Setup(mtu=8192), Setup(mtu=8192, mtu_scope="inside-zvm"), Setup(mtu=1492))
    )
    assert inside.at("driver") == nowhere.at("driver")
    assert inside.at("ECM") == everywhere.at("ECM")
    assert everywhere.at("IHS").packets < inside.at("IHS").packets < nowhere.at("IHS").packets


def test_what_one_host_sends_another_receives() -> None:
    for setup in (Setup(), Setup(cluster="nsd"), Setup(cluster="nsd", mtu=8192)):
        traffic = demand(setup, PARAMETERS).traffic
        counts = list(traffic.hosts.values())
        sent, received = sum(c.tx_packets for c in counts), sum(c.rx_packets for c in counts)
        assert sent == pytest.approx(received)
        assert sent == pytest.approx(sum(traffic.switched.values()))


def test_processors_that_are_too_few_are_all_used() -> None:
    for nodes, users in ((1, 1000), (4, 1000)):
        enough, few = (of(Setup(nodes=nodes, ifls=ifls), users) for ifls in (60, 16))
        assert enough.ifl_wait_share < 0.01 < 0.1 < few.ifl_wait_share
        assert few.bottleneck.name == "IFLs"
        assert few.throughput_per_s < 0.85 * enough.throughput_per_s
        assert 0.95 * 16 < few.total_ifl <= 16
    # A fraction of a processor counts: there is no step where the rest is rounded.
    heavier = {**PARAMETERS, "cp_background_ifl": PARAMETERS["cp_background_ifl"] + 0.5}
    lost = of(Setup(ifls=16), 1000).throughput_per_s
    lost -= predict(Setup(ifls=16), 1000, heavier).throughput_per_s
    step = of(Setup(ifls=17), 1000).throughput_per_s - of(Setup(ifls=16), 1000).throughput_per_s
    assert lost == pytest.approx(0.5 * step, rel=0.1)


@pytest.mark.parametrize("nodes", [1, 4])
def test_bytes_of_files_are_those_of_the_users(nodes: int) -> None:
    setup, no_background = Setup(nodes=nodes), {**PARAMETERS, "background_fill": 0.0}
    prediction = predict(setup, 500, no_background)
    pages_per_s = prediction.throughput_per_s
    hosts = demand(setup, PARAMETERS).traffic.hosts
    header = PARAMETERS["header_bytes"] / 1024.0
    read = sum(guest.file_system_read_kib_s for guest in prediction.guests)
    write = sum(guest.file_system_write_kib_s for guest in prediction.guests)
    # Read: from the web server to the driver. Written: the other way. Headers are not content.
    sent, received = hosts["driver", "read"], hosts["driver", "write"]
    assert read / pages_per_s == pytest.approx(sent.rx_kib - sent.rx_packets * header)
    assert write / pages_per_s == pytest.approx(received.tx_kib - received.tx_packets * header)
    # The background work reads for itself: that is on no network.
    whole = of(setup, 500)
    more = sum(guest.file_system_read_kib_s for guest in whole.guests) - read
    assert more > 0
    assert sum(g.file_system_read_kib_s for g in whole.guests if g.role != "ecm-node") == 0


def test_streams_of_short_messages_are_acknowledged() -> None:
    def packets(*, one_way: bool) -> Count:
        flow = Flow("work", "a", "b", 80.0, 100.0, one_way=one_way)
        return traffic([flow], mtu_between(1492, "everywhere"), PARAMETERS).at("a")

    answered, stream = packets(one_way=False), packets(one_way=True)
    assert answered.rx_packets == 0
    assert stream.rx_packets == 80.0 / PARAMETERS["packets_per_ack"]
    assert stream.tx_packets == answered.tx_packets == 80.0


def test_every_guest_has_traffic_of_its_own() -> None:
    prediction = of(Setup(cluster="nsd", server_list="unbalanced"), 500)
    beats = PARAMETERS["heartbeats_per_s"]
    for name in ("Dmgr", "NSDsrv2"):
        guest = prediction.guest(name)
        assert (guest.rx_packets_per_s, guest.tx_packets_per_s) == (beats, beats)
        assert guest.user_ifl > guest.system_ifl > 0
    directory, database = prediction.guest("ITDS"), prediction.guest("DB2")
    assert directory.rx_packets_per_s > beats
    # Answers are longer than queries.
    assert database.tx_kib_s > 2 * database.rx_kib_s
    server = prediction.guest("NSDsrv1")
    assert server.system_ifl > server.user_ifl > 0.1 * server.system_ifl


@settings(max_examples=10)
@given(pool_mib=st.integers(64, 8192), nodes=st.integers(1, 8), users=st.floats(100, 1000))
def test_page_pools_of_clients_matter_and_of_servers_do_not(
    pool_mib: int, nodes: int, users: float
) -> None:
    setup = Setup(nodes=nodes, cluster="nsd", client_pagepool_mib=pool_mib)
    misses = [
        demand(dataclasses.replace(setup, client_pagepool_mib=mib), PARAMETERS).content.misses
        for mib in (pool_mib, 2 * pool_mib)
    ]
    assert misses[1] <= misses[0]
    assert of(setup, users) == of(setup, users, server_pagepool_mib=2 * pool_mib)


def test_nodes_that_write_make_each_other_read_again() -> None:
    reads = [demand(Setup(nodes=n), PARAMETERS).content.misses for n in (1, 2, 4, 8)]
    assert reads == sorted(set(reads))
    alone = {**PARAMETERS, "invalidations_per_read": 0.0}
    one, four = (demand(Setup(nodes=n), alone).content.misses for n in (1, 4))
    assert four == pytest.approx(one)


def test_the_first_server_of_each_disk_does_its_work() -> None:
    for server_list, expected in (("balanced", [1 / 3] * 3), ("unbalanced", [1.0, 0.0, 0.0])):
        prediction = of(Setup(cluster="nsd", server_list=server_list), 1000)
        servers = [guest for guest in prediction.guests if guest.role == "nsd-server"]
        read = [guest.disk_read_kib_s for guest in servers]
        assert [each / sum(read) for each in read] == pytest.approx(expected)
        assert all(sum(share for _, share in g.disk_shares) == pytest.approx(1) for g in servers)
        nodes = [guest for guest in prediction.guests if guest.role == "ecm-node"]
        assert all(not guest.disk_shares and not guest.disk_read_kib_s for guest in nodes)


def test_random_routing_is_less_even() -> None:
    shares = Setup(routing="random").node_shares(1000)
    assert sum(shares) == pytest.approx(1)
    # The spread of 1000 sessions on four nodes: expected extremes of four normal values.
    assert max(shares) * 1000 == pytest.approx(250 + 1.03 * (1000 * 0.25 * 0.75) ** 0.5, abs=1)
    assert len(set(Setup(routing="round-robin").node_shares(1000))) == 1
    even, uneven = of(Setup(), 1000), of(Setup(routing="random"), 1000)
    assert QUANTITIES["nodes_ifl"](uneven) == pytest.approx(QUANTITIES["nodes_ifl"](even), rel=0.01)
    assert len({guest.user_ifl for guest in uneven.guests if guest.role == "ecm-node"}) == 4


def test_one_large_node_degrades_at_high_load_and_four_do_not() -> None:
    one, four = ([of(Setup(nodes=n), users) for users in (250, 500, 750, 1000)] for n in (1, 4))
    growth = [
        [b.response_ms - a.response_ms for a, b in itertools.pairwise(x)] for x in (one, four)
    ]
    assert growth[0][-1] > 3 * growth[1][-1]
    assert one[-1].bottleneck.name == "ECMnod1 locks"
    # Not for want of processors.
    cpu = next(each for each in one[-1].stations if each.name == "ECMnod1 cpu")
    assert cpu.utilisation < 0.75


def test_pages_add_up_to_the_mean_page() -> None:
    mix = read_mix()
    assert sum(page.share for page in mix.pages) == pytest.approx(1)
    for origin in ORIGINS:
        assert sum(page.share * page.factors[origin] for page in mix.pages) == pytest.approx(1)
    pages = {each.page: each.response_ms for each in of(Setup(), 500).operations}
    assert pages["Add document"] > pages["Open document"] > pages["Logon form"]


def test_predictions_have_nine_digits_and_repeat() -> None:
    prediction = of(Setup(cluster="nsd"), 1000)
    assert prediction == of(Setup(cluster="nsd"), 1000)
    numbers = [prediction.total_ifl, *(g.rx_packets_per_s for g in prediction.guests)]
    assert all(number == float(f"{number:.9g}") for number in numbers)


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ({"nodes": 65}, "give 1 to 64"),
        ({"nodes": 4, "file_system": "xfs", "cluster": "none"}, "XFS is not shared"),
        ({"cluster": "none"}, "Spectrum Scale without disks"),
        ({"nsd_servers": 7}, "give 1 to 6"),
        ({"mtu": 100}, "MTU 100"),
        ({"client_pagepool_mib": 0}, "at least 1"),
    ],
)
def test_impossible_setups_are_refused(setup: dict[str, Any], message: str) -> None:
    with pytest.raises(StudyBookError, match=message):
        Setup(**setup)


def test_the_network_in_use_agrees_with_a_simulation() -> None:
    """Four nodes at 250 users, with background work; each visit of a request is one service."""
    setup, users = Setup(), 250
    network = network_of(setup, users, PARAMETERS)
    ours = of(setup, users)
    simulated = simulate_network(network, users + setup.nodes, seconds=400.0, seed=1)
    page_ms = 1e3 * simulated["users"].response_s / read_mix().pages_per_transaction
    assert ours.response_ms == pytest.approx(page_ms, rel=SIMULATED_TOLERANCE)
    pages_per_s = simulated["users"].throughput_per_s * read_mix().pages_per_transaction
    assert ours.throughput_per_s == pytest.approx(pages_per_s, rel=SIMULATED_TOLERANCE)
    blocks_per_s = solve(network, users + setup.nodes).throughput_per_s["background"]
    # First come first served, its short requests wait for the long ones of the users, each of which
    # is one service here; in turns, as the solver has it, they would not.
    assert simulated["background"].throughput_per_s == pytest.approx(blocks_per_s, rel=0.08)
