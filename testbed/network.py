"""From bytes between hosts to packets, and to the processor time that they cost.

A message of ``s`` bytes needs a packet for every ``MTU - headers`` bytes, and at least one. Bulk
data, that is messages of more than a packet, and streams of short messages in one direction are
acknowledged by bare packets without data; other short messages are answered at once, and the answer
carries the acknowledgement. Frames of 8192 bytes, and those inside one machine only, act through
the packets alone. Block input and output over the network does not: besides its packets, each block
costs processor time and delay that the MTU does not change (:mod:`testbed.ecm.demand`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

#: Where the driver is: outside, beyond the network adapter of the machine.
OUTSIDE = "driver"
DEFAULT_MTU = 1492


@dataclass(frozen=True)
class Flow:
    """The traffic of one host to another on behalf of a page.

    Parameters
    ----------
    origin : str
        What causes it; traffic is added up by host and origin.
    sender, receiver : str
        Hosts, or groups of like hosts.
    messages : float
        Messages per page.
    message_bytes : float
        Data in each.
    one_way : bool
        Whether they follow each other without answers that could acknowledge them.
    """

    origin: str
    sender: str
    receiver: str
    messages: float
    message_bytes: float
    one_way: bool = False


@dataclass
class Count:
    """Packets and KiB per page at one host, both directions."""

    rx_packets: float = 0.0
    tx_packets: float = 0.0
    rx_kib: float = 0.0
    tx_kib: float = 0.0

    @property
    def packets(self) -> float:
        """Packets received and sent."""
        return self.rx_packets + self.tx_packets

    @property
    def kib(self) -> float:
        """KiB received and sent."""
        return self.rx_kib + self.tx_kib


@dataclass
class Traffic:
    """All packets of a page, by host and origin, and those in the virtual switch by origin."""

    hosts: dict[tuple[str, str], Count] = field(default_factory=dict)
    switched: dict[str, float] = field(default_factory=dict)

    def at(self, host: str) -> Count:
        """Return the sum over all origins at a host."""
        counts = [count for (name, _), count in self.hosts.items() if name == host]
        return Count(
            sum(count.rx_packets for count in counts),
            sum(count.tx_packets for count in counts),
            sum(count.rx_kib for count in counts),
            sum(count.tx_kib for count in counts),
        )

    def _move(self, flow: Flow, sender: str, receiver: str, packets: float, kib: float) -> None:
        if not packets:
            return
        sent = self.hosts.setdefault((sender, flow.origin), Count())
        sent.tx_packets += packets
        sent.tx_kib += kib
        received = self.hosts.setdefault((receiver, flow.origin), Count())
        received.rx_packets += packets
        received.rx_kib += kib
        self.switched[flow.origin] = self.switched.get(flow.origin, 0.0) + packets


def traffic(
    flows: Iterable[Flow], mtu: Callable[[str, str], int], parameters: Mapping[str, float]
) -> Traffic:
    """Count the packets of some flows.

    Parameters
    ----------
    flows : iterable of Flow
        What is sent per page.
    mtu : callable
        MTU between two hosts.
    parameters : mapping of str to float
        ``header_bytes`` and ``packets_per_ack``.
    """
    header, per_ack = parameters["header_bytes"], parameters["packets_per_ack"]
    result = Traffic()
    for flow in flows:
        payload = mtu(flow.sender, flow.receiver) - header
        each = max(1.0, flow.message_bytes / payload)
        packets = flow.messages * each
        kib = (flow.messages * flow.message_bytes + packets * header) / 1024.0
        result._move(flow, flow.sender, flow.receiver, packets, kib)
        acknowledged = packets / per_ack if each > 1.0 or flow.one_way else 0.0
        result._move(flow, flow.receiver, flow.sender, acknowledged, acknowledged * header / 1024.0)
    return result


def mtu_between(mtu: int, scope: str) -> Callable[[str, str], int]:
    """Return the MTU of each pair of hosts.

    Parameters
    ----------
    mtu : int
        MTU of the guests.
    scope : {'everywhere', 'inside-zvm'}
        Whether the load driver has it too, or keeps the default.
    """

    def between(sender: str, receiver: str) -> int:
        outside = OUTSIDE in (sender, receiver) and scope == "inside-zvm"
        return min(mtu, DEFAULT_MTU) if outside else mtu

    return between


def guest_cpu_s(count: Count, parameters: Mapping[str, float]) -> float:
    """Return the processor time of a guest for its packets, in seconds per page."""
    packets_us = count.packets * parameters["packet_guest_us"]
    return (packets_us + count.kib * parameters["copy_guest_us"]) * 1e-6


def hypervisor_cpu_s(count: Count, parameters: Mapping[str, float]) -> float:
    """Return what the hypervisor adds for a guest's packets, in seconds per page."""
    return guest_cpu_s(count, parameters) * parameters["packet_cp_share"]
