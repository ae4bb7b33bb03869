"""YAML files that people write, checked against a model; faults named by file, line and key."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from studybook.bounded_yaml import MOST_BYTES, Node, parse
from studybook.errors import StudyBookError, did_you_mean
from studybook.memory import recall
from studybook.text import counted


class Strict(BaseModel):
    """A model that knows all its keys and does not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Misplaced(ValueError):
    """What a check of several keys finds wrong, and the keys that lead from there to it."""

    def __init__(self, keys: Sequence[int | str], said: str) -> None:
        super().__init__(said)
        self.keys = tuple(keys)


Model = TypeVar("Model", bound=BaseModel)


def refuse_twice(listed: str, key: str, names: Sequence[str]) -> None:
    """Refuse a list of which two entries have the same name under a key."""
    seen: set[str] = set()
    for number, name in enumerate(names):
        if name in seen:
            said = f"{_shown(name)} stands there twice\n  → take one of them out"
            raise Misplaced((listed, number, key), said)
        seen.add(name)


#: Faults of a file that are told at once.
MOST_FAULTS = 20
#: Letters of a wrong value that are shown.
MOST_SHOWN = 200

#: Parts that pydantic adds to a location for the members of a union and the keys of a mapping.
_NOT_KEYS = {"bool", "int", "float", "str", "[key]"}

#: Advice on faults of YAML that are made often.
_ADVICE = {
    "mapping values are not allowed": "put a value with a colon in it between quotation marks",
    "a tab character": "indent by blanks, not tabs",
    "cannot start any token": "indent by blanks, not tabs, and quote a value that begins so",
}

#: Pydantic's kinds of fault, in the words of those who write YAML.
_EXPECTED = {
    "tuple_type": "a list, each entry on a line that begins with '- ', is",
    "dict_type": "keys with values are",
    "string_type": "text, between quotation marks where it looks like a number, is",
    "int_type": "a whole number is", "int_parsing": "a whole number is",
    "float_type": "a number is", "float_parsing": "a number is",
}  # fmt: skip


def read_yaml(path: Path, model: type[Model]) -> Model:
    """Read a YAML file into a model.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    model : type
        The pydantic model that says which keys it may hold.

    Raises
    ------
    StudyBookError
        With one entry per fault: file, line, key, what is allowed.
    """
    value = read_keys(path)
    if not isinstance(value, dict):
        fields = model.model_fields
        needed = [name for name, field in fields.items() if field.is_required()]
        do = f"it needs at least {', '.join(needed)}" if needed else f"known: {', '.join(fields)}"
        raise StudyBookError(f"{path}: holds no keys\n  → {do}")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        node = _read(path)
        errors = error.errors(include_url=False)
        told = errors[:MOST_FAULTS]
        faults = [_fault(each, node, model) for each in told if not _follows(each, errors)]
        lines, given = [], {""}
        # A union reports each of its members; one line per key is enough.
        for said, advice in dict.fromkeys(faults):
            # One that several share, such as all that is allowed, stands once.
            lines.append(f"{path}{said}" + (f"\n  → {advice}" if advice not in given else ""))
            given.add(advice)
        if more := len(errors) - len(told):
            lines.append(f"{path}: {counted(more, 'fault')} more\n  → mend these first")
        raise StudyBookError("\n".join(lines)) from error


def read_keys(path: Path) -> Any:
    """Read a YAML file that has no model; faults are named by file and line.

    Returns
    -------
    Any
        Its mappings, lists, texts and numbers; None where it is empty.

    Raises
    ------
    StudyBookError
        As :func:`read_yaml`.
    """
    with _faults_of(path):
        content = _content(path)
        # Hundreds of manifests are read each time, and few have changed.
        return recall(
            "YAML",
            content,
            lambda: parse(content.decode("utf-8")).value,
            private=not path.is_relative_to(Path(__file__).parent),
        )


def _read(path: Path) -> Node:
    """A file with the line of each key."""
    with _faults_of(path):
        return parse(_content(path).decode("utf-8"))


def _content(path: Path) -> bytes:
    if path.stat().st_size > MOST_BYTES:
        raise StudyBookError(
            f"{path}: has more than {MOST_BYTES >> 20} MiB, and is no file that a person wrote"
        )
    return path.read_bytes()


@contextmanager
def _faults_of(path: Path) -> Iterator[None]:
    try:
        yield
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error)
        do = "".join(f"\n  → {advice}" for words, advice in _ADVICE.items() if words in problem)
        raise StudyBookError(f"{path}{line}: is not YAML: {problem}{do}") from error
    except UnicodeDecodeError as error:
        raise StudyBookError(f"{path}: is not written in UTF-8\n  → save it as UTF-8") from error
    except OSError as error:
        raise StudyBookError(f"{path}: cannot be read: {error.strerror}") from error


def _shown(value: Any) -> str:
    """What a file holds in a wrong place, and no more of it than shows what it is."""
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def _follows(fault: Mapping[str, Any], errors: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a list only seems too short, for what is wrong in it is named as well."""
    place = fault["loc"]
    return fault["type"] == "too_short" and any(
        len(each["loc"]) > len(place) and each["loc"][: len(place)] == place for each in errors
    )


def _fault(fault: Mapping[str, Any], node: Node, model: type[BaseModel]) -> tuple[str, str]:
    """Where a fault is and what it is, and the advice."""
    location = fault["loc"]
    plain = location[:-1] if location and location[-1] in _NOT_KEYS else location
    keys = [key for key in plain if not str(key).startswith(("function-", "constrained-"))]
    keys += getattr(fault.get("ctx", {}).get("error"), "keys", ())
    said, advice = _words(fault, keys, model)
    place = f", line {_line(node, keys)}: {'.'.join(map(str, keys))}" if keys else ""
    return f"{place}{said}", advice


def _words(
    fault: Mapping[str, Any], keys: Sequence[int | str], model: type[BaseModel]
) -> tuple[str, str]:
    """The fault of a key, and the advice."""
    kind, value = fault["type"], fault["input"]
    if kind == "missing":
        return " is missing", "add it"
    if kind == "extra_forbidden":
        allowed = list(_model_at(model, keys[:-1]).model_fields)
        near = did_you_mean(str(keys[-1]), allowed)
        return " is not a known key", near or f"allowed here: {', '.join(allowed)}"
    if kind == "literal_error":
        allowed = re.findall("'([^']+)'", fault["ctx"]["expected"])
        said = f": {_shown(value)} is not one of {', '.join(allowed)}"
        return said, did_you_mean(str(value)[:MOST_SHOWN], allowed)
    if kind == "model_type":
        fields = _model_at(model, keys).model_fields
        needed = [name for name, field in fields.items() if field.is_required()]
        do = f"write its keys: {', '.join(needed or fields)}"
        if len(needed) == 1 and re.fullmatch(r"[\w./-]+", str(value)) and isinstance(value, str):
            do = f"write {needed[0]}: {value}"
        return f": {_shown(value)} stands where keys are expected", do
    if fault["loc"] and fault["loc"][-1] in _NOT_KEYS - {"[key]"}:
        return ": text, a number, true or false is expected", ""
    if kind == "too_short":
        return f": it must have at least {counted(fault['ctx']['min_length'], 'entry')}", ""
    if kind == "too_long":
        return f": it can have at most {counted(fault['ctx']['max_length'], 'entry')}", ""
    if kind in _EXPECTED:
        return f": {_EXPECTED[kind]} expected", ""
    do = "write it as 2024-07-01T12:00:00" if kind.startswith("datetime") else ""
    # A check of ours may bring its own.
    words, _, own = fault["msg"].removeprefix("Value error, ").partition("\n  → ")
    do = own or do
    return f": {_ends(words.replace('Input should be', 'it must be', 1))}", do


def _ends(text: str) -> str:
    """A text, or both ends of one that holds what no person wrote."""
    most = 5 * MOST_SHOWN
    return text if len(text) <= most else f"{text[: most // 2]}…{text[-most // 2 :]}"


def _model_at(model: type[BaseModel], keys: Sequence[int | str]) -> type[BaseModel]:
    for key in keys:
        if isinstance(key, str) and key in model.model_fields:
            model = _nested(model.model_fields[key].annotation) or model
    return model


def _nested(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_nested(part) for part in typing.get_args(annotation))
    return next((each for each in found if each), None)


def line_of(path: Path, *keys: int | str) -> int:
    """The line of a YAML file on which a key stands, by the keys that lead to it."""
    return _line(_read(path), keys)


def refuse_lost_digits(path: Path, keys: Sequence[str], value: object) -> None:
    """Refuse a number that was perhaps none: 1.10 is 1.1, and the release before it.

    Raises
    ------
    StudyBookError
        With file, line and key.
    """
    if not isinstance(value, float):
        return
    node = _nearest(_read(path), keys)
    if re.fullmatch(r"[^.]*\.\d*[1-9]0+", node.text):
        raise StudyBookError(
            f"{path}, line {node.line}: {'.'.join(keys)}: {node.text} is the number {value:g}\n"
            f"  → put it between quotation marks if it is a name, such as a release, or write"
            f" {value:g}"
        )


def _line(node: Node, keys: Sequence[int | str]) -> int:
    """The line on which a key stands; that of its nearest parent where it is missing."""
    return _nearest(node, keys).line


def _nearest(node: Node, keys: Sequence[int | str]) -> Node:
    """The node of a key, or of its nearest parent; of none of them, what begins with the file."""
    found = Node(1, None)
    for key in keys:
        child: Node | None = None
        if node.keys is not None:
            child = node.keys.get(str(key))
        elif node.items is not None and isinstance(key, int) and key < len(node.items):
            child = node.items[key]
        if child is None:
            break
        found = node = child
    return found
