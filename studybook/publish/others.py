"""The Sphinx extension for pages that stay while others are made anew.

Sphinx makes a page anew whose source has changed. This one tells it what else pages take of each
other, and does for the ones that stay what Sphinx does for those only that it writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from myst_nb.ext.glue.utils import PendingGlueReference
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from studybook import __version__


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
    app.connect("doctree-read", _note_glue)
    app.connect("env-updated", _all_where_shared_is_other)
    app.connect("build-finished", _remove_left)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _note_glue(app: Sphinx, doctree: nodes.document) -> None:
    """Make a page follow from the notebooks whose outputs it shows."""
    for node in doctree.findall(PendingGlueReference):
        app.env.note_dependency(app.env.doc2path(node.refdoc))


def _all_where_shared_is_other(_app: Sphinx, env: BuildEnvironment) -> set[str]:
    """Have all pages written where something has changed that any may take of others."""
    shared = sorted(map(str, _shared(env)))
    before, env.study_shared = getattr(env, "study_shared", shared), shared  # type: ignore[attr-defined]
    return set() if shared == before else env.found_docs


def _shared(env: BuildEnvironment) -> Iterator[object]:
    """Headings, which stand at the side, the places that links lead to, and what terms mean."""
    for page, contents in env.tocs.items():
        yield page, contents.pformat()
    for page, said in env.metadata.items():
        yield page, said.get("myst_slugs")
    for name, domain in env.domains.items():
        for thing in domain.get_objects():
            yield name, thing
    # these do not name theirs
    yield from env.domaindata["math"]["objects"].items()
    yield from env.domaindata["citation"].get("citations", {}).items()
    yield from getattr(env, "study_terms", {}).items()


def _remove_left(app: Sphinx, failure: Exception | None) -> None:
    """Remove pictures and downloads that no page has any more."""
    if failure or app.builder.format != "html":
        return
    html, env = Path(app.outdir), app.env
    kept = {html / "_images" / name for _, name in env.images.values()}
    kept |= {html / "_downloads" / name for _, name in env.dlfiles.values()}
    for path in {*html.glob("_images/*"), *html.glob("_downloads/*/*")} - kept:
        path.unlink()
