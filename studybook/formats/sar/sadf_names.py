"""The names that ``sadf -j`` and ``sadf -x`` have for what ``sar`` prints.

``rxpck`` of ``net-dev`` is ``rxpck/s``, ``memused-percent`` of ``memory`` is ``%memused``: most
names follow from those of ``sar`` by a rule, the others are listed. Names checked against
releases 11 and 12; a name that is not known leads to the table ``sar_other``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from studybook.formats.sar.activities import BY_TABLE, Activity

Names = tuple[str, ...]

#: Objects and elements: the tables that have their values, and how the item is called.
_GROUPS: dict[str, tuple[str, str]] = {
    "cpu-load": ("cpu cpu_all", "CPU=cpu,number"),
    "cpu-load-all": ("cpu_all", "CPU=cpu,number"),
    "process-and-context-switch": ("task", ""),
    "processes": ("task", ""),
    "context-switch": ("task", ""),
    "interrupts": ("interrupt", "INTR=intr"),
    "int-global": ("interrupt", "INTR=intr"),
    "int-proc": ("interrupt", "INTR=intr"),
    "swap-pages": ("swap_rate", ""),
    "paging": ("paging", ""),
    "io": ("io", ""),
    "memory": ("swap_space memory_rate memory", ""),
    "hugepages": ("hugepages", ""),
    "kernel": ("kernel_table", ""),
    "queue": ("queue", ""),
    "serial": ("tty", "TTY=line"),
    "disk": ("disk", "DEV=disk-device,dev"),
    "net-dev": ("network", "IFACE=iface"),
    "net-edev": ("network_error", "IFACE=iface"),
    "net-nfs": ("nfs_client", ""),
    "net-nfsd": ("nfs_server", ""),
    "net-sock": ("socket", ""),
    "net-sock6": ("socket6", ""),
    "net-ip": ("ip", ""),
    "net-ip6": ("ip6", ""),
    "net-eip": ("ip_error", ""),
    "net-eip6": ("ip6_error", ""),
    "net-icmp": ("icmp", ""),
    "net-icmp6": ("icmp6", ""),
    "net-eicmp": ("icmp_error", ""),
    "net-eicmp6": ("icmp6_error", ""),
    "net-tcp": ("tcp", ""),
    "net-etcp": ("tcp_error", ""),
    "net-udp": ("udp", ""),
    "net-udp6": ("udp6", ""),
    "softnet": ("softnet", "CPU=cpu"),
    "cpu-frequency": ("power_cpu", "CPU=number"),
    "cpu-weighted-frequency": ("power_frequency", "CPU=number"),
    "fan-speed": ("power_fan", "FAN=number"),
    "temperature": ("power_temperature", "TEMP=number"),
    "voltage-input": ("power_voltage", "IN=number"),
    "usb-devices": ("power_usb", "BUS=bus_number"),
    "filesystems": ("file_system", "FILESYSTEM=filesystem,fsname MOUNTPOINT=mountpoint,mountp"),
    "fchosts": ("fibre_channel", "FCHOST=fchost,name"),
    "psi-cpu": ("pressure_cpu", ""),
    "psi-io": ("pressure_io", ""),
    "psi-mem": ("pressure_memory", ""),
}

#: Names that follow no rule, by the table.
_IRREGULAR = {
    ("sar_memory", "inactive"): "kbinact", ("sar_power_cpu", "frequency"): "MHz",
    ("sar_power_frequency", "weighted-frequency"): "wghMHz", ("sar_interrupt", "value"): "intr/s",
    ("sar_interrupt", "cpu"): "CPU", ("sar_power_fan", "device"): "DEVICE",
    ("sar_power_temperature", "device"): "DEVICE", ("sar_power_voltage", "device"): "DEVICE",
}  # fmt: skip

#: What sadf -j and -x print twice, in sectors as well as in kB.
_TWICE = {
    "rd_sec": "rkB", "wr_sec": "wkB", "dc_sec": "dkB", "avgrq-sz": "areq-sz",
    "avgqu-sz": "aqu-sz",
}  # fmt: skip


class Plan(NamedTuple):
    """Values that make one row: their names in ``sar``, and in the export."""

    names: Names
    keys: Names


def known(group: str) -> bool:
    """Whether the group has values that a table is made for."""
    return group in _GROUPS


@cache
def plans(group: str, keys: Names) -> tuple[Plan, ...]:
    """How to read the values with these keys: most often as one row.

    Parameters
    ----------
    group : str
        What the values are of, such as ``net-dev``.
    keys : tuple of str
        Their keys, such as ``("iface", "rxpck")``.
    """
    tables, items = _GROUPS.get(group, ("", ""))
    activities = [BY_TABLE[f"sar_{table}"] for table in tables.split()]
    item = next(_item(items, keys), None)
    values = [key for key in keys if (not item or key != item[1]) and not _again(key, keys)]
    printed: dict[str, list[tuple[str, str]]] = {}
    whole = [each for each in activities if all(_printed(each, key) for key in values)]
    for key in values:
        for activity in whole or activities:
            if name := _printed(activity, key):
                printed.setdefault(activity.table, []).append((name, key))
                break
        else:
            printed.setdefault("", []).append((f"{group}.{key}", key))
    return tuple(
        Plan(tuple(name for name, _ in row), tuple(key for _, key in row))
        for row in ([*([item] if item else []), *pairs] for pairs in printed.values())
    )


def _item(items: str, keys: Names) -> Iterator[tuple[str, str]]:
    """The item's name in ``sar``, and its key."""
    for pair in items.split():
        printed, _, names = pair.partition("=")
        yield from ((printed, name) for name in names.split(",") if name in keys)


def _again(key: str, keys: Names) -> bool:
    return _TWICE.get(key) in keys


def _printed(activity: Activity, key: str) -> str | None:
    """The name of a value in ``sar``, if the activity knows it."""
    pressure = key.replace("some_avg", "%s{}-").replace("full_avg", "%f{}-").rstrip("-")
    kind = {"sar_pressure_cpu": "cpu", "sar_pressure_io": "io", "sar_pressure_memory": "mem"}
    candidates = (
        _IRREGULAR.get((activity.table, key), ""), key, f"{key}/s", f"kb{key}",
        "%" + key.removesuffix("-percent").removeprefix("percent-"),
        pressure.replace("{}", kind.get(activity.table, "")),
    )  # fmt: skip
    return next((name for name in candidates if name in activity.columns), None)
