"""The reports of a listing: their tables, row by row.

Columns that no part of the model speaks of (paging, simulated instructions) hold dots or zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from testbed.course import Guest
from testbed.writers.perfkit.means import Means
from testbed.writers.perfkit.page import Machine, Table, fit, fixed

MEAN = ">>Mean>>"
STATUS = "EME,CL3,DISP"
#: Processor time of PR/SM itself, as a share of the busy time of a logical processor.
PR_SM_OVERHEAD = 0.001

SUMMARY = Table(
    (
        "         <-------- CPU --------> <Vec> <--Users--> <---I/O---> <Stg> <-Paging--> <Spl>",
        "               <---Ratio-->                         SSCH  DASD Users <-Rate/s-->",
        "Interval   Pct        Cap-  On-  Pct   Log-        +RSCH  Resp    in PGIN+ Read+ Pages",
        "End Time  Busy   T/V  ture line Busy    ged Activ     /s  msec Elist PGOUT Write    /s",
    )
)
PROCLOG = Table(
    (
        "          C      <---- Percent Busy ----> <------ Rates/s ----->",
        "Interval  P                               Inst",
        "End Time  U Type Total  User  Syst  Emul Siml  DIAG  SIGP  SSCH",
    )
)
PRCLOG = Table(
    (
        "                                 Pct       <---- Percent Busy ----><------ Rates/s ----->",
        "Interval                        Park                               Inst",
        "End Time CPU Type PPD Ent. DVID Time %Susp Total  User  Syst  Emul Siml  DIAG  SIGP  SSCH",
    )
)
USER = Table(
    (
        "          <-------- CPU Load --------> <------- Virtual IO/s ------>",
        "                 <-- Seconds -->   T/V",
        "Userid    %CPU     TCPU     VCPU Ratio Total  DASD Avoid Diag98   UR  Pg/s  User Status",
    )
)
LPAR = Table(
    (
        "Partition Nr. Upid #Proc Weight Wait-C Cap %Load CPU %Busy %Ovhd %Susp %VMld %Logld Type"
        " TypeCap",
    )
)
GVNIC = Table(
    (
        "<-- LAN ID ---->                    <------ Outbound/s ------->"
        " <------- Inbound/s ------->",
        "Owner    Name     Userid   Vdev Type    Bytes  Packets Discards     Bytes  Packets"
        " Discards",
    )
)


def summary(means: Means) -> Iterator[str]:
    """Rows of SYSSUMLG: the whole system by time."""
    template, ifls, guests = SUMMARY.template(13), means.course.ifls, len(means.course.guests)
    rates = [means.eckd(guest) for guest in means.course.guests]
    nothing = np.zeros(len(means.counts))
    rate = sum((each for each, _ in rates), nothing)
    weighted = sum((each for _, each in rates), nothing)

    def row(label: str, *values: float) -> str:
        busy, user, emulation, io, io_ms = values
        return template % (
            label,
            fixed(100 * busy / ifls),
            fixed(busy / emulation, 2) if emulation > 0 else "...",
            fit(user / busy, 5, 4) if busy > 0 else ".....",
            fixed(ifls),
            "....",
            guests,
            guests if user > 0 else 0,
            fit(io, 6),
            fit(io_ms / io, 4) if io > 0 else "...",
            *(".0", ".0", ".0", ".0"),
        )

    columns = (means.busy_ifl, means.user_ifl, means.emulation_ifl, rate, weighted)
    yield row(MEAN, *map(means.mean, columns))
    for end, *values in zip(means.ends, *(each.tolist() for each in columns), strict=True):
        yield row(f"{end:%H:%M:%S}", *values)


def processors(means: Means, machine: Machine, *, polarized: bool) -> Iterator[str]:
    """Rows of PRCLOG, or of PROCLOG if processors are not polarized: each processor by time."""
    table = PRCLOG if polarized else PROCLOG
    kind = f"{machine.cpu_type:<4}"
    count = means.course.ifls
    # Every processor is as busy with guests and with CP as the whole system is.
    user, emulation = (
        np.divide(part, means.busy_ifl, out=np.zeros(len(part)), where=means.busy_ifl > 0)
        for part in (means.user_ifl, means.emulation_ifl)
    )
    if polarized:
        names = [f"{n:3d} {kind} Vh   100 {n:04X}   .0    .0" for n in range(count)]
    else:
        names = [f"{n:2d} {kind}" for n in range(count)]
    template = table.template(8)

    def rows(label: str, total: list[float], user: float, emulation: float) -> Iterator[str]:
        for name, share in zip(names, total, strict=True):
            busy = 100 * share
            text = template % (
                f"{label} {name}",
                f"{busy:.1f}",
                f"{busy * user:.1f}",
                f"{busy * max(0.0, 1 - user):.1f}",
                f"{busy * emulation:.1f}",
                *("....", "....", "....", "...."),
            )
            yield text.replace(" 0.", "  .")

    shares = means.processor_share
    weights = means.counts[:, np.newaxis]
    over_time = np.add.reduce(shares * weights, axis=0) / np.add.reduce(means.counts)
    busy = means.mean(means.busy_ifl) or 1.0
    yield from rows(
        MEAN,
        over_time.tolist(),
        means.mean(means.user_ifl) / busy,
        means.mean(means.emulation_ifl) / busy,
    )
    for number, end in enumerate(means.ends):
        yield from rows(
            f"{end:%H:%M:%S}",
            shares[number].tolist(),
            float(user[number]),
            float(emulation[number]),
        )


def users(means: Means, part: slice) -> Iterator[str]:
    """Rows of USER: each guest over a period. ``>System<`` is their mean, not their sum."""
    template, seconds = USER.template(10, left=8, beyond=2) + "  %s", means.seconds(part)

    def row(label: str, values: Sequence[float], status: str) -> str:
        total, virtual, io = values
        return template % (
            label,
            fit(100 * total, 4),
            fit(total * seconds, 5, 2, 8),
            fit(virtual * seconds, 5, 2, 8),
            fit(total / virtual, 4) if virtual > 0 else "...",
            fit(io, 4),
            fit(io, 4),
            *(".0", ".0", ".0", ".0"),
            status,
        )

    guests = means.course.guests
    of_guests = [
        (means.total_ifl(guest), means.virtual_ifl(guest), means.eckd(guest)[0]) for guest in guests
    ]
    values = [[means.mean(series, part) for series in of_guest] for of_guest in of_guests]
    totals = [sum(column) / len(guests) for column in zip(*values, strict=True)]
    if guests:
        yield row(">System<", totals, "---,---,---")
        yield "User Data:"
    for guest, each in zip(guests, values, strict=True):
        yield row(userid(guest), each, STATUS)


def partition(means: Means, machine: Machine, part: slice) -> Iterator[str]:
    """Rows of LPAR: the logical processors of the own partition over a period."""
    template = LPAR.template(8)
    physical = machine.physical or means.course.ifls
    loads = [100 * means.mean(column, part) for column in means.processor_share.T]
    share = (1 + PR_SM_OVERHEAD) * sum(loads) / physical
    first = (
        f"{means.course.system[:8]:<9}   1   05 {means.course.ifls:5d}    100     NO  NO"
        f" {fixed(share):>5}"
    )
    for number, load in enumerate(loads):
        yield template % (
            first if not number else "",
            number,
            fixed(load * (1 + PR_SM_OVERHEAD)),
            fixed(load * PR_SM_OVERHEAD),
            ".0",
            fixed(load),
            fixed(load),
            f"{machine.cpu_type:<4}",
            "...",
        )


def adapters(means: Means, machine: Machine, part: slice) -> Iterator[str]:
    """Rows of GVNIC: each adapter of each guest over a period."""
    template, first = GVNIC.template(6), int(machine.vdev, 16)
    for guest in means.course.guests:
        for number, interface in enumerate(guest.interfaces):
            device = f"{first + 16 * number:04X}"
            values = [means.mean(series, part) for series in means.packets(interface)]
            out_bytes, out_packets, in_bytes, in_packets = (fit(each, 8, 1) for each in values)
            yield template % (
                f"SYSTEM   {machine.switch[:8]:<8} {userid(guest):<8} {device} QDIO",
                *(out_bytes, out_packets, ".0", in_bytes, in_packets, ".0"),
            )


def userid(guest: Guest) -> str:
    """Name of a guest to z/VM: 8 characters at most, upper case."""
    return guest.name.upper()[:8]
