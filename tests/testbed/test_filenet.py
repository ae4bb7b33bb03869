"""The model of FileNet P8: its mechanisms, and what it says to the published values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from studybook.errors import StudyBookError
from testbed.filenet import SETUPS, Setup, levels, mix, predict, predict_level, unit_per_s
from testbed.filenet.quantities import QUANTITIES, mean_response_ms
from testbed.fit import compare
from testbed.network import OUTSIDE
from testbed.parameters import read_parameters
from testbed.prediction import Prediction
from testbed.targets import read_targets

PARAMETERS = read_parameters().values("filenet")
FITTED = read_parameters().fitted("filenet")

#: What the model predicts otherwise than published. Figure 1's 35 is at odds with the 39 of Table
#: 10; the database's 0.1, 0.5 and 1.5 IFLs are not in proportion to throughput; and the second
#: highest level is one that we chose.
MISSED = {"eight-cpus-35", "db-half", "db-1-cpu", "pe-low"}


def ask(prediction: Prediction, quantity: str) -> float:
    return QUANTITIES[quantity](prediction)


def at(cpus: int, percent: float, **changed: float) -> Prediction:
    setup = Setup(cpus, 1 if cpus == 1 else 2)  # type: ignore[arg-type]
    return predict_level(setup, percent, {**PARAMETERS, **changed})


def every_level() -> Iterator[Prediction]:
    for setup in SETUPS:
        for users in levels(setup, PARAMETERS):
            yield predict(setup, users, PARAMETERS)


# --- laws ---------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["CE", "PE"])
def test_users_are_thinking_or_waiting(engine: str) -> None:
    share = PARAMETERS["ce_user_share"]
    for prediction in every_level():
        mine = [each for each in prediction.operations if each.page.startswith(engine)]
        busy = sum(
            each.per_s * (prediction.think_time_s + each.response_ms / 1000) for each in mine
        )
        users = prediction.users * (share if engine == "CE" else 1 - share)
        assert busy == pytest.approx(users, rel=1e-6)


def test_operations_are_in_the_published_proportions() -> None:
    rates = {each.page: each.per_s for each in at(2, 63).operations}
    ce = sum(rate for name, rate in rates.items() if name.startswith("CE"))
    assert rates["CE create"] / ce == pytest.approx(0.16)
    assert (rates["CE create"] + rates["CE update"]) / ce == pytest.approx(0.30)
    pe = sum(rate for name, rate in rates.items() if name.startswith("PE"))
    assert rates["PE dispatch"] / pe == pytest.approx(0.30)
    for engine in mix.ENGINES:
        kinds = mix.of(engine)
        assert sum(kind.share for kind in kinds) == pytest.approx(1)
        assert sum(kind.share * kind.relative_work for kind in kinds) == pytest.approx(1)


def test_processor_time_adds_up() -> None:
    for prediction in every_level():
        ifl = sum(g.user_ifl + g.system_ifl + g.hypervisor_ifl for g in prediction.guests)
        assert prediction.total_ifl == pytest.approx(ifl + prediction.cp_ifl)
        for guest in prediction.guests:
            used = guest.user_ifl + guest.system_ifl + guest.hypervisor_ifl
            assert 0 < used < guest.vcpus
        stations = {each.name: each.servers * each.utilisation for each in prediction.stations}
        idle = PARAMETERS["idle_guest_ifl"]
        assert ask(prediction, "ce_pe_ifl") == pytest.approx(stations["CEPE cpu"] + idle)
        assert ask(prediction, "db_ifl") == pytest.approx(stations["DB2 cpu"] + idle)


def test_what_is_sent_is_received() -> None:
    prediction = at(4, 63)
    ce, db, ldap, ae = (prediction.guest(name) for name in ("CEPE", "DB2", "LDAP", "AE"))
    assert (ae.rx_packets_per_s, ae.tx_packets_per_s) == (0, 0)
    # Only the CE/PE guest talks to the driver, so the rest of its packets are the others'.
    kinds = {kind.name: kind for kind in mix.KINDS}
    up = sum(each.per_s * kinds[each.page].upload_kib for each in prediction.operations)
    down = sum(each.per_s * kinds[each.page].download_kib for each in prediction.operations)
    from_driver = ce.rx_kib_s - db.tx_kib_s - ldap.tx_kib_s
    to_driver = ce.tx_kib_s - db.rx_kib_s - ldap.rx_kib_s
    assert up < from_driver < 1.2 * up + down / 20
    assert down < to_driver < 1.2 * down
    assert OUTSIDE not in [guest.name for guest in prediction.guests]


def test_disk_traffic_is_that_of_the_content() -> None:
    prediction = at(2, 80)
    ce, db = prediction.guest("CEPE"), prediction.guest("DB2")
    rates = {each.page: each.per_s for each in prediction.operations}
    assert ce.disk_read_kib_s == pytest.approx(0.5 * 268 * rates["CE retrieve"])
    assert ce.disk_write_kib_s == pytest.approx(
        0.5 * (80 * rates["CE create"] + 100 * rates["CE update"])
    )
    assert db.disk_reads_per_s > db.disk_writes_per_s > 0
    for guest in (ce, db):
        assert sum(share for _, share in guest.disk_shares) == pytest.approx(1)
    # The file store, and the data and log volumes of the database.
    assert len(ce.disk_shares) == 2
    assert len(db.disk_shares) == 8


# --- mechanisms ---------------------------------------------------------------------------


def test_one_line_of_processor_time_against_throughput() -> None:
    """Up to 6 IFLs an operation costs the same, whatever the number of processors."""
    points = np.array([(each.throughput_per_s, ask(each, "ce_pe_ifl")) for each in every_level()])
    points = points[points[:, 1] <= 6]
    assert len(points) >= 18
    slope, start = np.polyfit(*points.T, 1)
    assert np.max(np.abs(points[:, 1] - (start + slope * points[:, 0]))) < 0.05
    # The line begins where nothing is done.
    assert start == pytest.approx(PARAMETERS["idle_guest_ifl"], abs=0.03)


def test_throughput_is_linear_in_users_below_the_knee() -> None:
    for cpus in (1, 2, 4, 8):
        low, high = at(cpus, 26), at(cpus, 63)
        growth = high.throughput_per_s / low.throughput_per_s
        assert growth == pytest.approx(63 / 26, rel=0.02)


@pytest.mark.parametrize("engine", ["CE", "PE"])
def test_response_times_rise_beyond_80_percent(engine: mix.Engine) -> None:
    for cpus in (1, 2, 4, 8):
        times, busy = [], []
        for percent in (10, 26, 45, 63, 80, 90, 100):
            prediction = at(cpus, percent)
            times.append(mean_response_ms(prediction, engine))
            busy.append(ask(prediction, "ce_pe_busy_share"))
        assert times == sorted(times)
        below = max(time for time, share in zip(times, busy, strict=True) if share < 0.8)
        assert below < 3 * times[0]
        assert times[-1] > 3.5 * times[0]


def test_more_processors_are_never_slower() -> None:
    users = levels(Setup(1, 1), PARAMETERS)[-1]
    times = [
        mean_response_ms(predict(Setup(cpus, 2), users, PARAMETERS), "CE")  # type: ignore[arg-type]
        for cpus in (1, 2, 4, 8)
    ]
    assert all(later < earlier for earlier, later in pairwise(times))


def test_locks_hold_back_eight_processors_only() -> None:
    def most(cpus: int, **changed: float) -> float:
        return at(cpus, 100, **changed).throughput_per_s

    free = {"lock_ms": 0.0}
    assert most(2) / most(2, **free) > 0.97
    assert most(4) / most(4, **free) > 0.95
    assert most(8) / most(8, **free) < 0.9
    # Without locks each doubling more than doubles: idle time is shared by more processors.
    assert most(8, **free) / most(4, **free) > 2 > most(8) / most(4)


def test_spinning_is_all_that_makes_operations_dearer() -> None:
    cost = [ask(at(cpus, 100, spin_share=0.0), "ce_pe_ifl_per_operation") for cpus in (2, 8)]
    assert cost[0] == pytest.approx(cost[1], rel=0.01)
    cost = [ask(at(cpus, 100), "ce_pe_ifl_per_operation") for cpus in (2, 8)]
    assert 1.02 < cost[1] / cost[0] < 1.15


def test_one_processor_must_leave_more_idle() -> None:
    busy = [ask(at(cpus, 100), "ce_pe_busy_share") for cpus in (1, 2, 4)]
    assert busy == sorted(busy)
    assert at(2, 100).throughput_per_s > 2 * at(1, 100).throughput_per_s


def test_processors_of_the_database_have_a_minor_role() -> None:
    users = levels(Setup(1, 1), PARAMETERS)[-1]
    one, two = (predict(Setup(1, cpus), users, PARAMETERS) for cpus in (1, 2))  # type: ignore[arg-type]
    assert one.throughput_per_s == pytest.approx(two.throughput_per_s, rel=0.005)
    # For the load of eight, one would not do.
    many = levels(Setup(8, 2), PARAMETERS)[-1]
    starved = predict(Setup(8, 1), many, PARAMETERS)
    assert starved.bottleneck.name == "DB2 cpu"
    assert predict(Setup(8, 2), many, PARAMETERS).bottleneck.name in ("CEPE cpu", "locks")


# --- load levels ----------------------------------------------------------------------------


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.name)
def test_levels_end_where_response_times_do(setup: Setup) -> None:
    users = levels(setup, PARAMETERS)
    assert all(each == int(each) for each in users)
    assert list(users) == sorted(set(users))
    slowest = [
        ask(predict(setup, users[-1] + more, PARAMETERS), "slowest_ce_group_ms") for more in (0, 1)
    ]
    assert slowest[0] <= PARAMETERS["good_response_ms"] < slowest[1]


def test_unit_is_the_lowest_level_of_one_processor() -> None:
    users = levels(SETUPS[0], PARAMETERS)[0]
    lowest = predict(SETUPS[0], users, PARAMETERS)
    assert lowest.throughput_per_s == unit_per_s(PARAMETERS)
    # A sample log of ten minutes at the highest level of all stays below 100,000 samples.
    assert at(8, 100).throughput_per_s * 600 < 100_000


def test_bad_setups_are_refused() -> None:
    with pytest.raises(StudyBookError, match="give 1, 2, 4 or 8"):
        Setup(3, 1)  # type: ignore[arg-type]
    with pytest.raises(StudyBookError, match="a single user waits longer"):
        at(2, 100, good_response_ms=1.0)


# --- published values -----------------------------------------------------------------------


def test_published_values() -> None:
    found = compare("filenet-p8", PARAMETERS)
    assert {each.target.id for each in found if not each.holds} == MISSED
    assert all(each.holds for each in found if each.target.role in ("fitted", "chosen"))
    roles = Counter(each.target.role for each in found)
    assert roles == {"fitted": 2, "chosen": 7, "implied": 13, "predicted": 11}


def test_fitted_parameters_are_the_best() -> None:
    targets = [each for each in read_targets("filenet-p8") if each.role == "fitted"]

    def rss(parameters: dict[str, float]) -> float:
        found = compare("filenet-p8", parameters, targets)
        return sum(each.target.residual(each.model) ** 2 for each in found)

    best = rss(PARAMETERS)
    assert set(FITTED) == {"lock_ms", "database_cpu_ms"}
    for name in FITTED:
        for factor in (0.98, 1.02):
            assert rss({**PARAMETERS, name: factor * PARAMETERS[name]}) > best
