"""The RO-Crate of an archive: its files, and how its figures follow from them.

An RO-Crate is one JSON-LD document, and this a dictionary. The library ``rocrate`` would take the
time of day and random names into it, so that no two archives of a book were the same, and asks for
a library that speaks to the network.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from mimetypes import MimeTypes
from typing import Any

from studybook.engine.outputs import Record

#: The name that RO-Crate gives it; it stands at the top of the archive.
METADATA = "ro-crate-metadata.json"

_PROFILE = "https://w3id.org/ro/crate/1.1"
Entity = dict[str, Any]


def crate(
    data_set: str,
    book: Mapping[str, Any],
    published: str,
    files: Mapping[str, tuple[str, int]],
    raw: Mapping[str, str],
    records: Iterable[Record],
) -> Entity:
    """Describe an archive.

    Parameters
    ----------
    data_set : str
        The data set of the book.
    book : mapping
        What its ``_config.yml`` says.
    published : str
        The year or day of which it is.
    files : mapping
        Name of each file in the archive to its SHA-256 and size.
    raw : mapping
        Name to hash of raw files that are left out, as their names would be in the archive.
    records : iterable of Record
        What made its figures.
    """
    # Its own table of types: that of the system differs from machine to machine.
    types = MimeTypes()
    records = list(records)
    title, author = str(book.get("title") or data_set), str(book.get("author") or "not named")
    parts: list[Entity] = [
        {
            "@id": name,
            "@type": ["File", "SoftwareSourceCode"] if name.endswith((".py", ".sql")) else "File",
            "name": name.rpartition("/")[2],
            "contentSize": str(size),
            "sha256": digest,
            "encodingFormat": types.guess_type(name)[0] or "application/octet-stream",
        }
        for name, (digest, size) in sorted(files.items())
    ]
    left_out: list[Entity] = [
        {"@id": f"#{name}", "@type": "CreativeWork", "name": name, "sha256": digest}
        for name, digest in sorted(raw.items())
    ]
    documents = sorted({each for record in records for each in record.documents})
    origins = sorted({each for record in records for each in record.origins})
    about, actions = _of_figures(data_set, records, files, raw)
    licence = next((name for name in files if name.startswith("LICENSE")), "#licence")
    root: Entity = {
        "@id": "./",
        "@type": "Dataset",
        "identifier": data_set,
        "name": title,
        "description": f"The book “{title}” of the data set {data_set}: its pages, figures, "
        f"notebooks and pipelines, and {'the hashes of its raw files' if raw else 'its raw files'}."
        f" Where its data come from: {', '.join(origins) or 'not said'}.",
        "datePublished": published,
        "author": {"@id": "#author"},
        "license": {"@id": licence},
        "hasPart": _ids(parts),
        "mentions": _ids(actions),
        "citation": [{"@id": f"#document/{n}"} for n, _ in enumerate(documents, 1)],
    }
    graph: list[Entity] = [
        {
            "@id": METADATA,
            "@type": "CreativeWork",
            "conformsTo": {"@id": _PROFILE},
            "about": {"@id": "./"},
        },
        root,
        {"@id": "#author", "@type": "Organization", "name": author},
        *parts,
        *left_out,
        *({"@id": f"#document/{n}", "@type": "CreativeWork", "name": each}
          for n, each in enumerate(documents, 1)),
        *about,
        *actions,
    ]  # fmt: skip
    if licence == "#licence":
        said = "The book has no file LICENSE: its author has not said what others may do with it."
        graph.append({"@id": licence, "@type": "CreativeWork", "name": "none", "description": said})
    return {"@context": f"{_PROFILE}/context", "@graph": graph}


def _of_figures(
    data_set: str,
    records: Iterable[Record],
    files: Mapping[str, tuple[str, int]],
    raw: Mapping[str, str],
) -> tuple[list[Entity], list[Entity]]:
    """Programs and parameters, and the figures: each the action that made its files of others."""
    about: dict[str, Entity] = {}
    actions = []
    for record in sorted(records, key=lambda each: each.id):
        id_ = f"#figure/{record.id}"
        versions = {"studybook": record.package} | record.versions
        programs: list[Entity] = [
            {"@id": f"#program/{name}/{version}", "@type": "SoftwareApplication", "name": name,
             "version": version}
            for name, version in versions.items()
        ]  # fmt: skip
        # What a person would have to give, and what tells one state of the code from another.
        said = record.parameters | {"sha256 of its cells": record.code,
                                    "sha256 of its code": _digest(record.modules)}  # fmt: skip
        values: list[Entity] = [
            {"@id": f"{id_}/{name.replace(' ', '-')}", "@type": "PropertyValue", "name": name,
             "value": value if isinstance(value, str | int | float) else json.dumps(value)}
            for name, value in said.items()
        ]  # fmt: skip
        about |= {each["@id"]: each for each in (*programs, *values)}
        inputs = [name_of_raw(data_set, name) for name in record.inputs]
        inputs = [f"#{name}" if name in raw else name for name in inputs]
        own = [name for name in (*record.modules, *record.model) if name in files]
        used = sorted({*inputs, *(name for name in record.published if name in files), *own})
        build = f"build/{data_set}"
        actions.append({
            "@id": id_,
            "@type": "CreateAction",
            "name": record.title,
            "description": ". ".join(filter(None, (
                record.finding, f"Origin: {', '.join(record.origins) or 'not said'}",
            ))),
            "instrument": _ids(programs),
            "object": [*({"@id": name} for name in used), *_ids(values)],
            "result": [{"@id": f"{build}/{name}"} for name in sorted(record.outputs)],
            "subjectOf": {"@id": f"{build}/figures/{record.id}.json"},
            "actionStatus": {"@id": "http://schema.org/" + (
                "CompletedActionStatus" if record.state == "ok" else "FailedActionStatus")},
            **({"error": record.message} if record.message else {}),
        })  # fmt: skip
    return list(about.values()), actions


def name_of_raw(data_set: str, name: str) -> str:
    """The name in an archive of a raw file, or of a ``run.yml``, that a record names."""
    return f"data/raw/{data_set}/{name}"


def _digest(modules: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(modules, sort_keys=True).encode()).hexdigest()


def _ids(entities: Iterable[Entity]) -> list[Entity]:
    return [{"@id": each["@id"]} for each in entities]
