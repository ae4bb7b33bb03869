"""What sysstat measures: the one list of activities, their printed columns and our own.

Each activity is one table. A column is known by the name that ``sar`` prints for it, in any
release; several printed names may fill one column, each with the factor that brings its unit to
ours (512-byte sectors and blocks, bytes and kB of 1024 bytes all become KiB). A section belongs
to the activity that knows *every* name in its heading; one that none knows entirely goes to the
table ``sar_other``, name by name.

Source of the names: the manual page ``sar(1)`` and the headings of releases 5.0 to 12.7.

To add an activity or a column, add it here; the tables, the readers and the loading follow.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from studybook.formats.contract import Table, columns

#: Sectors and blocks of sysstat have 512 bytes.
_SECTOR = 0.5
_BYTE = 1 / 1024

#: In front of the values of every activity. ``time_local`` or ``time_utc`` is the end of the
#: interval; ``segment`` counts the restarts of the host in a report.
_COMMON = columns("""
    report_no INTEGER, segment INTEGER, time_local TIMESTAMP, time_utc TIMESTAMP,
    set_back BOOLEAN, interval_s DOUBLE
""")


@dataclass(frozen=True)
class Column:
    """Where a printed value goes: a column of the table, after multiplying by a factor."""

    name: str
    factor: float = 1.0
    text: bool = False


@dataclass(frozen=True)
class Activity:
    """One kind of measurement.

    Parameters
    ----------
    table : str
        Name of its table.
    row : str
        What a row is.
    item : str
        Column for the name of what was measured, such as ``device``; empty if there is one
        thing only, such as memory.
    item_names : frozenset of str
        The headings that this column has in ``sar``, such as ``DEV``.
    columns : dict of str to Column
        By the names that are printed.
    """

    table: str
    row: str
    item: str
    item_names: frozenset[str]
    columns: dict[str, Column]

    def as_table(self) -> Table:
        """The table that the activity fills."""
        items = {self.item: "VARCHAR"} if self.item else {}
        values = {each.name: "VARCHAR" if each.text else "DOUBLE" for each in self.columns.values()}
        if self.table == "sar_interrupt":
            # Four lines of five are of interrupts: the rates of an interval are one row.
            values = {"cpu": "VARCHAR", "names": "VARCHAR", "rates_per_s": "DOUBLE[]"}
        return Table(self.table, self.row, {**_COMMON, **items, **values, "line": "BIGINT"})


@dataclass(frozen=True)
class Layout:
    """How a heading is to be read.

    Parameters
    ----------
    activity : Activity
        Where its rows go.
    item : int or None
        Which of the names is that of the item; None if there is none.
    columns : tuple of (int, Column)
        For each value its place among the names, and where it goes.
    item_column : str
        The column of the item.
    across : tuple of str
        For a matrix, in which each column is another thing and each value gets a row of its
        own: the thing of each of ``columns``. Releases from 12.5.6 print interrupts so, one
        column per processor; those to 8.1.2 one row per processor, one column per interrupt.
    across_column : str
        The column for that thing.
    """

    activity: Activity
    item: int | None
    columns: tuple[tuple[int, Column], ...]
    item_column: str
    across: tuple[str, ...] = ()
    across_column: str = ""


def _columns(text: str) -> dict[str, Column]:
    """Read ``printed=column`` pairs; ``*`` after a column stands for sectors, ``/`` for bytes."""
    found = {}
    for pair in text.split():
        printed, name = pair.split("=")
        factor = {"*": _SECTOR, "/": _BYTE}.get(name[-1], 1.0)
        found[printed] = Column(name.rstrip("*/$"), factor, text=name.endswith("$"))
    return found


def _activity(table: str, row: str, item: str, columns: str) -> Activity:
    name, _, printed = item.partition("=")
    names = frozenset(printed.split(",")) if printed else frozenset()
    return Activity(f"sar_{table}", row, name, names, _columns(columns))


ACTIVITIES: tuple[Activity, ...] = (
    # %system has the time of interrupts in it; %sys of -u ALL has not, nor %usr that of guests.
    _activity(
        "cpu", "one interval of one processor (-u)", "cpu=CPU",
        "%user=user_percent %nice=nice_percent %system=system_percent %iowait=iowait_percent"
        " %steal=steal_percent %idle=idle_percent",
    ),
    _activity(
        "cpu_all", "one interval of one processor, in full (-u ALL)", "cpu=CPU",
        "%usr=usr_percent %nice=nice_percent %sys=sys_percent %iowait=iowait_percent"
        " %steal=steal_percent %irq=irq_percent %soft=soft_percent %guest=guest_percent"
        " %gnice=gnice_percent %idle=idle_percent",
    ),
    _activity(
        "task", "one interval: processes created, context switches (-w)", "",
        "proc/s=created_per_s cswch/s=context_switches_per_s",
    ),
    _activity(
        "interrupt", "one interval: rates of interrupts (-I), which names tells; or of one, by cpu",
        "interrupt=INTR", "CPU=cpu$ intr/s=interrupts_per_s",
    ),
    _activity(
        "swap_rate", "one interval: swapping (-W)", "",
        "pswpin/s=in_pages_per_s pswpout/s=out_pages_per_s",
    ),
    _activity(
        "paging", "one interval: paging (-B)", "",
        "pgpgin/s=in_kib_s pgpgout/s=out_kib_s fault/s=faults_per_s majflt/s=major_faults_per_s"
        " pgfree/s=freed_pages_per_s pgscank/s=scanned_by_kswapd_pages_per_s"
        " pgscand/s=scanned_directly_pages_per_s pgsteal/s=reclaimed_pages_per_s"
        " %vmeff=reclaim_efficiency_percent pgprom/s=promoted_pages_per_s"
        " pgdem/s=demoted_pages_per_s",
    ),
    _activity(
        "io", "one interval: transfers of all devices (-b)", "",
        "tps=transfers_per_s rtps=reads_per_s wtps=writes_per_s dtps=discards_per_s"
        " bread/s=read_kib_s* bwrtn/s=write_kib_s* bdscd/s=discard_kib_s*",
    ),
    _activity(
        "memory_rate", "one interval: memory given back and taken (-R)", "",
        "frmpg/s=freed_pages_per_s shmpg/s=shared_pages_per_s bufpg/s=buffer_pages_per_s"
        " campg/s=cached_pages_per_s",
    ),
    # kbmemused is total less free until 11.7.3 (and not in 11.4.10, 11.6.4), later also less
    # buffers, cached and slab. The view memory tells the two apart.
    _activity(
        "memory", "one sample: memory (-r), with releases before 8.1.5 also swap space", "",
        "kbmemfree=free_kib kbavail=available_kib kbmemused=used_as_printed_kib"
        " %memused=used_as_printed_percent kbmemshrd=shared_kib kbbuffers=buffers_kib"
        " kbcached=cached_kib kbcommit=committed_kib %commit=committed_percent"
        " kbactive=active_kib kbinact=inactive_kib kbdirty=dirty_kib kbshmem=shmem_kib"
        " kbanonpg=anonymous_kib kbslab=slab_kib kbkstack=kernel_stack_kib"
        " kbpgtbl=page_table_kib kbvmused=vmalloc_used_kib kbswpfree=swap_free_kib"
        " kbswpused=swap_used_kib %swpused=swap_used_percent kbswpcad=swap_cached_kib",
    ),
    _activity(
        "swap_space", "one sample: swap space (-S)", "",
        "kbswpfree=free_kib kbswpused=used_kib %swpused=used_percent kbswpcad=cached_kib"
        " %swpcad=cached_percent",
    ),
    _activity(
        "hugepages", "one sample: huge pages (-H)", "",
        "kbhugfree=free_kib kbhugused=used_kib %hugused=used_percent kbhugrsvd=reserved_kib"
        " kbhugsurp=surplus_kib",
    ),
    _activity(
        "kernel_table", "one sample: tables of the kernel (-v)", "",
        "dentunusd=unused_dentries file-nr=open_files file-sz=open_files inode-nr=inodes"
        " inode-sz=inodes pty-nr=pseudo_terminals super-sz=super_blocks"
        " %super-sz=super_blocks_percent dquot-sz=quota_entries %dquot-sz=quota_entries_percent"
        " rtsig-sz=queued_signals %rtsig-sz=queued_signals_percent",
    ),
    _activity(
        "queue", "one sample: run queue and load (-q)", "",
        "runq-sz=run_queue plist-sz=tasks ldavg-1=load_1min ldavg-5=load_5min"
        " ldavg-15=load_15min blocked=blocked_tasks",
    ),
    _activity(
        "pressure_cpu", "one interval: pressure on processors (-q PSI)", "",
        "%scpu-10=some_10s_percent %scpu-60=some_60s_percent %scpu-300=some_300s_percent"
        " %scpu=some_percent",
    ),
    _activity(
        "pressure_io", "one interval: pressure on I/O (-q PSI)", "",
        "%sio-10=some_10s_percent %sio-60=some_60s_percent %sio-300=some_300s_percent"
        " %sio=some_percent %fio-10=full_10s_percent %fio-60=full_60s_percent"
        " %fio-300=full_300s_percent %fio=full_percent",
    ),
    _activity(
        "pressure_memory", "one interval: pressure on memory (-q PSI)", "",
        "%smem-10=some_10s_percent %smem-60=some_60s_percent %smem-300=some_300s_percent"
        " %smem=some_percent %fmem-10=full_10s_percent %fmem-60=full_60s_percent"
        " %fmem-300=full_300s_percent %fmem=full_percent",
    ),
    _activity(
        "tty", "one interval of one serial line (-y)", "tty=TTY",
        "rcvin/s=received_per_s xmtin/s=sent_per_s txmtin/s=sent_per_s"
        " framerr/s=frame_errors_per_s prtyerr/s=parity_errors_per_s brk/s=breaks_per_s"
        " ovrun/s=overruns_per_s",
    ),
    _activity(
        "disk", "one interval of one block device (-d)", "device=DEV",
        "tps=transfers_per_s rd_sec/s=read_kib_s* rkB/s=read_kib_s wr_sec/s=write_kib_s*"
        " wkB/s=write_kib_s dkB/s=discard_kib_s sect/s=total_kib_s* avgrq-sz=request_kib*"
        " areq-sz=request_kib avgqu-sz=queue aqu-sz=queue await=await_ms svctm=service_ms"
        " %util=util_percent",
    ),
    _activity(
        "network", "one interval of one network interface (-n DEV)", "interface=IFACE",
        "rxpck/s=received_packets_per_s txpck/s=sent_packets_per_s rxbyt/s=received_kib_s/"
        " txbyt/s=sent_kib_s/ rxkB/s=received_kib_s txkB/s=sent_kib_s"
        " rxcmp/s=received_compressed_per_s txcmp/s=sent_compressed_per_s"
        " rxmcst/s=received_multicast_per_s %ifutil=util_percent",
    ),
    _activity(
        "network_error", "one interval of one network interface: errors (-n EDEV)",
        "interface=IFACE",
        "rxerr/s=receive_errors_per_s txerr/s=send_errors_per_s coll/s=collisions_per_s"
        " rxdrop/s=receive_drops_per_s txdrop/s=send_drops_per_s"
        " txcarr/s=carrier_errors_per_s rxfram/s=frame_errors_per_s"
        " rxfifo/s=receive_overruns_per_s txfifo/s=send_overruns_per_s",
    ),
    _activity(
        "nfs_client", "one interval: NFS client (-n NFS)", "",
        "call/s=calls_per_s retrans/s=retransmissions_per_s read/s=reads_per_s"
        " write/s=writes_per_s access/s=accesses_per_s getatt/s=getattrs_per_s",
    ),
    _activity(
        "nfs_server", "one interval: NFS server (-n NFSD)", "",
        "scall/s=calls_per_s badcall/s=bad_calls_per_s packet/s=packets_per_s"
        " udp/s=udp_packets_per_s tcp/s=tcp_packets_per_s hit/s=cache_hits_per_s"
        " miss/s=cache_misses_per_s sread/s=reads_per_s swrite/s=writes_per_s"
        " saccess/s=accesses_per_s sgetatt/s=getattrs_per_s",
    ),
    _activity(
        "socket", "one sample: sockets (-n SOCK)", "",
        "totsck=sockets tcpsck=tcp udpsck=udp rawsck=raw ip-frag=ip_fragments"
        " tcp-tw=tcp_time_wait",
    ),
    _activity(
        "socket6", "one sample: IPv6 sockets (-n SOCK6)", "",
        "tcp6sck=tcp udp6sck=udp raw6sck=raw ip6-frag=ip_fragments",
    ),
    _activity(
        "ip", "one interval: IPv4 (-n IP)", "",
        "irec/s=received_per_s fwddgm/s=forwarded_per_s idel/s=delivered_per_s"
        " orq/s=requested_per_s asmrq/s=to_reassemble_per_s asmok/s=reassembled_per_s"
        " fragok/s=fragmented_per_s fragcrt/s=fragments_per_s",
    ),
    _activity(
        "ip6", "one interval: IPv6 (-n IP6)", "",
        "irec6/s=received_per_s fwddgm6/s=forwarded_per_s idel6/s=delivered_per_s"
        " orq6/s=requested_per_s asmrq6/s=to_reassemble_per_s asmok6/s=reassembled_per_s"
        " imcpck6/s=received_multicast_per_s omcpck6/s=sent_multicast_per_s"
        " fragok6/s=fragmented_per_s fragcr6/s=fragments_per_s",
    ),
    _activity(
        "ip_error", "one interval: errors of IPv4 (-n EIP)", "",
        "ihdrerr/s=header_errors_per_s iadrerr/s=address_errors_per_s"
        " iukwnpr/s=unknown_protocol_per_s idisc/s=receive_discards_per_s"
        " odisc/s=send_discards_per_s onort/s=no_route_per_s"
        " asmf/s=reassembly_failures_per_s fragf/s=fragmentation_failures_per_s",
    ),
    _activity(
        "ip6_error", "one interval: errors of IPv6 (-n EIP6)", "",
        "ihdrer6/s=header_errors_per_s iadrer6/s=address_errors_per_s"
        " iukwnp6/s=unknown_protocol_per_s i2big6/s=too_big_per_s"
        " idisc6/s=receive_discards_per_s odisc6/s=send_discards_per_s"
        " inort6/s=receive_no_route_per_s onort6/s=no_route_per_s"
        " asmf6/s=reassembly_failures_per_s fragf6/s=fragmentation_failures_per_s"
        " itrpck6/s=truncated_per_s",
    ),
    _activity(
        "icmp", "one interval: ICMP (-n ICMP)", "",
        "imsg/s=received_per_s omsg/s=sent_per_s iech/s=received_echoes_per_s"
        " iechr/s=received_echo_replies_per_s oech/s=sent_echoes_per_s"
        " oechr/s=sent_echo_replies_per_s itm/s=received_timestamps_per_s"
        " itmr/s=received_timestamp_replies_per_s otm/s=sent_timestamps_per_s"
        " otmr/s=sent_timestamp_replies_per_s iadrmk/s=received_address_masks_per_s"
        " iadrmkr/s=received_address_mask_replies_per_s oadrmk/s=sent_address_masks_per_s"
        " oadrmkr/s=sent_address_mask_replies_per_s",
    ),
    _activity(
        "icmp6", "one interval: ICMPv6 (-n ICMP6)", "",
        "imsg6/s=received_per_s omsg6/s=sent_per_s iech6/s=received_echoes_per_s"
        " iechr6/s=received_echo_replies_per_s oechr6/s=sent_echo_replies_per_s"
        " igmbq6/s=received_group_queries_per_s igmbr6/s=received_group_reports_per_s"
        " ogmbr6/s=sent_group_reports_per_s igmbrd6/s=received_group_reductions_per_s"
        " ogmbrd6/s=sent_group_reductions_per_s"
        " irtsol6/s=received_router_solicitations_per_s"
        " ortsol6/s=sent_router_solicitations_per_s"
        " irtad6/s=received_router_advertisements_per_s"
        " inbsol6/s=received_neighbour_solicitations_per_s"
        " onbsol6/s=sent_neighbour_solicitations_per_s"
        " inbad6/s=received_neighbour_advertisements_per_s"
        " onbad6/s=sent_neighbour_advertisements_per_s",
    ),
    _activity(
        "icmp_error", "one interval: errors by ICMP (-n EICMP)", "",
        "ierr/s=receive_errors_per_s oerr/s=send_errors_per_s"
        " idstunr/s=received_unreachable_per_s odstunr/s=sent_unreachable_per_s"
        " itmex/s=received_time_exceeded_per_s otmex/s=sent_time_exceeded_per_s"
        " iparmpb/s=received_parameter_problems_per_s oparmpb/s=sent_parameter_problems_per_s"
        " isrcq/s=received_source_quenches_per_s osrcq/s=sent_source_quenches_per_s"
        " iredir/s=received_redirects_per_s oredir/s=sent_redirects_per_s",
    ),
    _activity(
        "icmp6_error", "one interval: errors by ICMPv6 (-n EICMP6)", "",
        "ierr6/s=receive_errors_per_s idtunr6/s=received_unreachable_per_s"
        " odtunr6/s=sent_unreachable_per_s itmex6/s=received_time_exceeded_per_s"
        " otmex6/s=sent_time_exceeded_per_s iprmpb6/s=received_parameter_problems_per_s"
        " oprmpb6/s=sent_parameter_problems_per_s iredir6/s=received_redirects_per_s"
        " oredir6/s=sent_redirects_per_s ipck2b6/s=received_too_big_per_s"
        " opck2b6/s=sent_too_big_per_s",
    ),
    _activity(
        "tcp", "one interval: TCP (-n TCP)", "",
        "active/s=opened_per_s passive/s=accepted_per_s iseg/s=received_segments_per_s"
        " oseg/s=sent_segments_per_s",
    ),
    _activity(
        "tcp_error", "one interval: errors of TCP (-n ETCP)", "",
        "atmptf/s=failed_attempts_per_s estres/s=resets_per_s"
        " retrans/s=retransmitted_segments_per_s isegerr/s=receive_errors_per_s"
        " orsts/s=sent_resets_per_s",
    ),
    _activity(
        "udp", "one interval: UDP (-n UDP)", "",
        "idgm/s=received_per_s odgm/s=sent_per_s noport/s=no_port_per_s"
        " idgmerr/s=receive_errors_per_s",
    ),
    _activity(
        "udp6", "one interval: UDP over IPv6 (-n UDP6)", "",
        "idgm6/s=received_per_s odgm6/s=sent_per_s noport6/s=no_port_per_s"
        " idgmer6/s=receive_errors_per_s",
    ),
    _activity(
        "softnet", "one interval of one processor: network packets (-n SOFT)", "cpu=CPU",
        "total/s=processed_per_s dropd/s=dropped_per_s squeezd/s=squeezed_per_s"
        " rx_rps/s=woken_by_rps_per_s flw_lim/s=flow_limited_per_s blg_len=backlog_packets",
    ),
    _activity(
        "power_cpu", "one sample of one processor's clock (-m CPU)", "cpu=CPU", "MHz=clock_mhz"
    ),
    _activity(
        "power_frequency", "one interval of one processor's clock, weighted (-m FREQ)",
        "cpu=CPU", "wghMHz=clock_mhz",
    ),
    _activity(
        "power_fan", "one sample of one fan (-m FAN)", "fan=FAN",
        "rpm=speed_rpm drpm=above_minimum_rpm DEVICE=sensor$",
    ),
    _activity(
        "power_temperature", "one sample of one thermometer (-m TEMP)", "thermometer=TEMP",
        "degC=temperature_celsius %temp=range_percent DEVICE=sensor$",
    ),
    _activity(
        "power_voltage", "one sample of one voltage (-m IN)", "input=IN",
        "inV=voltage_v %in=range_percent DEVICE=sensor$",
    ),
    _activity(
        "power_battery", "one sample of one battery (-m BAT)", "battery=BAT",
        "%cap=capacity_percent cap/min=capacity_percent_per_min status=status$",
    ),
    _activity(
        "power_usb", "one sample of one USB device (-m USB)", "bus=BUS",
        "idvendor=vendor_id$ idprod=product_id$ maxpower=maximum_ma manufact=manufacturer$"
        " product=product$",
    ),
    _activity(
        "file_system", "one sample of one file system (-F)",
        "file_system=FILESYSTEM,MOUNTPOINT",
        "MBfsfree=free_mib MBfsused=used_mib %fsused=used_percent"
        " %ufsused=used_unprivileged_percent Ifree=inodes_free Iused=inodes_used"
        " %Iused=inodes_used_percent",
    ),
    _activity(
        "fibre_channel", "one interval of one Fibre Channel host (-n FC)",
        "host_adapter=FCHOST",
        "fch_rxf/s=received_frames_per_s fch_txf/s=sent_frames_per_s"
        " fch_rxw/s=received_words_per_s fch_txw/s=sent_words_per_s",
    ),
    # Releases to 8.0: -x and -X, later the tool pidstat.
    _activity(
        "process", "one interval of one process (-x)", "pid=PID",
        "minflt/s=minor_faults_per_s majflt/s=major_faults_per_s %user=user_percent"
        " %system=system_percent nswap/s=swapped_pages_per_s CPU=cpu$",
    ),
    _activity(
        "process_children", "one interval of the children of one process (-X)", "pid=PPID",
        "cminflt/s=minor_faults_per_s cmajflt/s=major_faults_per_s %cuser=user_percent"
        " %csystem=system_percent cnswap/s=swapped_pages_per_s",
    ),
)  # fmt: skip

#: By the name of the table.
BY_TABLE = {each.table: each for each in ACTIVITIES}


@lru_cache(maxsize=5000)
def layout_of(names: tuple[str, ...]) -> Layout | None:
    """How to read a section with this heading; None if no activity knows all its names.

    The name of the item may stand anywhere: the options -p and -h of newer releases put it
    last.
    """
    for activity in ACTIVITIES:
        items = [place for place, name in enumerate(names) if name in activity.item_names]
        if len(items) != bool(activity.item) or len(set(names)) < len(names):
            continue
        columns = tuple(
            (place, activity.columns[name])
            for place, name in enumerate(names)
            if name in activity.columns
        )
        if columns and len(columns) + len(items) == len(names):
            return Layout(activity, items[0] if items else None, columns, activity.item)
    return _matrix(names)


#: Matrices of interrupts: the name of the item, its column, the other names, their column.
_MATRICES = (
    ("INTR", "interrupt", re.compile(r"(?:CPU)?(all|\d{1,5})"), "cpu"),
    ("CPU", "cpu", re.compile(r"i0*(\d{1,5})/s"), "interrupt"),
)


def _matrix(names: tuple[str, ...]) -> Layout | None:
    for item, item_column, pattern, across_column in _MATRICES:
        found = [pattern.fullmatch(name) for name in names]
        across = tuple(match[1] for match in found if match)
        if names.count(item) == 1 and len(across) == len(names) - 1 and across:
            value = Column("interrupts_per_s")
            columns = tuple((place, value) for place, match in enumerate(found) if match)
            return Layout(
                BY_TABLE["sar_interrupt"], names.index(item), columns, item_column, across,
                across_column,
            )  # fmt: skip
    return None
