"""Taking out of built pages what their readers would load and not need; keeping signs in place.

The theme has each page load a script that draws two thousand icons, of which the font beside it has
all. Sources of scripts and styles, and fonts for browsers that nobody has any more, lie beside
them.

In the text of all pages, wherever it comes from, a number and its sign stay on one line.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Set
from importlib.metadata import version
from pathlib import Path

from studybook.memory import recall
from studybook.text import together

#: Scripts that no page needs.
_NEEDLESS = ("scripts/fontawesome.js", "searchtools.js", "language_data.js", "/searchindex.js")

#: They begin by what is rare, for the sake of time: so what is around a script stays.
_SCRIPT = re.compile(r"""<script\b[^>]*\bsrc="(?P<src>[^"?]*)[^"]*"[^>]*></script>""")
_PRELOAD = re.compile(r"""<link rel="preload" as="script" href="(?P<src>[^"?]*)[^"]*"[^>]*>""")
#: What is no text of a page: code, drawings, tags.
_NO_TEXT = re.compile(r"(<(script|style|pre|code|svg|textarea)\b.*?</\2>|<[^>]*>)", re.S)
_USED = re.compile(r"fa-[a-z0-9-]+")
#: A letter of those that no alphabet has, as a style sheet writes it: by its number, or itself.
_LETTER = re.compile(r"\\([ef][0-9a-f]{3})\b|([\ue000-\uf8ff])")
#: Bytes of a font; smaller ones are left, and are what is kept of larger ones.
_SMALL = 20_000
#: The rules of an icon's name: one or more selectors, and its letter in the font.
_ICON = re.compile(r'((?:\.fa-[a-z0-9-]+:before,?)+)\{content:"[^"]*"\}')
_MAPS = re.compile(r"/[/*]# sourceMappingURL=[^\n*]*(?:\*/)?\n?")


def lighten(html: Path, made: Set[Path]) -> None:
    """Make the pages of a built book light.

    Parameters
    ----------
    html : pathlib.Path
        The folder of the pages, with all that they load.
    made : set of pathlib.Path
        The pages that are new in it; the others are light already.
    """
    used: set[str] = set()
    for page in html.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        used.update(_USED.findall(text))
        if page not in made:
            continue
        light = _PRELOAD.sub(_without_needless, _SCRIPT.sub(_without_needless, text))
        # In threes: text, what is none, and the name of its tag.
        parts = _NO_TEXT.split(light)
        parts[::3] = map(together, parts[::3])
        light = "".join(part for number, part in enumerate(parts) if number % 3 != 2)
        if light != text:
            page.write_text(light, encoding="utf-8")
    static = html / "_static"
    for name in _NEEDLESS:
        (static / name.lstrip("/")).unlink(missing_ok=True)
    for pattern in ("*.map", "*.ttf", "*-macros.html"):
        for path in static.rglob(pattern):
            path.unlink()
    for path in (*static.rglob("*.js"), *static.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        light = _MAPS.sub("", text)
        if path.suffix == ".css":
            light = _ICON.sub(lambda rule: rule[0] if used & _icons(rule[1]) else "", light)
        if light != text:
            path.write_text(light, encoding="utf-8")
    shown = {
        chr(int(number, 16)) if number else letter
        for path in static.rglob("*.css")
        for number, letter in _LETTER.findall(path.read_text(encoding="utf-8"))
    }
    for path in static.rglob("fa-*.woff2"):
        if path.stat().st_size > _SMALL:
            _keep_letters(path, shown)


def _keep_letters(font: Path, letters: Set[str]) -> None:
    """Take out of a font all but some letters; for each font and letters once."""
    whole, wanted = font.read_bytes(), "".join(sorted(letters))

    def work_out() -> str:
        from fontTools import subset

        options = subset.Options(flavor="woff2", layout_features=[], notdef_outline=True)
        kept, made = subset.load_font(font, options), io.BytesIO()
        maker = subset.Subsetter(options)
        maker.populate(unicodes=map(ord, wanted))
        maker.subset(kept)
        subset.save_font(kept, made, options)
        return base64.b64encode(made.getvalue()).decode()

    kind = f"font with the letters {wanted}\n{version('fonttools')}"
    font.write_bytes(base64.b64decode(recall(kind, whole, work_out)))


def _without_needless(found: re.Match[str]) -> str:
    return "" if f"/{found['src']}".endswith(_NEEDLESS) else found[0]


def _icons(selectors: str) -> set[str]:
    return set(_USED.findall(selectors))
