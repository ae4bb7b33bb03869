"""What the fit had to go on, and what rests on parts of the model that nothing speaks for."""

from __future__ import annotations

import dataclasses

import pytest
from pydantic import ValidationError

from testbed import resting
from testbed.model import Model, open_model
from testbed.parameters import Parameter


@pytest.fixture(scope="module")
def model() -> Model:
    return open_model("ecm-scaleout")


def test_it_counts_parameters_and_values_and_names_what_was_set_by_hand(model: Model) -> None:
    said = resting.what_it_had(model)
    fitted = [each for each in model.parameters.values() if each.bounds]
    used = [each for each in model.targets if each.role == "fitted"]
    assert said.startswith(f"{len(fitted)} parameters were fitted to {len(used)} values")
    assert f" {len(used) - len(fitted)} more than there are parameters; set by hand" in said
    assert ": write_fill." in said
    assert "background_pause_ms, virtual_switch_us" in said


def test_as_many_values_as_parameters_leave_nothing() -> None:
    said = resting.what_it_had(open_model("filenet-p8"))
    assert said.startswith(
        "2 parameters were fitted to 2 values of the document (1 read into words)"
    )
    assert ", no more; set by" in said
    assert "Nothing published" not in said


def test_a_part_that_is_taken_away_is_not_there(model: Model) -> None:
    """Without a limit of the switch it cannot be what is full."""
    assert set(resting.parts(model)) == {"background_pause_ms", "virtual_switch_us", "database_ios"}
    found = resting.findings(model).set_index("finding")
    jumbo = found.loc["response time with MTU 9000 over that with 1492, NSD, 1,000 users"]
    assert jumbo["without virtual_switch_us"].endswith("rests on it")
    assert float(jumbo["without virtual_switch_us"].split()[0]) > float(
        jumbo["as fitted"].split()[0]
    )


def test_where_nothing_changes_nothing_rests(model: Model) -> None:
    same = {
        name: changed(each, without=each.value if each.without is not None else None)
        for name, each in model.parameters.items()
    }
    found = resting.findings(dataclasses.replace(model, parameters=same))
    for row in found.to_dict("records"):
        assert {str(value) for name, value in row.items() if name != "finding"} == {
            row["as fitted"]
        }


def changed(each: Parameter, without: float | None) -> Parameter:
    return each.model_copy(update={"without": without})


def test_what_was_fitted_was_not_set_by_hand() -> None:
    with pytest.raises(ValidationError, match="not set by hand"):
        Parameter(value=1, unit="s", meaning="m", bounds=(0, 2), by_hand=True)
