"""A place in a network of queues where requests are served."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Centre:
    """A place where requests are served.

    Parameters
    ----------
    name : str
        Its name in the network.
    servers : int
        Requests that are served at a time.
    copies : int
        Number of such places, among which the requests are spread evenly; the service demand and
        all results are those of all copies together.
    kind : {'queue', 'delay', 'overlay'}
        A delay has a server for everyone. An overlay is a resource that is held together with
        those under it (a real processor, with a virtual one): its service is theirs, with all that
        contention and spinning add to it, and those who wait for it keep what they hold.
    contention : float
        Growth of the service demand with each other request that is served at the same time, on
        the servers beside: ``D (1 + contention n)``.
    spin_share, spins_at : float, str
        Share of the time of waiting here that is spent working, in vain, at another centre.
    over : tuple of str
        The centres under an overlay.
    occupied : float
        Servers that are taken by what goes on outside the network.
    """

    name: str
    servers: int = 1
    copies: int = 1
    kind: Literal["queue", "delay", "overlay"] = "queue"
    contention: float = 0.0
    spin_share: float = 0.0
    spins_at: str | None = None
    over: tuple[str, ...] = ()
    occupied: float = 0.0
