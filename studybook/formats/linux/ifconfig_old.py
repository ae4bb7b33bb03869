"""``ifconfig`` of net-tools up to 1.60, as on SLES 11: ``eth0      Link encap:Ethernet``.

Its words are translated; English, German, French, Spanish and Portuguese are read.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from studybook.checked_yaml import Strict, read_yaml
from studybook.formats.captures.section import Line
from studybook.formats.linux.interfaces import Interfaces

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
