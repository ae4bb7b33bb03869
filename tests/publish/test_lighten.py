"""What pages of the theme need not load is gone, and what they need is as it was."""

from __future__ import annotations

from pathlib import Path

from studybook.publish.lighten import lighten

HEAD = """\
<html><head>
  <script defer src="../_static/scripts/fontawesome.js?digest=55"></script>
  <link rel="preload" as="script" href="../_static/scripts/bootstrap.js?digest=55" />
    <script src="../_static/searchtools.js"></script>
    <script src="../searchindex.js"></script>
    <script src="../_static/study-search-index.js"></script>
  <script defer="defer" src="../_static/study-chart.js?v=1"></script>
</head><body><i class="fa-solid fa-sun fa-lg"></i></body></html>
"""
STYLE = (
    '@font-face{src:url(a.woff2)}.fa-solid{font-weight:900}.fa-moon:before{content:"\\f186"}'
    '.fa-sun-old:before,.fa-sun:before{content:"\\f185"}.fa-lg{font-size:1.25em}'
    'p:before{content:"-"}\n/*# sourceMappingURL=theme.css.map */\n'
)


def test_scripts_icons_and_sources_that_nobody_needs_are_gone(tmp_path: Path) -> None:
    static = tmp_path / "_static"
    (static / "scripts").mkdir(parents=True)
    (tmp_path / "book").mkdir()
    for name in ("scripts/fontawesome.js", "theme.css.map", "fa.ttf", "fa.woff2", "copy.js"):
        (static / name).write_text("x", encoding="utf-8")
    (static / "theme.css").write_text(STYLE, encoding="utf-8")
    page = tmp_path / "book/page.html"
    page.write_text(HEAD, encoding="utf-8")
    lighten(tmp_path, {page})
    there = {path.name for path in static.rglob("*") if path.is_file()}
    assert there == {"theme.css", "fa.woff2", "copy.js"}
    of_page = page.read_text(encoding="utf-8")
    for gone in ("fontawesome", "searchtools.js", "/searchindex.js"):
        assert gone not in of_page
    for kept in ("bootstrap.js", "study-chart.js", "study-search-index.js", "fa-sun"):
        assert kept in of_page
    style = (static / "theme.css").read_text(encoding="utf-8")
    assert style == STYLE.replace('.fa-moon:before{content:"\\f186"}', "").replace(
        "/*# sourceMappingURL=theme.css.map */\n", ""
    )
    lighten(tmp_path, {page})
    assert page.read_text(encoding="utf-8") == of_page
