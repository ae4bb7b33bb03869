"""DuckDB for browsers is fetched as it should be, and questions are those that data can answer."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
from pathlib import Path

import duckdb
import pytest

from studybook.errors import StudyBookError
from studybook.publish.explore import package, questions
from tests.conftest import REPOSITORY
from tests.support.browser import served
from tests.support.project import Project

HERE = Project(REPOSITORY)


def packed(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(f"package/dist/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return stream.getvalue()


def test_the_package_is_fetched_once_and_only_as_it_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a package of our own making, with its hash: the real one has 30 MB."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    registry = tmp_path / "registry"
    there = registry / package.address().removeprefix(f"{package.REGISTRY}/")
    there.parent.mkdir(parents=True)
    there.write_bytes(packed(**{"duckdb-eh.wasm": b"\0asm", "duckdb-browser-eh.worker.js": b"1"}))

    with served(registry) as address:
        monkeypatch.setenv(package.REGISTRY_VARIABLE, f"{address}/")
        said = HERE.call("explore", code=1).stderr
        assert "is not @duckdb/duckdb-wasm" in said
        assert address in said
        assert not package.is_there()
        digest = base64.b64encode(hashlib.sha512(there.read_bytes()).digest()).decode()
        monkeypatch.setattr(package, "INTEGRITY", f"sha512-{digest}")
        assert "studybook book" in HERE.call("explore").stdout
    assert {path.name for path in package.place().iterdir()} == {package.MODULE, package.WORKER}
    # The registry is gone, and is not asked.
    assert "as before" in HERE.call("explore").stdout

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    assert "--from FILE.tgz" in HERE.call("explore", code=1).stderr
    for wrong in ("file:///etc", "registry"):
        monkeypatch.setenv(package.REGISTRY_VARIABLE, wrong)
        assert package.REGISTRY_VARIABLE in HERE.call("explore", code=1).stderr
    HERE.call("explore", "--from", str(there))
    assert package.is_there()


def test_a_book_is_told_which_of_its_questions_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    file = tmp_path / questions.FILE
    with duckdb.connect() as data:
        data.execute(
            "CREATE TABLE run AS SELECT 'a' AS study, 'measured' AS origin, NULL AS excluded"
        )
        text = "questions:\n- question: Which?\n  sql: FROM run\n- question: Why?\n  sql: "
        file.write_text(f"{text}FROM why", encoding="utf-8")
        asked, left_out = questions.questions(tmp_path, data)
        # What these data have no table for is told; general questions take its place.
        assert asked[0].question == "Which?"
        assert len(asked) == 2
        assert [question for question, _ in left_out] == ["Why?"]
        for wrong, said in (
            ("SELECT nothing FROM run", "line 5: DuckDB says"),
            ("FROM run\n  chart: {x: nothing}", "line 6: the answer has no column nothing"),
        ):
            file.write_text(f"{text}{wrong}", encoding="utf-8")
            with pytest.raises(StudyBookError, match=said):
                questions.questions(tmp_path, data)
