"""``ifconfig`` of net-tools: both layouts, and the table of ``-s`` (``netstat -i``).

That up to 1.60, as on SLES 11, begins ``eth0      Link encap:Ethernet``. Its words are translated;
English, German, French, Spanish and Portuguese are read.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from studybook.checked_yaml import Strict, read_yaml
from studybook.formats.captures.section import Line, Start
from studybook.formats.linux.interfaces import Interfaces
from studybook.formats.names import pairs

#: Hardware addresses: six bytes, on InfiniBand twenty, as UNSPEC sixteen.
MAC = r"[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){1,31}"
#: The old layout has nine characters for a name.
_LONGEST_NAME = 9


@cache
def _words() -> dict[str, dict[str, str]]:
    """By language, its words and the English ones."""
    return read_yaml(Path(__file__).with_name("ifconfig.yml"), _Languages).languages


class _Languages(Strict):
    languages: dict[str, dict[str, str]]


#: How an interface begins.
OLD = re.compile(
    r"(?P<interface>\S{1,16}) (?:(?:Link|Lien) encap|Protokoll|Encapsulamento do Link): ?"
    r"(?P<kind>[^:]{1,60}?)"
    rf"(?: (?:HWaddr|Hardware Adresse|direcciónHW|Endereço de HW) (?P<mac>{MAC}))?"
)
_INET = re.compile(
    r"inet addr: ?(?P<address>[0-9.x]{1,40})(?: P-t-P:(?P<peer>[0-9.x]{1,40}))?"
    r"(?: Bcast:(?P<broadcast>[0-9.x]{1,40}))?(?: Mask:(?P<netmask>[0-9.]{1,40}))?"
)
_INET6 = re.compile(
    r"inet6 addr: ?(?P<address>[0-9A-Fa-f:.]{2,50})/(?P<prefix_length>[0-9]{1,3})"
    r" Scope:(?P<scope>\w{1,30})"
)
_FLAGS = re.compile(
    r"(?P<flags>\[NO FLAGS\]|[A-Z][A-Z0-9 ]{1,200}) MTU:(?P<mtu>[0-9]{1,40})"
    r" Metric:(?P<metric>[0-9]{1,9})"
)
#: The French catalogue has no word for 'dropped': 'erreurs:0 :0 overruns:0'.
_COUNTERS = re.compile(
    r"(?P<direction>[RT]X) packets:(?P<packets>[0-9]{1,40}) errors:(?P<errors>[0-9]{1,40})"
    r" (?:dropped)?:(?P<dropped>[0-9]{1,40}) overruns:(?P<overruns>[0-9]{1,40})"
    r" (?P<last>frame|carrier):(?P<number>[0-9]{1,40})"
)
_QUEUE = re.compile(
    r"collisions:(?P<collisions>[0-9]{1,40})(?: compressed:(?P<compressed>[0-9]{1,40}))?"
    r"(?: txqueuelen:(?P<queue>[0-9]{1,9}))?"
)
_BYTES = re.compile(
    r"RX bytes:(?P<rx>[0-9]{1,40}) \([^()]{1,30}\) TX bytes:(?P<tx>[0-9]{1,40}) \([^()]{1,30}\)"
)
#: Counters of compressed packets, which are printed where there are any.
COMPRESSED = re.compile(r"(?:([RT]X) )?compressed[: ]([0-9]{1,40})")
_DEVICE = re.compile(r"(Interrupt|Base address|DMA chan|Memory):(\S{1,60})")


class Old(Interfaces):
    """``eth0      Link encap:Ethernet  HWaddr …``, with indented lines below."""

    name = "ifconfig"
    item = OLD
    direction = "rx"
    language = ""

    def _take(self, line: Line) -> bool | None:
        text = self._english(line)
        if head := OLD.fullmatch(text):
            self.new_interface(line, head["interface"], {"kind": head["kind"], "mac": head["mac"]})
            self.direction = "rx"
            if len(head["interface"]) == _LONGEST_NAME:
                self.say(
                    line.number,
                    f"ifconfig prints nine characters of a name: {head['interface']} may be cut",
                )
        elif not self.interface:
            return None
        elif address := _INET.fullmatch(text):
            self.address(line, {"family": "inet", **address.groupdict()})
        elif address := _INET6.fullmatch(text):
            texts = address.groupdict() | {"scope": address["scope"].lower()}
            self.address(line, {"family": "inet6", **texts})
        elif "flags" not in self.texts and (flags := _FLAGS.fullmatch(text)):
            self.texts["flags"] = ",".join(flags["flags"].split())
            self.texts["mtu_bytes"], self.texts["metric"] = flags["mtu"], flags["metric"]
            if flags["flags"] == "[NO FLAGS]":
                self.texts["flags"] = ""
        elif not self._counters(line, text):
            found = _DEVICE.findall(text)
            if not found or " ".join(f"{name}:{value}" for name, value in found) != text:
                self.end_block(line)
                return None
            for name, value in found:
                self.detail(line, name.lower(), value)
        return True

    def _counters(self, line: Line, text: str) -> bool:
        if packets := _COUNTERS.fullmatch(text):
            texts = packets.groupdict()
            self.direction = texts.pop("direction").lower()
            texts[f"{texts.pop('last')}_errors"] = texts.pop("number")
            return self.count(line, {self.direction: texts})
        if queue := _QUEUE.fullmatch(text):
            texts = {name: queue[name] for name in ("collisions", "compressed") if queue[name]}
            if not self.count(line, {"tx": texts}):
                return False
            self.texts["queue_length"] = queue["queue"]
            return True
        if total := _BYTES.fullmatch(text):
            return self.count(line, {"rx": {"bytes": total["rx"]}, "tx": {"bytes": total["tx"]}})
        if compressed := COMPRESSED.fullmatch(text):
            return self.count(line, {self.direction: {"compressed": compressed[2]}})
        return False

    def blank(self) -> bool:
        """A blank line ends an interface, and another may follow."""
        self.close()
        return True

    def _english(self, line: Line) -> str:
        text = line.squeezed
        for language, words in _words().items():
            for word in filter(text.__contains__, words):
                text = text.replace(word, words[word])
                # Some words are those of two languages.
                self.language = self.language or language
                self.say(
                    line.number,
                    f"ifconfig spoke {self.language}; its words are read as English ones",
                )
        return text


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
