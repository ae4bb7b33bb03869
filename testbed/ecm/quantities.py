"""The quantities of the ECM study's figures, read off a prediction."""

from __future__ import annotations

from collections.abc import Callable

from testbed.prediction import GuestUse, Prediction


def _nodes(prediction: Prediction) -> list[GuestUse]:
    return [guest for guest in prediction.guests if guest.role == "ecm-node"]


def _servers(prediction: Prediction) -> list[GuestUse]:
    return [guest for guest in prediction.guests if guest.role == "nsd-server"]


def _with_disks(prediction: Prediction) -> list[GuestUse]:
    """Return the guests that do the input and output of the file system."""
    return _servers(prediction) or _nodes(prediction)


def _node_ifls(prediction: Prediction) -> list[float]:
    return [guest.user_ifl + guest.system_ifl for guest in _nodes(prediction)]


def _read_mib_s(prediction: Prediction) -> float:
    return sum(guest.disk_read_kib_s for guest in _with_disks(prediction)) / 1024.0


def _write_mib_s(prediction: Prediction) -> float:
    return sum(guest.disk_write_kib_s for guest in _with_disks(prediction)) / 1024.0


def _first_server_share(prediction: Prediction) -> float:
    read = [guest.disk_read_kib_s for guest in _servers(prediction)]
    return max(read) / sum(read)


#: By the name that targets use. A node is the first one; all are alike unless routing is random.
QUANTITIES: dict[str, Callable[[Prediction], float]] = {
    "response_ms": lambda prediction: prediction.response_ms,
    "pages_per_s": lambda prediction: prediction.throughput_per_s,
    "total_ifl": lambda prediction: prediction.total_ifl,
    "nodes_ifl": lambda prediction: sum(_node_ifls(prediction)),
    "busiest_node_ifl": lambda prediction: max(_node_ifls(prediction)),
    "node_ifl_spread": lambda prediction: max(_node_ifls(prediction)) - min(_node_ifls(prediction)),
    "node_packets_per_s": lambda prediction: (
        _nodes(prediction)[0].rx_packets_per_s + _nodes(prediction)[0].tx_packets_per_s
    ),
    "node_rx_packets_per_s": lambda prediction: _nodes(prediction)[0].rx_packets_per_s,
    "node_rx_packet_bytes": lambda prediction: (
        _nodes(prediction)[0].rx_kib_s * 1024.0 / _nodes(prediction)[0].rx_packets_per_s
    ),
    "node_tx_packet_bytes": lambda prediction: (
        _nodes(prediction)[0].tx_kib_s * 1024.0 / _nodes(prediction)[0].tx_packets_per_s
    ),
    "disk_read_mib_s": _read_mib_s,
    "disk_write_mib_s": _write_mib_s,
    "disk_mib_s": lambda prediction: _read_mib_s(prediction) + _write_mib_s(prediction),
    "largest_server_share": _first_server_share,
    "server_network_per_disk": lambda prediction: (
        sum(guest.tx_kib_s for guest in _servers(prediction)) / 1024.0 / _read_mib_s(prediction)
    ),
}
