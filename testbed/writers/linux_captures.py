"""``ifconfig`` and ``lsqeth`` of a guest, as root types them on SLES 11 for s390x.

``ifconfig`` is that of net-tools 1.60; ``lsqeth`` that of s390-tools 1.15. The guests' virtual
network cards are of qeth, coupled to a virtual switch of z/VM in layer 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from ipaddress import IPv6Address

from testbed.course import Course, Guest, Interface, Series

#: Device number of the first card of a guest; each takes three, and 16 more are left free.
_FIRST_DEVICE = 0x0600

#: Inbound buffers of a card: the largest number that qeth takes; its own default is 64.
BUFFERS = 128


def prompt(guest: Guest, command: str) -> str:
    """The line in which root types a command."""
    return f"{guest.name}:~ # {command}"


def ifconfig(course: Course, guest: Guest, intervals: int | None = None) -> Iterator[str]:
    """Show the interfaces of a guest, with the counters of the run so far.

    Parameters
    ----------
    course : Course
        The run; the guest's counters are 0 at its start.
    guest : Guest
        One of its guests.
    intervals : int, optional
        Intervals that have passed; all, if left out.
    """

    def total(rate: Series, scale: int = 1) -> int:
        return round(math.fsum(rate[:intervals].tolist()) * course.interval_s * scale)

    yield prompt(guest, "ifconfig")
    for number, each in enumerate(guest.interfaces, 1):
        yield f"{each.name:<9} Link encap:Ethernet  HWaddr {each.mac.upper()}  "
        network = each.address.rpartition(".")[0]
        yield f"          inet addr:{each.address}  Bcast:{network}.255  Mask:255.255.255.0"
        yield f"          inet6 addr: {_link_local(each, number)}/64 Scope:Link"
        yield f"          UP BROADCAST RUNNING MULTICAST  MTU:{each.mtu}  Metric:1"
        yield from _counters(
            (total(each.rx_packets_per_s), total(each.tx_packets_per_s)),
            (total(each.rx_kib_s, 1024), total(each.tx_kib_s, 1024)),
            1000,
        )
    yield "lo        Link encap:Local Loopback  "
    yield "          inet addr:127.0.0.1  Mask:255.0.0.0"
    yield "          inet6 addr: ::1/128 Scope:Host"
    yield "          UP LOOPBACK RUNNING  MTU:16436  Metric:1"
    yield from _counters((0, 0), (0, 0), 0)


def _counters(packets: tuple[int, int], sizes: tuple[int, int], queue: int) -> Iterator[str]:
    """The lines of counters, and the blank line that ends an interface."""
    received, sent = packets
    yield f"          RX packets:{received} errors:0 dropped:0 overruns:0 frame:0"
    yield f"          TX packets:{sent} errors:0 dropped:0 overruns:0 carrier:0"
    yield f"          collisions:0 txqueuelen:{queue} "
    rx, tx = (f"{size} ({_rounded(size)})" for size in sizes)
    yield f"          RX bytes:{rx}  TX bytes:{tx}"
    yield ""


def _rounded(size: int) -> str:
    """Bytes in the largest unit that ifconfig has, cut off behind one digit."""
    unit, name = (2**20, "Mb") if size > 2**20 else (2**10, "Kb") if size > 2**10 else (1, "b")
    tenths = size * 10 // unit
    return f"{tenths // 10}.{tenths % 10} {name}"


def _link_local(interface: Interface, number: int) -> IPv6Address:
    """The address that Linux gives a card which shares its port: with a number in its middle.

    Source: ``addrconf_ifid_eui48`` of Linux 3.0, where the device has a ``dev_id``.
    """
    mac = bytes.fromhex(interface.mac.replace(":", ""))
    tail = mac[:3] + number.to_bytes(2, "big") + mac[3:]
    return IPv6Address(b"\xfe\x80" + bytes(6) + tail)


def lsqeth(guest: Guest, buffers: int = BUFFERS) -> Iterator[str]:
    """Show the network cards of a guest.

    Parameters
    ----------
    guest : Guest
        The guest.
    buffers : int
        Inbound buffers of each card.
    """
    yield prompt(guest, "lsqeth")
    for number, interface in enumerate(guest.interfaces):
        device = _FIRST_DEVICE + 16 * number
        yield f"Device name                  : {interface.name:<20}"
        yield "-" * 45
        properties = {
            "card_type": "GuestLAN QDIO",
            **{f"cdev{place}": f"0.0.{device + place:04x}" for place in range(3)},
            "chpid": f"{number + 1:02X}",
            "online": "1",
            "portname": "no portname required",
            "portno": "0",
            "route4": "no",
            "route6": "no",
            "checksumming": "sw checksumming",
            "state": "UP (LAN ONLINE)",
            "priority_queueing": "always queue 2",
            "fake_broadcast": "0",
            "buffer_count": str(buffers),
            "layer2": "0",
            "large_send": "no",
            "isolation": "none",
            "sniffer": "0",
        }
        for name, value in properties.items():
            yield f"        {name:<20} : {value}"
        yield ""
