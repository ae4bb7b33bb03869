"""Manifests that no person wrote: each is refused soon, in words, with its file and line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import pytest
import yaml
from pydantic import AfterValidator, BaseModel

from studybook import bounded_yaml
from studybook.checked_yaml import MOST_FAULTS, read_keys, read_yaml
from studybook.dataset.manifest import read_run
from studybook.errors import StudyBookError
from studybook.units import metric
from tests.dataset.test_manifest import GOOD, written
from tests.fuzz.damage import draws
from tests.fuzz.manifests import MANIFESTS, WAYS_OF_YAML, is_read_or_refused, write_book

HOST = "- {name: node1, role: driver}"
FACTORS = "users: 250"
DOUBLED = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
)


def _is_metric(name: str) -> str:
    try:
        return metric(name).name
    except StudyBookError as error:
        raise ValueError(str(error)) from error


class _OfMetrics(BaseModel):
    metrics: list[Annotated[str, AfterValidator(_is_metric)]]


def refused(tmp_path: Path, text: str) -> str:
    path = written(tmp_path, text)
    with pytest.raises(StudyBookError) as error:
        read_run(path)
    assert str(error.value).startswith(str(path))
    assert len(str(error.value)) < 20_000
    return str(error.value).removeprefix(str(path))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("title: A run", f"notes: {'[' * 100_000}", "line 3: is not YAML: it has more than 40 le"),
        ("title: A run", f"notes: {'{a: ' * 100_000}", "more than 40 levels"),
        ("title: A run", f"notes:\n{'- ' * 100_000}x", "line 4: is not YAML: it has more than 40"),
        ("title: A run", DOUBLED, "it has more than 1,000,000 values"),
        ("title: A run", "<<: [title, x]", "line 3: is not YAML: << needs the keys of one mapping"),
        ("title: A run", "? [a, b]\n: c", "line 3: is not YAML: a key has keys itself"),
        ("title: A run", "title: &a [*a]", "*a stands for nothing"),
        ("title: A run", "title: !!python/name:os.system x", "the tag tag:yaml.org,2002:python"),
        ("title: A run", "title: A run\n---\nstudy: b", "a second document begins"),
        ("title: A run", r'title: "A\0run"', r"line 3: is not YAML: a text has the control char"),
        ("title: A run", r'title: "A\e[2Jrun"', r"control character '\x1b'"),
        ("title: A run", f"title: {'x' * 200_000}", "line 3: is not YAML: a text has more than"),
        ("title: A run", f"? {'x' * 5_000}\n: 1", "line 3: is not YAML: a key has more than 200"),
        ("ior.txt", r'"ior\0.txt"', "line 11: is not YAML: a text has the control character"),
        ("ior.txt", "x" * 5_000, "line 11: files.0.path: no file can have a name of so many"),
        ("study: example", f"study: {'x' * 5_000}", "line 1: study: at most 100 letters"),
        ("Europe/Berlin", "Europe", "line 5: time_zone: 'Europe' is not a time zone"),
        ("Europe/Berlin", "x" * 5_000, "line 5: time_zone: 'xxx"),
        (FACTORS, f"users: {'9' * 400}", "line 7: is not YAML: a number is too large"),
        (FACTORS, f"users: {'9' * 5_000}", "line 7: is not YAML: a number is too large"),
        (FACTORS, "users: 1.0e300", "line 7: is not YAML: a number is too large"),
        (FACTORS, "users: .inf", "line 7: is not YAML: .inf is no number"),
        (FACTORS, "users: .nan", "line 7: is not YAML: .nan is no number"),
        (HOST, f"{HOST[:-1]}, cpus: 1000000000000}}", "line 9: hosts.0.cpus: it must be less"),
        (HOST, f"{HOST[:-1]}, clock_offset_s: 1e300}}", "line 9: hosts.0.clock_offset_s: it must"),
        ("2024-07-01T12", "9999-12-31T23", "line 6: start: a year from 1970"),
        ("2024-07-01T12", "0001-01-01T00", "line 6: start: a year from 1970"),
    ],
    ids=lambda text: text[:30],
)
def test_what_no_person_writes_is_refused(
    tmp_path: Path, before: str, after: str, said: str
) -> None:
    assert before in GOOD
    assert said in refused(tmp_path, GOOD.replace(before, after, 1))


def test_any_damage_is_read_or_refused(tmp_path: Path) -> None:
    """Of all files that people write: a manifest, the words of a study, goals, published values."""
    write_book(tmp_path)
    for turn, each in enumerate(MANIFESTS):
        assert not is_read_or_refused(each, each.content, tmp_path)
        small = len(each.content) < 10_000
        for damaged in draws(each.name, each.content, WAYS_OF_YAML, 12 if small else 2, turn):
            try:
                is_read_or_refused(each, damaged.content, tmp_path)
            except AssertionError as error:
                error.add_note(f"{each.name}, damaged: {damaged.how}")
                raise


@pytest.mark.parametrize(
    ("kind", "before", "after", "said"),
    [
        ("study.yml", "meaning: ECM nodes", f"meaning: {'[' * 100_000}", "more than 40 levels"),
        ("study.yml", "whole_from: 1}", "whole_from: true}", ": factors.nodes.whole_from: a whole"),
        ("study.yml", "nodes: 4", "nodes: .inf", ": is not YAML: .inf is no number"),
        ("study.yml", '"MTU {mtu_bytes}"', '"{mtu_bytes:>99999999}"', ".call: more than a factor"),
        ("study.yml", '"MTU {mtu_bytes}"', '"{mtu_bytes.real}"', ".call: more than a factor"),
        ("study.yml", '"MTU {mtu_bytes}"', '"{"', ".call: a brace stands alone"),
        ("study.yml", '"MTU {mtu_bytes}"', '"{mtu}"', "names.mtu.1.call: 'mtu' is not a factor"),
        ("study.yml", "  nodes: 4", "  node: 4", "baseline.node: 'node' is not a factor"),
        ("study.yml", "  nodes: 4", "  nodes: many", "baseline.nodes: it is 'many'"),
        ("study.yml", "of: {cluster: nsd", "of: {clusters: nsd", ".of.clusters: 'clusters' is"),
        ("study.yml", "study: ecm-scaleout", "study: filenet-p8", "line 4: study: it is 'filenet"),
        ("ecm-scaleout.yml", "study: ecm-scaleout", "study: ../x", "study: it is '../x', but the"),
        ("ecm-scaleout.yml", "claim: ", "claim: '1:30' #", ".claim: there is no claim '1:30'"),
        ("ecm-scaleout.yml", "claim: ", f"claim: {'x' * 5_000} #", ".claim: there is no claim"),
        ("ecm-scaleout.yml", "year: ", f"year: {'9' * 5_000} #", ": is not YAML: a number is too"),
        ("tables.yml", "study: ecm-scaleout", "study: ..", "study: it is '..', but the file is"),
        ("tables.yml", "title: ", r'title: "a\0b" #', ": is not YAML: a text has the control"),
        ("goals.yml", "below: 300 ms", "below: 1e300 ms", "goals.0.below: "),
        ("goals.yml", "{users: 200}", f"{{users: {'9' * 400}}}", ": is not YAML: a number is too"),
    ],
    ids=lambda text: text[:30],
)
def test_what_no_person_writes_into_other_files_is_refused(
    tmp_path: Path, kind: str, before: str, after: str, said: str
) -> None:
    write_book(tmp_path)
    names = (kind, f"{kind} of ecm-scaleout")
    each = next(each for each in MANIFESTS if each.name in names)
    damaged = each.content.decode().replace(before, after, 1).encode()
    assert damaged != each.content
    told = is_read_or_refused(each, damaged, tmp_path)
    assert re.match(r", line \d+: ", told.removeprefix(str(tmp_path / each.place)))
    assert said in told
    assert len(told) < 1000


def test_a_fault_repeats_no_more_of_a_name_than_shows_what_it_is(tmp_path: Path) -> None:
    write_book(tmp_path)
    each = next(each for each in MANIFESTS if each.name == "tables.yml of ecm-scaleout")
    damaged = each.content.replace(b"{metric: ", b"{metric: " + b"x" * 20_000, 1)
    told = is_read_or_refused(each, damaged, tmp_path)
    assert "data.0: 'xxx" in told
    assert "is not a metric" in told
    assert told.count("x") < 2000


def test_goals_that_nobody_can_read_are_not_compared(tmp_path: Path) -> None:
    write_book(tmp_path)
    each = next(each for each in MANIFESTS if each.name == "goals.yml")
    goals = [
        f"  - {{goal: g{number}, metric: response_ms, below: {number + 1} ms}}"
        for number in range(20_000)
    ]
    told = is_read_or_refused(each, "\n".join(["goals:", *goals]).encode(), tmp_path)
    assert "goals: it can have at most 500 entries" in told


def test_of_thousands_of_faults_the_first_are_told(tmp_path: Path) -> None:
    unknown = "\n".join(f"key{number}: x" for number in range(20_000))
    said = refused(tmp_path, f"{unknown}\n{GOOD}")
    assert said.count("is not a known key") == MOST_FAULTS
    assert "19,980 faults more" in said


def test_a_file_of_hundreds_of_mebibytes_is_not_read(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    with path.open("r+b") as stream:
        stream.truncate(300 << 20)
    with pytest.raises(StudyBookError, match="has more than 16 MiB"):
        read_run(path)


@pytest.mark.parametrize(
    ("plain", "value"),
    [
        ("1:30", "1:30"),
        ("010", "010"),
        ("yes", "yes"),
        ("0x1f", "0x1f"),
        ("2024-07-01", "2024-07-01"),
        ("1_000", "1_000"),
        ("12e4567", "12e4567"),
        ("-5", -5),
        ("+2.5e3", 2500.0),
        ("true", True),
        ("~", None),
        ("'5'", "5"),
        ("!!str 5", "5"),
    ],
)
def test_plain_text_is_what_it_looks_like(tmp_path: Path, plain: str, value: object) -> None:
    path = tmp_path / "plain.yml"
    path.write_text(f"key: {plain}\n", encoding="utf-8")
    found = read_keys(path)["key"]
    assert (found, type(found)) == (value, type(value))


def test_many_hosts_are_read_as_few_are(tmp_path: Path) -> None:
    hosts = "\n".join(f"  - {{name: n{number}, role: driver}}" for number in range(20_000))
    many = GOOD.replace(f"  {HOST}", f"  {HOST}\n{hosts}")
    assert len(read_run(written(tmp_path, many)).hosts) == 20_001


def test_an_alias_stands_for_what_is_complete() -> None:
    node = bounded_yaml.parse("a: &x {b: 1}\nc: *x\n")
    assert node.value == {"a": {"b": 1}, "c": {"b": 1}}
    assert node.keys is not None
    assert node.keys["c"].line == 2


def test_keys_of_another_mapping_are_taken_unless_they_are_given() -> None:
    text = "a: &x {b: 1, c: 2}\nd:\n  b: 3\n  <<: *x\ne:\n  <<: *x\n  c: 4\n"
    found = bounded_yaml.parse(text).value
    assert (found["d"], found["e"]) == ({"b": 3, "c": 2}, {"b": 1, "c": 4})
    with pytest.raises(yaml.YAMLError, match="c is given twice"):
        bounded_yaml.parse(f"{text}  c: 5\n")


def test_an_advice_that_faults_share_stands_once_and_of_long_values_the_beginning(
    tmp_path: Path,
) -> None:
    wrong = "\n".join(f"  - {{name: n{number}, rool: x}}" for number in range(15))
    long = "".join(f"\n  - [{'x' * 5000}]" for _ in range(4))
    text = GOOD.replace(f"hosts:\n  {HOST}", f"hosts:\n{wrong}{long}")
    assert text != GOOD
    said = refused(tmp_path, text)
    assert said.count("is not a known key") == 15
    assert said.count("did you mean role?") == 1
    assert len(said) < 20_000


def test_the_advice_of_a_check_of_our_own_stands_once_too(tmp_path: Path) -> None:
    path = tmp_path / "tables.yml"
    path.write_text("metrics:\n" + "- renamed\n" * 15)
    with pytest.raises(StudyBookError) as error:
        read_yaml(path, _OfMetrics)
    said = str(error.value)
    assert said.count("'renamed' is not a metric") == 15
    assert said.count("known: ") == 1
