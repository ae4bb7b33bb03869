"""The drawing of how requests are spread over the members of an application cluster."""

from __future__ import annotations

import pandas as pd

from studybook.topology.canvas import (
    LINE,
    MARGIN,
    PAD,
    ROW,
    STUB,
    WIDTH,
    Box,
    Canvas,
    Network,
    arranged,
    box_height,
)  # fmt: skip
from studybook.topology.rows import known

#: How the factor ``routing`` reads in a sentence.
ROUTINGS = {"round-robin": "in turn", "random": "at random"}


def routing(hosts: pd.DataFrame, way: str, origin: str) -> pd.DataFrame:
    """Draw the way of requests: web server, members of the ICN cluster, a CPE beside each.

    Parameters
    ----------
    hosts : pandas.DataFrame
        Rows of the view ``system_host`` of one run.
    way : str
        The value of the factor ``routing``.
    origin : str
        Where the rows come from.

    Returns
    -------
    pandas.DataFrame
        A row per part, with its place.
    """
    requests = Network("Routing", paint="application")
    tapped = frozenset({requests.name})
    said = f"routes {ROUTINGS.get(way, way)}" if way else ""
    canvas = Canvas(origin)
    web = hosts.loc[hosts["role"] == "web-server", "host"].map(known)
    servers = [Box(name, ["web server", said], "web server", networks=tapped) for name in web]
    canvas.grid(servers, below=requests, widest=130)
    members = [Box(known(n)) for n in hosts.loc[hosts["role"] == "ecm-node", "host"]]
    icn, cpe = Box("ICN", role="ICN member", paint="application"), Box("CPE", role="CPE member")
    height = box_height([icn])
    for places, last in arranged(members, MARGIN, WIDTH - MARGIN, 90):
        rail, frame = canvas.y, canvas.y + STUB
        upper, lower = frame + PAD, frame + PAD + height + STUB
        for member, x, width in places:
            inner, middle = (x + PAD, width - 2 * PAD), x + width / 2
            canvas.y = lower + height
            canvas.caption(member.name, x, canvas.y + LINE / 2 + 3, width)
            canvas.y += LINE + PAD
            canvas.frame("", frame, x=x, x2=x + width, role=member.name)
            for box, y in ((icn, upper), (cpe, lower)):
                canvas.box(box, inner[0], y, inner[1], height)
            requests.taps.append((f"ICN on {member.name}", middle, rail, upper))
            canvas.add(
                "link", middle, upper + height, middle, lower,
                start=f"ICN on {member.name}", end=f"CPE on {member.name}",
            )  # fmt: skip
        canvas.y = lower + height + LINE + PAD + (0 if last else ROW)
    canvas.close(requests)
    return canvas.table()
