"""What the fit had to go on, and which findings rest on parts of the model that nothing speaks for.

Some parts of a model stand for something that no publication names: they are there because the
published values do not add up without them. Such a parameter has the key ``without`` in
``parameters.yml``, the value with which its part is not there. A finding of the pages that ask
*what if* rests on the part if it is another one without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd

from studybook.text import counted
from testbed import ecm
from testbed.ecm.quantities import QUANTITIES
from testbed.model import Model

#: A finding that changes by so much, as a share of itself, rests on what was taken away.
CHANGED = 0.05

_Values = Mapping[str, float]


def _ratio(
    quantity: str, setup: ecm.Setup, users: float, over: ecm.Setup, of: float
) -> Callable[[_Values], float]:
    def found(values: _Values) -> float:
        one, other = ecm.predict(setup, users, values), ecm.predict(over, of, values)
        return QUANTITIES[quantity](one) / QUANTITIES[quantity](other)

    return found


_ONE, _SD, _NSD = ecm.Setup(nodes=1), ecm.Setup(), ecm.Setup(cluster="nsd")
_SMALL, _LARGE = (
    ecm.Setup(cluster="nsd", client_pagepool_mib=size, server_pagepool_mib=2048)
    for size in (256, 65536)
)

#: What the pages that ask *what if* find, each as one ratio.
FINDINGS: dict[str, Callable[[_Values], float]] = {
    "pages/s of 8 nodes over those of one, 250 users each": _ratio(
        "pages_per_s", ecm.Setup(nodes=8), 2000, _ONE, 250
    ),
    "response time with MTU 9000 over that with 1492, NSD, 1,000 users": _ratio(
        "response_ms", ecm.Setup(cluster="nsd", mtu=9000), 1000, _NSD, 1000
    ),
    "the same with shared disk": _ratio("response_ms", ecm.Setup(mtu=9000), 1000, _SD, 1000),
    "disk reads with page pools of 65,536 MiB over those with 256 MiB, NSD, 1,000 users": _ratio(
        "disk_read_mib_s", _LARGE, 1000, _SMALL, 1000
    ),
    "pages/s with 2000 users over those with 1000, four nodes, shared disk": _ratio(
        "pages_per_s", _SD, 2000, _SD, 1000
    ),
    "the same with NSD servers": _ratio("pages_per_s", _NSD, 2000, _NSD, 1000),
}


def parts(model: Model) -> dict[str, float]:
    """The parameters of parts that nothing published speaks for, and their value without it."""
    return {
        name: each.without for name, each in model.parameters.items() if each.without is not None
    }


def what_it_had(model: Model) -> str:
    """Say how many parameters met how many values, and what was set without a fit."""
    fitted = [name for name, each in model.parameters.items() if each.bounds]
    used = sum(each.role == "fitted" for each in model.targets)
    left = used - len(fitted)
    read = sum(each.role == "fitted" and each.reads is not None for each in model.targets)
    said = (
        f"{counted(len(fitted), 'parameter').capitalize()} "
        f"{'was' if len(fitted) == 1 else 'were'} fitted to {counted(used, 'value')} of the "
        f"document{f' ({read} read into words)' if read else ''}, "
        f"{f'{left} more than there are parameters' if left else 'no more'}"
    )
    by_hand = [name for name, each in model.parameters.items() if each.by_hand]
    if by_hand:
        said += f"; set by hand, with a look at such values: {', '.join(by_hand)}"
    if closing := parts(model):
        said += f". Nothing published speaks for what stands behind {', '.join(closing)}: "
        said += "without them the values would not add up"
    return f"{said}."


def findings(model: Model) -> pd.DataFrame:
    """Each finding as the model has it, and as it would be without a part; all else unchanged.

    A new fit without the part is not made: the published values would be missed by more.
    """
    rows = []
    for name, found in FINDINGS.items():
        base = found(model.values)
        row = {"finding": name, "as fitted": f"{base:.2f} ×"}
        for part, without in parts(model).items():
            value = found({**model.values, part: without})
            rests = abs(value / base - 1) > CHANGED
            row[f"without {part}"] = f"{value:.2f} ×" + ("\nrests on it" if rests else "")
        rows.append(row)
    return pd.DataFrame(rows)
