"""The two files that Jupyter Book is told by: what is missing is said, or filled in."""

from __future__ import annotations

from pathlib import Path

import pytest

from studybook.errors import StudyBookError
from studybook.publish.shape import CONFIG, TOC, check_shape, config_of, contents_of

GOOD = {CONFIG: "title: 'Tea: black'\n", TOC: "format: jb-book\nroot: book/intro\n"}


def book(folder: Path, **texts: str) -> Path:
    (folder / "book").mkdir()
    for name, text in (GOOD | {n: t for n, t in texts.items() if n in GOOD}).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_bare_configuration_is_completed(tmp_path: Path) -> None:
    root = book(tmp_path)
    check_shape(root)
    found = config_of(root)
    assert found["title"] == "Tea: black"
    assert found["execute"] == {"execute_notebooks": "off"}
    assert "studybook.charts.sphinx" in found["sphinx"]["config"]["extensions"]
    assert found["sphinx"]["config"]["html_theme_options"]["logo"] == {"text": "Tea: black"}
    assert not {"logo", "author"} & found.keys()


def test_what_it_says_goes_before(tmp_path: Path) -> None:
    own = "title: T\nlogo: l.png\nhtml: {favicon: f.png, use_issues_button: true}\n"
    found = config_of(book(tmp_path, **{CONFIG: own}))
    assert found["logo"] == "l.png"
    assert found["html"]["favicon"] == "f.png"
    assert found["html"]["use_issues_button"] is True
    assert found["html"]["use_edit_page_button"] is False


@pytest.mark.parametrize("name", [CONFIG, TOC])
@pytest.mark.parametrize(
    ("text", "said"),
    [(None, "is not there"), ("", "holds no keys"), ("- [\n", "is not YAML"), ("a: 1\n", "line")],
)
def test_what_cannot_be_read_is_named(
    tmp_path: Path, name: str, text: str | None, said: str
) -> None:
    root = book(tmp_path, **{name: text or ""})
    if text is None:
        (root / name).unlink()
    if text == "a: 1\n":
        said = "title" if name == CONFIG else "format"
    with pytest.raises(StudyBookError) as raised:
        check_shape(root)
    assert str(root / name) in str(raised.value)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("html: wide", "line 2: html: keys"),
        ("html:", "line 2: html: keys"),
        ("sphinx: [a]", "line 2: sphinx: keys"),
        ("exclude_patterns: [{a: 1}]", "line 2: exclude_patterns.0: "),
    ],
)
def test_settings_that_no_book_can_have_are_refused_by_line(
    tmp_path: Path, written: str, said: str
) -> None:
    with pytest.raises(StudyBookError, match=said):
        check_shape(book(tmp_path, **{CONFIG: f"title: T\n{written}\n"}))


def test_chapters_without_parts_are_a_part(tmp_path: Path) -> None:
    root = book(tmp_path, **{TOC: GOOD[TOC] + "chapters:\n  - file: book/one\n"})
    check_shape(root)
    assert contents_of(root / TOC)["parts"] == [{"chapters": [{"file": "book/one"}]}]
    (root / TOC).write_text(GOOD[TOC], encoding="utf-8")
    assert contents_of(root / TOC)["parts"] == []
