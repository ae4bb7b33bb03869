"""What claims of every study are held to: the same words have the same tolerance."""

from __future__ import annotations

import re

from studybook.claims.published_values import Published


def uneven_tolerances(values: Published) -> dict[tuple[str, str], set[float]]:
    """Return the reasons, with their unit, for which claims have tolerances of different width.

    Claims have the same reason if its words are the same, or those of it in quotation marks.
    """
    by_reason: dict[tuple[str, str], set[float]] = {}
    for claim in values.claims:
        if claim.tolerance is None or claim.operator != "=":
            continue
        quoted = re.match(r"“([^”]+)”", claim.tolerance_because)
        words = quoted[1] if quoted else claim.tolerance_because
        width = claim.tolerance.around(float(str(claim.value)))
        by_reason.setdefault((words, claim.unit), set()).add(width)
    return {key: found for key, found in by_reason.items() if len(found) > 1}
