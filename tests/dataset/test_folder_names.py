"""Factors from the names of folders."""

from __future__ import annotations

import pytest

from studybook.dataset.folder_names import factors_in, pattern_of

WHOLE = "{release}-p{users}-rep{repetition}"


@pytest.mark.parametrize(
    ("pattern", "folder", "told"),
    [
        (WHOLE, "2.0-p064-rep1", {"release": "2.0", "users": 64, "repetition": 1}),
        (WHOLE, "results/2.0-rc-1-p4-rep10", {"release": "2.0-rc-1", "users": 4, "repetition": 10}),
        # What lies deeper is of the run, too.
        (WHOLE, "results/1.8-p4-rep2/out", {"release": "1.8", "users": 4, "repetition": 2}),
        ("{release}/{users}", "a/2.0/16", {"release": "2.0", "users": 16}),
        ("*-{users}users*", "night-100users-x", {"users": 100}),
        # Of 100 users, or of "3-100"; of "2.0" or of "2.0-patch": nobody knows.
        ("*-{users}users*", "night-3-100users-x", None),
        ("{release}-p{users}", "2.0-patch-p4", None),
        ("{site}", "a/b", {"site": "b"}),
        ("v{release}.*", "v1.2.3", None),
        (WHOLE, "2.0-p64", None),
        (WHOLE, "2.0-P64-rep1", None),
        ("{a}/{b}", "c", None),
        # Signs of expressions are themselves.
        ("({a})+", "(x)+", {"a": "x"}),
    ],
)
def test_a_name_tells_factors_if_it_fits(
    pattern: str, folder: str, told: dict[str, object] | None
) -> None:
    assert factors_in(pattern, folder) == told


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("", "names no factor"),
        ("run-*", "names no factor"),
        ("{a}-{a}", "names a factor twice"),
        ("{a}{b}", "nothing between {b}"),
        ("{a}*", "nothing between *"),
        ("{a-{b}", "brace without its other"),
        ("{}", "{}: "),
        ("{Big}", "small letters"),
    ],
)
def test_what_is_no_pattern_is_refused(pattern: str, why: str) -> None:
    with pytest.raises(ValueError, match=r"→|expected") as refused:
        pattern_of(pattern)
    assert why in str(refused.value)
