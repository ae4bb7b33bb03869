"""The columns of iostat, and the tables that they go to."""

from __future__ import annotations

from studybook.formats.contract import never_negative, tables
from studybook.formats.names import pairs
from studybook.formats.sar.activities import Column

_TABLES = tables(
    """
iostat_report: one report: its first line
    host VARCHAR, kernel VARCHAR, architecture VARCHAR, cpus BIGINT, date_printed VARCHAR,
    date_known VARCHAR, command VARCHAR, interval_s DOUBLE, line BIGINT

iostat_cpu: one interval of all processors together
    sample_no BIGINT, time_local TIMESTAMP, time_utc TIMESTAMP, set_back BOOLEAN,
    interval_s DOUBLE, since_boot BOOLEAN, user_percent DOUBLE, nice_percent DOUBLE,
    system_percent DOUBLE, iowait_percent DOUBLE, steal_percent DOUBLE, idle_percent DOUBLE,
    line BIGINT

iostat_disk: one interval of one device, or of a group of them (-g)
    sample_no BIGINT, time_local TIMESTAMP, time_utc TIMESTAMP, set_back BOOLEAN,
    interval_s DOUBLE, since_boot BOOLEAN, device VARCHAR, is_group BOOLEAN,
    transfers_per_s DOUBLE, reads_per_s DOUBLE, writes_per_s DOUBLE, discards_per_s DOUBLE,
    flushes_per_s DOUBLE, transfer_kib_s DOUBLE, read_kib_s DOUBLE, write_kib_s DOUBLE,
    discard_kib_s DOUBLE, write_and_discard_kib_s DOUBLE, read_kib DOUBLE, write_kib DOUBLE,
    discard_kib DOUBLE, write_and_discard_kib DOUBLE, merged_per_s DOUBLE,
    merged_reads_per_s DOUBLE, merged_writes_per_s DOUBLE, merged_discards_per_s DOUBLE,
    merged_reads_percent DOUBLE, merged_writes_percent DOUBLE, merged_discards_percent DOUBLE,
    await_ms DOUBLE, read_await_ms DOUBLE, write_await_ms DOUBLE, discard_await_ms DOUBLE,
    flush_await_ms DOUBLE, service_ms DOUBLE, request_kib DOUBLE, read_request_kib DOUBLE,
    write_request_kib DOUBLE, discard_request_kib DOUBLE, queue DOUBLE, util_percent DOUBLE,
    line BIGINT
""",
    first="report_no INTEGER",
)
#: Counters that begin anew, and those of a hypervisor, make sysstat print what cannot be.
TABLES = never_negative(_TABLES, shares=("iostat_cpu",))

#: By the names printed, to sysstat 12.7. ``kB`` are of 1024 bytes in all releases.
_DISK = pairs(
    "tps=transfers_per_s r/s=reads_per_s w/s=writes_per_s d/s=discards_per_s f/s=flushes_per_s"
    " kB/s=transfer_kib_s kB_read/s=read_kib_s kB_wrtn/s=write_kib_s kB_dscd/s=discard_kib_s"
    " kB_w+d/s=write_and_discard_kib_s rkB/s=read_kib_s wkB/s=write_kib_s dkB/s=discard_kib_s"
    " kB_read=read_kib kB_wrtn=write_kib kB_dscd=discard_kib kB_w+d=write_and_discard_kib"
    " rqm/s=merged_per_s rrqm/s=merged_reads_per_s wrqm/s=merged_writes_per_s"
    " drqm/s=merged_discards_per_s %rrqm=merged_reads_percent %wrqm=merged_writes_percent"
    " %drqm=merged_discards_percent await=await_ms r_await=read_await_ms w_await=write_await_ms"
    " d_await=discard_await_ms f_await=flush_await_ms svctm=service_ms areq-sz=request_kib"
    " rareq-sz=read_request_kib wareq-sz=write_request_kib dareq-sz=discard_request_kib"
    " avgqu-sz=queue aqu-sz=queue %util=util_percent"
)
#: Sectors and blocks have 512 bytes.
_SECTORS = pairs(
    "Blk_read/s=read_kib_s Blk_wrtn/s=write_kib_s Blk_dscd/s=discard_kib_s"
    " Blk_w+d/s=write_and_discard_kib_s Blk_read=read_kib Blk_wrtn=write_kib"
    " Blk_dscd=discard_kib Blk_w+d=write_and_discard_kib rsec/s=read_kib_s wsec/s=write_kib_s"
    " dsec/s=discard_kib_s sec/s=transfer_kib_s avgrq-sz=request_kib"
)
#: By the names printed.
DISK: dict[str, Column] = (
    {name: Column(ours) for name, ours in _DISK.items()}
    | {
        name.replace("kB", "MB"): Column(ours, 1024.0)
        for name, ours in _DISK.items()
        if "kB" in name
    }
    | {name: Column(ours, 0.5) for name, ours in _SECTORS.items()}
)

_CPU = pairs(
    "user=user_percent nice=nice_percent system=system_percent sys=system_percent"
    " iowait=iowait_percent steal=steal_percent idle=idle_percent"
)
CPU: dict[str, Column] = {f"%{name}": Column(ours) for name, ours in _CPU.items()}

#: In JSON, percentages have no sign.
JSON_CPU = {name.removeprefix("%"): column for name, column in CPU.items()}
JSON_DISK = {name.removeprefix("%"): column for name, column in DISK.items()}
