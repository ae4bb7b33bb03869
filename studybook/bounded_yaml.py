"""YAML with the line of each value, bounded in what reading it may cost.

Files of a data set come from others. What no person writes by hand (a hundred thousand lists in
each other, names that stand for names that stand for names) is refused before it costs time or
memory. Plain text is taken as YAML 1.2's core schema has it, in decimal numbers only: ``yes``,
``1:30``, ``010`` and dates are text.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

import yaml

#: libyaml's parser where PyYAML was built with it: ten times as fast, and the same otherwise.
SAFE_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MOST_BYTES = 16 << 20
MOST_VALUES = 1_000_000  #: with all that aliases stand for
DEEPEST = 40
LONGEST_TEXT, LONGEST_KEY = 100_000, 200
LARGEST = 2**63

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
}
_WHOLE = re.compile(r"[-+]?(?:0|[1-9]\d*)", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_MERGE = "<<"
_TEXT = "tag:yaml.org,2002:str"


@dataclass(slots=True)
class Node:
    """A value, the line on which it begins, and the nodes in it: of a list, or by key.

    ``text`` is what stands there of a number or a text.
    """

    line: int
    value: Any
    size: int = 1
    items: list[Node] | None = None
    keys: dict[str, Node] | None = None
    text: str = ""


@dataclass(slots=True)
class _Open:
    """A list or mapping that is being read, and the key that waits for its value.

    ``merged`` are the keys that it has of another mapping (``<<``) and may still give itself.
    """

    node: Node
    anchor: str | None
    key: str | None = None
    merged: set[str] = field(default_factory=set)


def parse(text: str) -> Node:
    """Read a document: mappings, lists, text, decimal numbers, true, false and null.

    A node of a mapping has the line of its key. A key that is given twice is a fault: the first
    would be lost silently.

    Raises
    ------
    yaml.YAMLError
        If it is no YAML, or more than :data:`MOST_VALUES`, :data:`DEEPEST` and the others allow.
    """
    root: Node | None = None
    opened: list[_Open] = []
    named: dict[str, Node] = {}
    for event in yaml.parse(text, Loader=SAFE_LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            _refuse_tag(event, event.implicit)
            if len(opened) == DEEPEST:
                raise _fault(event, f"it has more than {DEEPEST} levels")
            if opened and _waits_for_key(opened[-1]):
                raise _fault(event, "a key has keys itself, or is a list")
            line = _line(event)
            listed = isinstance(event, yaml.SequenceStartEvent)
            node = Node(line, [], items=[]) if listed else Node(line, {}, keys={})
            opened.append(_Open(node, event.anchor))
            continue
        if isinstance(event, yaml.ScalarEvent):
            if opened and _waits_for_key(opened[-1]):
                _take_key(event, opened[-1])
                continue
            node, anchor = Node(_line(event), _scalar(event), text=event.value), event.anchor
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in named or (opened and _waits_for_key(opened[-1])):
                raise _fault(event, f"*{event.anchor} stands for nothing that can be here")
            node, anchor = named[event.anchor], None
        elif isinstance(event, yaml.CollectionEndEvent):
            done = opened.pop()
            node, anchor = done.node, done.anchor
        elif isinstance(event, yaml.DocumentStartEvent) and root is not None:
            raise _fault(event, "a second document begins")
        else:
            continue
        if anchor is not None:
            named[anchor] = node
        if opened:
            _take_in(opened[-1], node, event)
        else:
            root = node
    return root or Node(1, None)


def _line(event: yaml.Event) -> int:
    mark: Any = event.start_mark
    return int(mark.line) + 1


def _fault(event: yaml.Event, problem: str) -> yaml.MarkedYAMLError:
    mark: Any = event.start_mark
    return yaml.MarkedYAMLError(problem=problem, problem_mark=mark)


def _refuse_tag(event: yaml.ScalarEvent | yaml.CollectionStartEvent, implicit: bool) -> None:
    if event.tag is not None and not implicit and event.tag != _TEXT:
        raise _fault(event, f"the tag {event.tag} is not read")


def _waits_for_key(opened: _Open) -> bool:
    return opened.node.keys is not None and opened.key is None


def _take_key(event: yaml.ScalarEvent, opened: _Open) -> None:
    text: str = event.value
    if len(text) > LONGEST_KEY:
        raise _fault(event, f"a key has more than {LONGEST_KEY} letters")
    if _CONTROL.search(text):
        raise _fault(event, f"the key {text!r} has a control character")
    opened.key = text
    if opened.node.keys is None or text == _MERGE:
        return
    if text in opened.node.keys and text not in opened.merged:
        raise _fault(event, f"{text} is given twice")
    opened.merged.discard(text)
    opened.node.keys[text] = Node(_line(event), None)


def _take_in(opened: _Open, child: Node, event: yaml.Event) -> None:
    """Put a value into the list or mapping that it belongs to."""
    node = opened.node
    node.size += child.size
    if node.size > MOST_VALUES:
        raise _fault(event, f"it has more than {MOST_VALUES:,} values")
    if node.items is not None:
        node.items.append(child)
        node.value.append(child.value)
    elif node.keys is not None and opened.key == _MERGE:
        if child.keys is None:
            raise _fault(event, f"{_MERGE} needs the keys of one mapping")
        new = child.keys.keys() - node.keys.keys()
        opened.merged |= new
        node.keys |= {key: each for key, each in child.keys.items() if key in new}
        node.value |= {key: each for key, each in child.value.items() if key in new}
        opened.key = None
    elif node.keys is not None and opened.key is not None:
        line = node.keys[opened.key].line
        node.keys[opened.key] = Node(line, child.value, 1, child.items, child.keys, child.text)
        node.value[opened.key] = child.value
        opened.key = None


def _scalar(event: yaml.ScalarEvent) -> Any:
    """The value of a text that is plain, or stands between quotation marks."""
    text: str = event.value
    if len(text) > LONGEST_TEXT:
        raise _fault(event, f"a text has more than {LONGEST_TEXT:,} letters")
    if hit := _CONTROL.search(text):
        raise _fault(event, f"a text has the control character {hit[0]!r}")
    _refuse_tag(event, any(event.implicit))
    if not event.implicit[0]:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _NO_NUMBER.fullmatch(text):
        raise _fault(event, f"{text} is no number that a thing can have")
    number: type[int] | type[float] | None = (
        int if _WHOLE.fullmatch(text) else float if _FLOAT.fullmatch(text) else None
    )
    if number is None:
        return text
    # As many digits as that are not worth making a number of them.
    found = number(text) if len(text) < 40 else math.inf
    if abs(found) >= LARGEST:
        raise _fault(event, "a number is too large")
    return found
