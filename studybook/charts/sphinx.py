"""The Sphinx extension that puts the browser side of the charts into the book."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from studybook import __version__
from studybook.charts import bundle


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension.

    Parameters
    ----------
    app : sphinx.application.Sphinx
        The build.

    Returns
    -------
    dict
        What Sphinx wants to know of it.
    """
    app.connect("builder-inited", _write_look)
    app.connect("html-page-context", _fetch_early)
    app.connect("build-finished", _write_vega)
    app.add_css_file(bundle.STYLE)
    app.add_js_file(bundle.SCRIPT, loading_method="async")
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _write_look(app: Sphinx) -> None:
    # before the pages, so that Sphinx can add a checksum to the addresses in them
    if app.builder.format == "html":
        bundle.write_look(Path(app.outdir) / "_static")


def _fetch_early(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Have a page with charts fetch what draws them while it is read, and not after."""
    if 'class="study-chart"' in context.get("body", ""):
        place = context["pathto"](f"_static/{bundle.VEGA}", 1)
        context["metatags"] += (
            f'<link rel="preload" as="script" href="{place}" fetchpriority="low" />'
        )


def _write_vega(app: Sphinx, failure: Exception | None) -> None:
    # after the pages: a process that has used vl_convert must not be forked, and a
    # parallel build forks to read them
    if app.builder.format == "html" and failure is None:
        bundle.write_vega(Path(app.outdir) / "_static")
