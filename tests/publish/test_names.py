"""What the theme leaves nameless in built pages has a name, and no name hides what is written."""

from __future__ import annotations

from pathlib import Path

from studybook.publish.names import give_names

PAGE = """\
<dialog id="pst-search-dialog"></dialog>
<div id="pst-primary-sidebar" class="bd-sidebar">
<button class="btn search-button-field x" title="Search" aria-label="Search"> Search</button>
<ul><li><a class="reference internal" href="a.html">A <i>"b"</i></a><details>\
<summary><span class="toctree-toggle"></span></summary><ul>
<li><a class="reference internal" href="b.html">B</a></li></ul></details></li>
<li class="current"><a class="current reference internal" href="#">C</a><details open="open">\
<summary><span class="toctree-toggle"></span></summary></details></li>
</ul></div>
<button class="btn search-button" title="Search" aria-label="Search"><i></i></button>
<details class="hide"><summary aria-label="Toggle hidden content"><p>Code</p></summary></details>
"""
NAMED = """\
<dialog id="pst-search-dialog" aria-label="Search"></dialog>
<div id="pst-primary-sidebar" role="navigation" aria-label="Book" class="bd-sidebar">
<button class="btn search-button-field x" title="Search"> Search</button>
<ul><li><a class="reference internal" href="a.html">A <i>"b"</i></a><details>\
<summary aria-label="Pages below A &quot;b&quot;"><span class="toctree-toggle"></span></summary><ul>
<li><a class="reference internal" href="b.html">B</a></li></ul></details></li>
<li class="current"><a class="current reference internal" href="#">C</a><details open="open">\
<summary aria-label="Pages below C"><span class="toctree-toggle"></span></summary></details></li>
</ul></div>
<button class="btn search-button" title="Search" aria-label="Search"><i></i></button>
<details class="hide"><summary><p>Code</p></summary></details>
"""


def test_names_are_given_once(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE, encoding="utf-8")
    for _ in range(2):
        give_names([page])
        assert page.read_text(encoding="utf-8") == NAMED
