"""What was published of the ECM scale-out study, as data: complete, cited, one with the testbed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from studybook.checked_yaml import read_yaml
from studybook.claims import sums
from studybook.claims.published_values import Claim, Published, read_published
from studybook.dataset.manifest import read_run
from studybook.errors import StudyBookError
from testbed.targets import Target, read_targets
from tests.conftest import REPOSITORY
from tests.support.claim_words import uneven_tolerances

STUDY = "ecm-scaleout"
VALUES = read_published(REPOSITORY, STUDY)
CLAIMS = {claim.id: claim for claim in VALUES.claims}
TARGETS = {target.id: target for target in read_targets(STUDY)}

#: The figures of the document, by the notebook that draws each; beside them two pages.
FIGURES = (
    "fig01-spectrum-scale", "fig02-shared-disk", "fig03-network-shared-disk",
    "fig04-request-routing", "fig05-response-by-routing", "fig06-cpu-by-routing",
    "fig07-shared-disk-cluster", "fig08-nsd-cluster", "fig09-server-list",
    "fig10-server-pagepool", "fig11-client-pagepool", "fig12-response-sd-nsd", "fig13-ifl-sd-nsd",
    "fig14-packets-sd-nsd", "fig15-response-mtu", "fig16-ifl-mtu", "fig17-packets-mtu",
    "fig18-mtu-inside-zvm", "fig19-user-curve", "fig20-throughput-response", "fig21-cpu-of-nodes",
    "fig22-disk-io", "fig23-load-levels",
)  # fmt: skip
PAGES = ("settings", "conclusions")

#: What a metric has of its own, beside the factors of its run.
OWN_FACTORS = {"designation", "direction", "host", "role"}

#: What the testbed calls otherwise.
METRIC_OF = {
    "node_rx_packets_per_s": "node_received_packets_per_s",
    "node_rx_packet_bytes": "node_received_packet_bytes",
    "node_tx_packet_bytes": "node_sent_packet_bytes",
    "server_network_per_disk": "server_sent_per_disk_read",
}
FACTOR_OF = {"mtu": "mtu_bytes"}


def test_each_figure_has_a_claim_and_each_claim_a_figure() -> None:
    assert len(FIGURES) == 23
    assert {claim.figure for claim in VALUES.claims} == {*FIGURES, *PAGES}


@pytest.mark.parametrize("claim", VALUES.claims, ids=list(CLAIMS))
def test_a_claim_can_be_found_and_understood_by_itself(claim: Claim) -> None:
    assert re.search(r"\b(Figures?|Tables?) \d+|\bchapters? \d|title page", claim.place)
    assert not re.search(r"^(The same|So |That |It |They )|\bthe former\b", claim.statement)
    assert claim.statement.endswith(".")
    assert re.match(r"$|004, |(Figure|chapter) \d", claim.also_in)
    # A tolerance gives its reason; a bound has none: it is kept or not.
    assert bool(claim.tolerance) == bool(claim.tolerance_because)
    if claim.operator != "=":
        assert claim.tolerance is None


@pytest.mark.parametrize("claim", VALUES.claims, ids=list(CLAIMS))
def test_claims_name_factors_that_runs_may_have(claim: Claim) -> None:
    for factors in (claim.of, claim.over or {}):
        for name, value in factors.items():
            assert name in OWN_FACTORS or VALUES.definition.factors[name].fault(value) == ""
    assert {*VALUES.baseline} <= {*VALUES.definition.factors}


def runs() -> list[Path]:
    return sorted(REPOSITORY.glob(f"data/raw/*/{STUDY}/*/run.yml"))


def test_every_committed_run_has_factors_of_the_study() -> None:
    found = runs()
    assert len(found) >= 100
    for path in found:
        assert not [*VALUES.definition.faults(read_run(path))], path


def test_the_claims_are_more_than_the_targets_of_the_testbed_and_hold_them_all() -> None:
    assert {*TARGETS} < {*CLAIMS}


def test_what_follows_from_other_claims_is_implied() -> None:
    roles = {name: claim.role for name, claim in CLAIMS.items()}
    assert roles["node-vcpus"] == "chosen"
    assert roles["nodes-alike-in-packets"] == "implied"
    assert roles["lead-at-1000"] == "implied"  # both response times are fitted
    # That of XFS is fitted; the other is predicted, and counted where it is.
    assert roles["nsd-jumbo-before-xfs-1000"] == "implied"
    assert {each.id: roles[each.id] for each in TARGETS.values()} == {
        each.id: each.role for each in TARGETS.values()
    }


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("role: chosen", "role: guessed", "role"),
        ("follows: [", "follows: [no-such-claim, ", "follows from no-such-claim, which is no"),
        ("role: implied\n    follows", "role: fitted\n    follows", "has the role fitted, but"),
    ],
)
def test_a_role_is_given_for_a_reason(
    tmp_path: Path, before: str, after: str, message: str
) -> None:
    committed = (REPOSITORY / f"data/published/{STUDY}.yml").read_text(encoding="utf-8")
    assert before in committed
    path = tmp_path / f"{STUDY}.yml"
    path.write_text(committed.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(StudyBookError, match=message):
        read_yaml(path, Published)


def test_a_claim_of_throughput_tells_tuned_servers_from_untuned_ones() -> None:
    """90 ms more, 30 % of 300, in a think time of up to 8 s are beyond what is allowed."""
    assert CLAIMS["tuned-nsd-as-sd"].accepted.low > 8.3 / 8.39


def test_the_same_words_before_a_number_have_the_same_tolerance() -> None:
    """Those of the same reason, and those of the same words in quotation marks and unit."""
    assert uneven_tolerances(VALUES) == {}


def _over_baseline(setup: dict[str, Any], users: float) -> dict[str, Any]:
    """Return the factors of a testbed's case as a claim would name them."""
    renamed = {FACTOR_OF.get(name, name): value for name, value in setup.items()}
    return VALUES.baseline | renamed | {"users": users}


@pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))
def test_a_claim_is_that_of_the_testbed(target: Target) -> None:
    claim = CLAIMS[target.id]
    accepted = claim.accepted
    if target.role == "fitted" and target.number is not None:
        # Its tolerance is its weight in the fit.
        assert accepted.holds(target.number, target.number)
    else:
        assert target.accepted == pytest.approx((accepted.low, accepted.high))
    assert target.number == (claim.number if claim.operator == "=" else None)
    # Without words and without a number, the bound is ours, too: faster is less than 1.
    assert (target.reads is None) == (claim.value is not None)
    assert claim.metric == METRIC_OF.get(target.quantity, target.quantity)
    assert VALUES.baseline | claim.of == _over_baseline(target.setup, target.users)
    if target.against is None:
        assert claim.kind == "value"
        return
    assert (
        claim.kind in {"ratio": ("ratio", "comparison"), "difference": ("difference",)}[target.as_]
    )
    against = _over_baseline(target.against.setup, target.against.users)
    assert VALUES.baseline | (claim.over or {}) == against


@pytest.mark.parametrize(
    ("disagreement", "results"),
    [
        ("packets-with-jumbo", ["−57.14 %", "28,000 packets/s"]),
        ("packets-with-nsd", ["69,600 packets/s", "+75 %"]),
        ("packet-size-and-rate", ["2.333 ×", "0.4286 ×", "1.071 ×", "1.286 ×"]),
        ("ifl-of-three-setups", ["0 IFLs", "1.1 IFLs", "24 IFLs", "23.4 IFLs", "24 IFLs"]),
        ("highest-use", ["80 %", "85.67 %"]),
        ("gain-on-the-single-node", ["−40 %", "−57.14 %"]),
        ("cpus-of-the-single-node", ["2.5 IFLs"]),
        (
            "reads-and-writes",
            ["110 MiB/s", "2 ×", "55 MiB/s", "60 MiB/s", "165 MiB/s", "+1.852 %"],
        ),
    ],
)
def test_the_sums_of_the_document_come_to_what_they_do_by_hand(
    disagreement: str, results: list[str]
) -> None:
    found = next(each for each in VALUES.disagreements if each.id == disagreement)
    assert [each.result for each in sums.compute(found, VALUES)] == results


def test_guests_add_up_to_the_overcommitment_that_is_published() -> None:
    found = next(each for each in VALUES.disagreements if each.id == "overcommitment")
    by_text = {each.sum.text: each.value for each in sums.compute(found, VALUES)}
    for text, name in (
        ("for each IFL, with shared disk", "sd-overcommitment"),
        ("for each IFL, with NSD servers", "nsd-overcommitment"),
    ):
        assert by_text[text] == pytest.approx(float(str(CLAIMS[name].value)))


def test_disagreements_are_two_cited_statements_each() -> None:
    names = [each.id for each in VALUES.disagreements]
    assert len(names) == len({*names}) >= 20
    for each in VALUES.disagreements:
        for side in (each.first, each.second):
            assert re.search(r"\bchapters? \d|\bFigure \d|\bTables? \d", side.place), each.id
        assert each.first.text != each.second.text
        sums.compute(each, VALUES)
