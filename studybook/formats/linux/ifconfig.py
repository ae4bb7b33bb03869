"""``ifconfig`` of net-tools: the layout since 1.60, and the table of ``-s`` (``netstat -i``)."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start
from studybook.formats.linux.ifconfig_old import COMPRESSED, MAC, OLD, Old
from studybook.formats.linux.interfaces import Interfaces
from studybook.formats.names import pairs

_NEW = re.compile(
    r"(?P<interface>\S{1,64}): flags=[0-9]{1,20}<(?P<flags>[A-Za-z0-9_,-]{0,400})>"
    r" mtu (?P<mtu>[0-9]{1,40})(?: metric (?P<metric>[0-9]{1,9}))?"
)
_NEW_INET = re.compile(
    r"inet (?P<address>[0-9.x]{1,40}) netmask (?P<netmask>[0-9.]{1,40})"
    r"(?: broadcast (?P<broadcast>[0-9.x]{1,40}))?(?: destination (?P<peer>[0-9.x]{1,40}))?"
)
_NEW_INET6 = re.compile(
    r"inet6 (?P<address>[0-9A-Fa-f:.]{2,50}) prefixlen (?P<prefix_length>[0-9]{1,3})"
    r" scopeid 0x[0-9a-f]{1,8}<(?P<scope>[a-z,0-9]{1,60})>"
)
_NEW_LINK = re.compile(
    rf"(?P<link>[a-z0-9-]{{2,20}})(?: (?P<mac>{MAC}))?"
    r"(?: txqueuelen (?P<queue_length>[0-9]{1,9}))? \((?P<kind>[^()]{1,60})\)"
)
_NEW_PACKETS = re.compile(
    r"(?P<direction>[RT]X) packets (?P<packets>[0-9]{1,40}) bytes (?P<bytes>[0-9]{1,40})"
    r" \([^()]{1,30}\)"
)
_NEW_ERRORS = re.compile(
    r"(?P<direction>[RT]X) errors (?P<errors>[0-9]{1,40}) dropped (?P<dropped>[0-9]{1,40})"
    r" overruns (?P<overruns>[0-9]{1,40})(?: frame (?P<frame_errors>[0-9]{1,40})"
    r"| carrier (?P<carrier_errors>[0-9]{1,40}) collisions (?P<collisions>[0-9]{1,40}))"
)
_NEW_DEVICE = re.compile(r"device((?: (?:interrupt|memory|base|dma) \S{1,60}){1,4})")
_WRONG_MAC = "Infiniband hardware address can be incorrect!"


class New(Interfaces):
    """``eth0: flags=4163<UP,…>  mtu 1500``, with indented lines below."""

    name = "ifconfig"
    item = _NEW

    def _take(self, line: Line) -> bool | None:
        text = line.squeezed
        if head := _NEW.fullmatch(text):
            texts = {"flags": head["flags"], "mtu_bytes": head["mtu"], "metric": head["metric"]}
            self.new_interface(line, head["interface"], texts)
        elif not self.interface:
            return None
        elif address := _NEW_INET.fullmatch(text):
            self.address(line, {"family": "inet", **address.groupdict()})
        elif address := _NEW_INET6.fullmatch(text):
            self.address(line, {"family": "inet6", **address.groupdict()})
        elif "kind" not in self.texts and (link := _NEW_LINK.fullmatch(text)):
            texts = link.groupdict()
            self.detail(line, "link", texts.pop("link"))
            self.texts |= texts
        elif device := _NEW_DEVICE.fullmatch(text):
            words = device[1].split()
            for name, value in zip(words[::2], words[1::2], strict=True):
                self.detail(line, name, value)
        elif text.startswith(_WRONG_MAC):
            self.say(line.number, f"ifconfig said: {text[:200]}")
        elif not self._counters(line, text):
            self.end_block(line)
            return None
        return True

    def _counters(self, line: Line, text: str) -> bool:
        if found := _NEW_PACKETS.fullmatch(text) or _NEW_ERRORS.fullmatch(text):
            texts = {name: word for name, word in found.groupdict().items() if word}
            return self.count(line, {texts.pop("direction").lower(): texts})
        compressed = COMPRESSED.fullmatch(text)
        if not compressed or not compressed[1]:
            return False
        return self.count(line, {compressed[1].lower(): {"compressed": compressed[2]}})

    def blank(self) -> bool:
        """A blank line ends an interface, and another may follow."""
        self.close()
        return True


_SHORT = pairs("""
    Iface=interface MTU=mtu_bytes Met=metric Flg=flags OK=packets ERR=errors DRP=dropped
    OVR=overruns
""")


class Short(Interfaces):
    """The table of ``ifconfig -s``, which is that of ``netstat -i``, too."""

    name = "ifconfig -s"
    begins_with_content = False

    def expects(self, line: Line) -> bool:
        """Any line may begin another output."""
        return False

    def _take(self, line: Line) -> bool | None:
        words, columns = line.words, self.title[0].split()
        if len(words) != len(columns) or words[0] in self.seen or not words[1].isdecimal():
            return None
        texts: dict[str, str] = {}
        counters: dict[str, dict[str, str]] = {"rx": {}, "tx": {}}
        for column, word in zip(columns, words, strict=True):
            direction, dash, kind = column.partition("-")
            (counters[direction.lower()] if dash else texts)[_SHORT[kind or column]] = word
        self.new_interface(line, texts.pop("interface"), texts)
        if not self.count(line, counters):
            self.interface = ""
            return None
        self.close()
        return True

    def _up(self) -> bool | None:
        return "U" in (self.texts.get("flags") or "")


STARTS = (
    Start(OLD.pattern, Old),
    Start(_NEW.pattern, New),
    Start("Iface MTU (?:Met )?RX-OK RX-ERR RX-DRP RX-OVR TX-OK TX-ERR TX-DRP TX-OVR Flg", Short),
)
