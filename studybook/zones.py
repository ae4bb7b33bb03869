"""Time zones by their names, as people write them."""

from __future__ import annotations

import re
import zoneinfo

from studybook.errors import did_you_mean

#: Letters of what is no name that are shown, and looked for among those that are.
_LONGEST = 100


def known_zone(name: str) -> str:
    """The name of a time zone, as it is.

    Raises
    ------
    ValueError
        If there is none of that name; with what may have been meant.
    """
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        # OSError: “Europe” is a folder of zones, and some names are too long for a file.
        if re.fullmatch("[A-Z]{3,5}", name):
            raise ValueError(
                f"{name!r} is short for a time that several places have, or for none\n"
                "  → name the place, such as Europe/Berlin, or UTC"
            ) from error
        if offset := re.fullmatch("(?:UTC|GMT) ?([+-])([0-9]{1,2})", name):
            other = {"+": "-", "-": "+"}[offset[1]]
            raise ValueError(
                f"{name!r} is no name of a time zone\n  → write Etc/GMT{other}{int(offset[2])}: its"
                " sign is the other way around"
            ) from error
        near = did_you_mean(name[:_LONGEST], zoneinfo.available_timezones(), 3)
        raise ValueError(
            f"{name[:_LONGEST]!r} is not a time zone such as Europe/Berlin or UTC"
            + (near and f"; {near}")
        ) from error
    return name
