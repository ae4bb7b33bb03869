"""The guests of FileNet P8 at given rates of operations: processors, network, disks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from testbed.filenet.mix import KINDS, Kind
from testbed.network import DEFAULT_MTU, OUTSIDE, Count, Flow, mtu_between, traffic
from testbed.prediction import GuestUse

CE_PE, DB, LDAP, AE = "CEPE", "DB2", "LDAP", "AE"

#: The disks in a striped volume share its requests evenly. The file store is on two; the database
#: has four for its data and four for its log, which takes a fifth of the requests.
FILE_STORE = (("dasdb", 0.5), ("dasdc", 0.5))
DATABASE_DISKS = (
    *((name, 0.2) for name in ("dasdd", "dasde", "dasdh", "dasdi")),
    *((name, 0.05) for name in ("dasdf", "dasdg", "dasdj", "dasdk")),
)
#: Bytes of a call and of its answer, without content.
CALL_BYTES, ANSWER_BYTES = 400, 900
#: Calls to the directory server for a logon.
DIRECTORY_CALLS = 4
MEMORY_MIB = {CE_PE: 8192, DB: 8192, LDAP: 1536, AE: 6144}


@dataclass(frozen=True)
class Busy:
    """Virtual processors of each guest, and how many of them are busy on behalf of users."""

    ce_pe: tuple[int, float]
    database: tuple[int, float]
    directory: tuple[int, float]


def guests(rates: Mapping[str, float], busy: Busy, p: Mapping[str, float]) -> tuple[GuestUse, ...]:
    """Return what each guest does.

    Parameters
    ----------
    rates : mapping of str to float
        Operations per second by name.
    busy : Busy
        Processors in use.
    p : mapping of str to float
        Values of the sections ``shared`` and ``filenet``.
    """
    flows = [flow for kind in KINDS for flow in _flows(kind, rates[kind.name], p)]
    packets = traffic(flows, mtu_between(DEFAULT_MTU, "everywhere"), p)
    stored = p["filestore_share"]
    written = stored * sum(rates[kind.name] * kind.upload_kib for kind in KINDS)
    read = stored * sum(rates[kind.name] * kind.download_kib for kind in KINDS)
    request_kib = p["filestore_request_kib"]
    ios = p["database_ios"] * sum(rates.values())
    writes = p["database_write_share"]

    def guest(name: str, role: str, vcpus: int, ifl: float) -> GuestUse:
        # A virtual processor is busy, too, while the hypervisor works for it.
        ifl += p["idle_guest_ifl"]
        own = ifl * (1.0 - p["cp_share"])
        count: Count = packets.at(name)
        return GuestUse(
            name=name,
            role=role,
            vcpus=vcpus,
            memory_mib=MEMORY_MIB[name],
            user_ifl=own * (1.0 - p["kernel_share"]),
            system_ifl=own * p["kernel_share"],
            hypervisor_ifl=ifl * p["cp_share"],
            rx_packets_per_s=count.rx_packets,
            tx_packets_per_s=count.tx_packets,
            rx_kib_s=count.rx_kib,
            tx_kib_s=count.tx_kib,
            mtu=DEFAULT_MTU,
        )

    return (
        replace(
            guest(CE_PE, "ecm-node", *busy.ce_pe),
            disk_reads_per_s=read / request_kib,
            disk_writes_per_s=written / request_kib,
            disk_read_kib_s=read,
            disk_write_kib_s=written,
            disk_shares=FILE_STORE,
            disk_service_ms=p["filestore_io_ms"],
            disk_wait_ms=p["filestore_io_ms"],
        ),
        replace(
            guest(DB, "database", *busy.database),
            disk_reads_per_s=ios * (1.0 - writes),
            disk_writes_per_s=ios * writes,
            disk_read_kib_s=ios * (1.0 - writes) * p["database_io_kib"],
            disk_write_kib_s=ios * writes * p["database_io_kib"],
            disk_shares=DATABASE_DISKS,
            disk_service_ms=p["database_io_ms"],
            disk_wait_ms=p["database_io_ms"],
        ),
        guest(LDAP, "directory", *busy.directory),
        # Nobody used the application engine while it was measured.
        guest(AE, "other", 3, 0.0),
    )


def _flows(kind: Kind, per_s: float, p: Mapping[str, float]) -> Iterator[Flow]:
    """Return what an operation sends, per second."""
    calls = per_s * p["database_calls"]
    yield Flow("driver", OUTSIDE, CE_PE, per_s, CALL_BYTES + 1024 * kind.upload_kib)
    yield Flow("driver", CE_PE, OUTSIDE, per_s, ANSWER_BYTES + 1024 * kind.download_kib)
    yield Flow("database", CE_PE, DB, calls, CALL_BYTES)
    yield Flow("database", DB, CE_PE, calls, ANSWER_BYTES)
    # Content that is not in the file store is in the database.
    content = per_s * (1.0 - p["filestore_share"])
    if kind.upload_kib:
        yield Flow("content", CE_PE, DB, content, 1024 * kind.upload_kib)
    if kind.download_kib:
        yield Flow("content", DB, CE_PE, content, 1024 * kind.download_kib)
    if kind.group == "logon":
        yield Flow("directory", CE_PE, LDAP, per_s * DIRECTORY_CALLS, CALL_BYTES)
        yield Flow("directory", LDAP, CE_PE, per_s * DIRECTORY_CALLS, ANSWER_BYTES)
