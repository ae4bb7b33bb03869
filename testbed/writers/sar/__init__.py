"""Text of ``sar``."""

from testbed.writers.sar.report import (
    DE_DE,
    EN_US,
    ISO,
    KERNEL,
    REBOOT_S,
    C,
    Locale,
    down,
    lines,
)

__all__ = ["DE_DE", "EN_US", "ISO", "KERNEL", "REBOOT_S", "C", "Locale", "down", "lines"]
