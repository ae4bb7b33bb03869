"""Addresses, hardware addresses and device numbers of the guests: invented, and the same always."""

from __future__ import annotations

#: Of the z/VM system.
SYSTEM = "ZVMBOOK"

#: Host addresses within the networks that are set aside for documentation (RFC 5737).
_NETWORK = "192.0.2"
_OTHERS = {
    "IHS": 101, "DB2": 102, "Dmgr": 103, "ITDS": 104, "CEPE": 111, "LDAP": 112, "AE": 113,
}  # fmt: skip
_FIRST = {"ECMnod": 0, "NSDsrv": 200}

#: Letters of a disk's name, and how many minor numbers of its major number a disk takes.
_KINDS = {"dasd": (94, 4), "sd": (8, 16)}


def address(guest: str) -> str:
    """Return the IPv4 address of a guest."""
    if guest in _OTHERS:
        return f"{_NETWORK}.{_OTHERS[guest]}"
    kind = guest.rstrip("0123456789")
    return f"{_NETWORK}.{_FIRST[kind] + int(guest.removeprefix(kind))}"


def mac(guest: str) -> str:
    """Return the hardware address of a guest's interface: one that z/VM could give it."""
    return f"02:00:0a:00:00:{int(address(guest).rpartition('.')[2]):02x}"


def device(disk: str) -> tuple[int, int]:
    """Return major and minor number of a disk such as ``sdb`` or ``dasda``."""
    kind = disk[:-1]
    major, minors = _KINDS[kind]
    return major, minors * (ord(disk[-1]) - ord("a"))
