"""Prose filled in from claims: on made-up pages, and on the written ones."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from studybook.charts.renderer import MIME_TYPE
from studybook.claims.published_values import read_published
from studybook.dataset.paths import DataSet
from studybook.engine.notebooks import figures
from studybook.engine.outputs import Record
from studybook.errors import StudyBookError
from studybook.publish.fill import fill_pages
from tests.conftest import REPOSITORY
from tests.testbed.test_filenet import MISSED as FILENET_MISSES
from tests.testbed.test_fit import ECM_MISSES

Texts = dict[str, str]


def judgement(verdict: str, **texts: str) -> Texts:
    plain = {"why": "", "origin": "simulated", "role": "", "data": "–", "interval": ""}
    return plain | {"published": "–", "accepted": "–", "ratio": "", "verdict": verdict} | texts


JUDGEMENTS = {
    "slower": judgement(
        "holds",
        data="1.29 ×",
        interval="1.24 to 1.35",
        published="1.3 ×",
        accepted="1.25 to 1.35 ×",
        ratio="1.29 1.24 1.35",
    ),
    "near": judgement("open", why="the interval lies across a bound", data="1.04 ×"),
    "dearer": judgement(
        "does not hold",
        data="1.9 IFLs",
        published="> 5 IFLs",
        role="predicted",
        statement="It is dear.",
    ),
    "why-so": judgement("cannot be judged", why="rates say how much & not <why>"),
    "counted": judgement("holds", data="6 disks", published="6 disks", role="fitted"),
}


def record(name: str, **texts: Any) -> Record:
    nothing: dict[str, str] = {}
    return Record(
        id=name, title="", state="ok", message="", parameters={}, code="", modules=nothing,
        published=nothing, inputs=nothing, versions=nothing, **texts,
    )  # fmt: skip


def filled(
    folder: Path,
    text: str,
    judgements: Mapping[str, Texts] | None = None,
    origins: tuple[str, ...] = ("simulated", "published"),
) -> str:
    """Fill in a page of a made-up study; None as judgements: no record of its claims at all."""
    page = folder / "study/page.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text(text, encoding="utf-8")
    found = {key: dict(each) for key, each in (judgements or {}).items()}
    records = [record("study/claims", origins=list(origins), judgements=found)]
    records = [*records[: judgements is not None], record("study/knee", finding="Beyond 54 % & so")]
    fill_pages(folder, records, DataSet("mine", folder))
    return page.read_text(encoding="utf-8")


#: A chart in an executed notebook, as the renderer leaves it.
CHART = {
    "$schema": "https://vega.github.io/schema/vega-lite/v6.json", "title": "So it is",
    "description": "One dot.", "mark": "point",
    "data": {"values": [{"x": 1, "origin": "measured", "run": "one"}]},
    "encoding": {"x": {"field": "x", "type": "quantitative"}},
}  # fmt: skip


def executed(data_set: DataSet, *ids: str) -> None:
    """Leave an executed notebook with a chart for each of these figures."""
    for each in ids:
        cell = new_code_cell(outputs=[new_output("display_data", data={MIME_TYPE: CHART})])
        path = data_set.notebooks / f"{each}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(new_notebook(cells=[cell]), path)


def test_a_chart_stands_on_the_page_with_the_way_to_its_own(tmp_path: Path) -> None:
    executed(DataSet("mine", tmp_path), "study/knee")
    page = filled(tmp_path, "Before.\n\n[[chart study/knee]]\n\nBehind.\n", JUDGEMENTS)
    before, chart, behind = page.split("\n\n")  # no blank line within: Markdown leaves it alone
    assert (before, behind) == ("Before.", "Behind.\n")
    assert chart.startswith("<figure ")
    assert "<svg " in chart
    assert 'href="../../notebooks/study/knee.html"' in chart


def test_a_figure_that_is_not_there_has_no_chart(tmp_path: Path) -> None:
    assert filled(tmp_path, "Before.\n\n[[chart study/gone]]\n", JUDGEMENTS) == "Before.\n\n\n"


def test_a_chart_has_a_line_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(StudyBookError, match="on a line of its own"):
        filled(tmp_path, "See [[chart study/knee]].\n", JUDGEMENTS)


def test_a_page_of_no_study_names_claims_with_their_study(tmp_path: Path) -> None:
    page = tmp_path / "front.md"
    page.write_text("[[study/slower, study/near: It takes {data}, or {study/near.data}.]]\n")
    judged = {"slower": JUDGEMENTS["slower"], "near": JUDGEMENTS["near"]}
    records = [record("study/claims", origins=["measured"], judgements=judged)]
    fill_pages(tmp_path, records, DataSet("mine", tmp_path))
    text = page.read_text(encoding="utf-8")
    assert text.startswith("It takes 1.29 ×, or 1.04 ×.")
    assert 'href="../notebooks/study/claims.html#claim-slower"' in text
    assert "1 of 2 statements confirmed; left open:</strong> study/near." in text


def test_a_page_of_no_study_is_told_of_a_claim_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "front.md").write_text("[[study/slowest: It takes {data}.]]\n")
    records = [record("study/claims", origins=[], judgements={"slower": JUDGEMENTS["slower"]})]
    with pytest.raises(StudyBookError, match=r"book/front.md, line 1: .*'study/slowest'"):
        fill_pages(tmp_path, records, DataSet("mine", tmp_path))
    # Of a study that is not in the data set nothing is known, which is no fault.
    (tmp_path / "front.md").write_text("[[other/slowest: It takes {data}.]]\n")
    fill_pages(tmp_path, records, DataSet("mine", tmp_path))


def test_a_sentence_whose_claim_holds_is_printed_with_its_numbers(tmp_path: Path) -> None:
    text = (
        "Before. [[slower: It takes {change:longer\nthan} before: {data} ({interval}), not"
        " {published}.]]\n"
    )
    assert filled(tmp_path, text, JUDGEMENTS) == (
        "Before. It takes 29 % longer (24 to 35 %) than before: 1.29 × (1.24 to 1.35), not 1.3 ×."
        '<a class="study-claim holds" href="../../notebooks/study/claims.html#claim-slower"'
        ' aria-label="claim: holds" title="holds"></a>\n'
    )


def test_a_sentence_that_is_open_says_so_and_why(tmp_path: Path) -> None:
    page = filled(tmp_path, "[[near: It takes as long: {data}.]]", JUDGEMENTS)
    sign = "<strong>Left open (the interval lies across a bound):</strong> It takes as long: "
    assert page.startswith(f'<span class="study-doubt open">{sign}')
    assert '<a class="study-claim open"' in page


def test_what_a_claim_accepts_can_be_quoted(tmp_path: Path) -> None:
    page = filled(tmp_path, "[[slower: It is {data}, of {accepted}.]]", JUDGEMENTS)
    assert page.startswith("It is 1.29 ×, of 1.25 to 1.35 ×.<a ")


@pytest.fixture
def document(tmp_path: Path) -> Path:
    """Return a folder in which the study has published values: a claim and a table."""
    (tmp_path / "data/published/study").mkdir(parents=True)
    (tmp_path / "data/published/study.yml").write_text(DOCUMENT, encoding="utf-8")
    (tmp_path / "data/published/study/tables.yml").write_text(TABLES, encoding="utf-8")
    return tmp_path


DOCUMENT = """\
study: study
document: {id: x, title: X, authors: A}
claims:
  - id: similar
    statement: s
    place: p
    figure: f
    kind: ratio
    metric: bandwidth_gb_s
    of: {operation: read}
    over: {operation: write}
    words: was similar
    reads: {least: 0.95, most: 1.05, because: b}
"""
TABLES = """\
study: study
tables:
  - number: "2.1"
    title: t
    place: p
    columns: [What, Default, Chosen]
    rows:
      - cells: ["size, of it", 1 GiB, 2 GiB & more]
"""


@pytest.mark.parametrize(
    ("fill", "printed"),
    [
        ("[[published similar]]", "“was similar” (our reading: 0.95 to 1.05 ×)"),
        ("[[Table 2.1: size, of it]]", "2 GiB &amp; more"),
        ("[[Table 2.1: size,\nof it: Default]]", "1 GiB"),
        ("[[finding study/knee]]", "Beyond 54 % &amp; so"),
        ("[[finding study/other]]", "the figure could not be drawn"),
    ],
)
def test_what_a_document_or_a_figure_says_is_printed_without_a_verdict(
    document: Path, fill: str, printed: str
) -> None:
    assert filled(document, f"| a | {fill} |\n", None) == f"| a | {printed} |\n"


@pytest.mark.parametrize(
    ("fill", "message"),
    [
        ("[[published similr]]", "no claim 'similr'\n  → did you mean similar?"),
        ("[[Table 3: size, of it]]", "the document has no Table 3\n  → its last is 2.1"),
        ("[[Table 2.1: size of it]]", "no row 'size of it'\n  → did you mean size, of it?"),
        ("[[Table 2.1: size, of it: Defaults]]", "'Defaults'\n  → did you mean Default?"),
        ("[[Table 2.1]]", "is not understood"),
    ],
)
def test_what_a_document_does_not_have_is_named_with_its_line(
    document: Path, fill: str, message: str
) -> None:
    sentence = "[[similar:\nTwo lines\n({interval}).]]"
    with pytest.raises(StudyBookError) as raised:
        filled(document, f"{sentence}\n\n{fill}\n", {"similar": judgement("holds")})
    assert str(raised.value).startswith("book/study/page.md, line 5: ")
    assert message in str(raised.value)


def test_a_sentence_whose_claim_fails_says_so_and_what_the_document_has(tmp_path: Path) -> None:
    page = filled(tmp_path, "[[dearer: It costs {data}.]]", JUDGEMENTS)
    published = "&gt; 5 IFLs"
    sign = f"<strong>Not confirmed; the document has {published}:</strong> It costs 1.9 IFLs."
    assert page.startswith(
        f'<span class="study-doubt fails">{sign}<a class="study-claim fails predicted"'
    )
    # A sentence that has it itself is not told twice.
    page = filled(tmp_path, "[[dearer: It costs {data}, not {published}.]]", JUDGEMENTS)
    assert page.count(published) == 1
    # What the fit of a model made of the value stands in the sign.
    assert re.search(r'title="does not hold; [^"]*: predicted"', page)


def test_a_sentence_that_cannot_be_judged_says_why(tmp_path: Path) -> None:
    page = filled(tmp_path, "[[why-so: It is so: {data}.]]", JUDGEMENTS)
    assert page.startswith('<span class="study-doubt unjudged"><strong>')
    assert "(rates say how much &amp; not &lt;why&gt;):</strong> It is so: –." in page


@pytest.mark.parametrize("judgements", [None, {}], ids=["no page of claims", "it failed"])
def test_without_evaluated_claims_the_sentence_says_so(
    tmp_path: Path, judgements: dict[str, Texts] | None
) -> None:
    page = filled(tmp_path, "[[slower: It takes {data} the time ({interval}).]]", judgements)
    assert page.startswith('<span class="study-doubt unjudged"><strong>')
    assert page.endswith("</strong> It takes – the time.</span>")


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        ("slower, counted", None),
        ("slower,\ncounted, why-so", "These data cannot tell (rates"),
        ("why-so, dearer, near", "These data cannot tell (rates"),
        (
            "dearer, near, slower",
            "<strong>1 of 3 statements confirmed; not confirmed:</strong> It is dear;"
            " <strong>left open:</strong> near.",
        ),
        ("near, slower", "<strong>1 of 2 statements confirmed; left open:</strong> near."),
    ],
)
def test_of_several_claims_the_worst_counts(tmp_path: Path, ids: str, said: str | None) -> None:
    page = filled(tmp_path, f"[[{ids}: {{slower.data}} and {{counted.data}}.]]", JUDGEMENTS)
    assert "1.29 × and 6 disks." in page
    assert ("study-doubt" in page) == (said is not None)
    assert said is None or said in page
    marked = re.findall(r"#claim-([a-z-]+)\"", page)
    assert marked == re.split(r",\s*", ids)


def test_what_there_is_no_interval_of_takes_its_parentheses_along(tmp_path: Path) -> None:
    text = "[[counted, slower: {data} ({interval}); {slower.data} ({slower.interval})]]"
    page = filled(tmp_path, text, JUDGEMENTS)
    assert page.startswith("6 disks; 1.29 × (1.24 to 1.35)<a ")


def test_values_are_text_and_neither_html_nor_a_quotation(tmp_path: Path) -> None:
    page = filled(tmp_path, "[[dearer: Published is\n{published}.]]", JUDGEMENTS)
    assert "Published is\n&gt; 5 IFLs." in page


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[slwer: It is.]]", "there is no claim 'slwer'\n  → did you mean slower?"),
        ("[[slower, counts: It is.]]", "there is no claim 'counts'\n  → did you mean counted?"),
        ("[[slower: It is {countd.data}.]]", "no claim 'countd'\n  → did you mean counted?"),
        ("[[slower: It is {value}.]]", "there is no {value}\n  → {data}, {interval}"),
        ("[[slower: It is {change:slow}.]]", "there is no {change:slow}\n  → {data}, {interval}"),
        ("[[Slower: It is.]]", "'[[Slower: It is.]]' is not understood\n  → write [[claim-id:"),
        ("[[slower It is.]]", "is not understood"),
        ("[[Data set]]", "is not understood"),
    ],
)
def test_what_is_not_understood_is_named_with_its_line(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(StudyBookError) as raised:
        filled(tmp_path, f"# Page\n\n[[data set]]\n\n{text}\n", JUDGEMENTS)
    assert str(raised.value).startswith("book/study/page.md, line 5: ")
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("judgements", "origins", "source"),
    [
        (
            JUDGEMENTS,
            ("simulated", "published"),
            'data set *mine* <span class="origin-simulated">simulated</span>',
        ),
        (JUDGEMENTS, ("published",), "data set *mine* without data"),
        (None, (), "data set *mine* without data"),
    ],
)
def test_the_data_set_is_named_with_its_origin(
    tmp_path: Path, judgements: dict[str, Texts] | None, origins: tuple[str, ...], source: str
) -> None:
    assert filled(tmp_path, "From [[data set]].\n", judgements, origins) == f"From {source}.\n"


MODEL: dict[str, Texts] = {
    "slower": {"verdict": "does not hold", "data": "1.01 ×", "accepted": "1.3 × ± 0.05"},
    "dearer": {"verdict": "does not hold", "data": "2 IFLs", "accepted": "> 5 IFLs"},
    "counted": {"verdict": "holds", "data": "6 disks", "accepted": "6 disks ± 0"},
}


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ("slower", "Missed by the model itself, which has 1.01 × for 1.3 × ± 0.05"),
        (
            "slower, dearer",
            "Missed by the model itself, which has 1.01 × and 2 IFLs"
            " for 1.3 × ± 0.05 and &gt; 5 IFLs",
        ),
        ("counted", "Met by the model itself, which has 6 disks for 6 disks ± 0"),
        (
            "slower, counted",
            "Missed in part by the model itself, which has 1.01 × and 6 disks for 1.3 × ± 0.05"
            " and 6 disks ± 0",
        ),
    ],
)
def test_what_a_model_misses_is_said_with_how_far(tmp_path: Path, claims: str, said: str) -> None:
    page = tmp_path / "study/page.md"
    page.parent.mkdir()
    page.write_text(f"**[[missed beds/fit: {claims}]].**\n", encoding="utf-8")
    fill_pages(tmp_path, [record("beds/fit", judgements=MODEL)], DataSet("mine", tmp_path))
    assert page.read_text(encoding="utf-8") == f"**{said}.**\n"


def test_a_model_that_was_not_asked_misses_nothing(tmp_path: Path) -> None:
    page = filled(tmp_path, "[[missed beds/fit: slower]]\n", JUDGEMENTS)
    assert page == "What the model has is not known\n"


def test_a_claim_that_the_model_is_not_held_against_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "study/page.md"
    page.parent.mkdir()
    page.write_text("[[missed beds/fit: slowest]]\n", encoding="utf-8")
    with pytest.raises(StudyBookError, match="line 1: the model is not held against 'slowest'"):
        fill_pages(tmp_path, [record("beds/fit", judgements=MODEL)], DataSet("mine", tmp_path))


def test_pages_without_brackets_stay_as_they_are(tmp_path: Path) -> None:
    text = "# Page\n\nA {role}`text`, [a](b.md), `[ -f x ]`.\n"
    assert filled(tmp_path, text, JUDGEMENTS) == text


# --- The written pages ----------------------------------------------------------------------

#: The chapters of each study whose chapters are filled in from its claims.
CHAPTERS = {
    "ecm-scaleout": {
        "question", "system", "setup-and-tuning", "request-routing", "server-lists", "page-pools",
        "sd-and-nsd", "jumbo-frames", "workload-and-phases", "scale-out", "load-levels",
        "conclusions", "reading-notes",
    },
    "filenet-p8": {
        "question", "system", "setup-and-tuning", "workload", "load-levels", "vertical-scaling",
        "response-and-utilisation", "conclusions", "reading-notes",
    },
}  # fmt: skip
#: What the model of each study is known to give otherwise than published.
MISSES = {"ecm-scaleout": ECM_MISSES, "filenet-p8": FILENET_MISSES}
PAGES = [page for study in CHAPTERS for page in sorted((REPOSITORY / "book" / study).glob("*.md"))]
#: All pages with something to fill in, of any study that has a document.
FILLED = [
    page
    for page in sorted((REPOSITORY / "book").glob("*/*.md"))
    if "[[" in page.read_text(encoding="utf-8")
    and (REPOSITORY / f"data/published/{page.parent.name}.yml").is_file()
]
CLAIMS = {
    study: {claim.id for claim in read_published(REPOSITORY, study).claims} for study in CHAPTERS
}
SENTENCE = re.compile(r"\[\[(?P<ids>[a-z0-9-]+(?:,\s*[a-z0-9-]+)*):\s+(?P<text>.+?)\]\]", re.S)
SOURCE = "**Where this page's data come from:**"

every_page = pytest.mark.parametrize(
    "page", PAGES, ids=lambda path: f"{path.parent.name}/{path.stem}"
)
every_study = pytest.mark.parametrize("study", CHAPTERS)


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def sentences(text: str) -> list[tuple[list[str], str]]:
    return [(re.split(r",\s*", found["ids"]), found["text"]) for found in SENTENCE.finditer(text)]


@every_study
def test_the_study_has_its_chapters(study: str) -> None:
    assert {page.stem for page in PAGES if page.parent.name == study} == CHAPTERS[study]


@every_page
def test_claims_that_are_quoted_exist_and_are_marked(page: Path) -> None:
    for ids, text in sentences(read(page)):
        assert set(ids) <= CLAIMS[page.parent.name]
        assert len(set(ids)) == len(ids)
        # A quoted value comes with its verdict: its claim is one of the sentence's own.
        assert set(re.findall(r"\{([a-z0-9-]+)\.", text)) <= set(ids)


@pytest.mark.parametrize("page", FILLED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_page_can_be_filled(page: Path, tmp_path: Path) -> None:
    study = page.parent.name
    claims = read_published(REPOSITORY, study).claims
    found = {each.id: judgement("holds", data="1", interval="0 to 2") for each in claims}
    records = [record(f"{study}/claims", origins=[], judgements=found)]
    records += [record(each.id, finding="So it is") for each in figures(REPOSITORY)]
    (tmp_path / study).mkdir()
    copy = Path(shutil.copy(page, tmp_path / study))
    (tmp_path / "data").symlink_to(REPOSITORY / "data")
    (tmp_path / "pipelines").symlink_to(REPOSITORY / "pipelines")
    place = DataSet("mine", tmp_path)
    executed(place, *re.findall(r"\[\[chart ([a-z0-9/-]+)\]\]", read(page)))
    fill_pages(tmp_path, records, place)
    text = read(copy)
    assert "[[" not in text
    assert "could not be drawn" not in text
    assert not re.search(r"\{[a-z0-9.-]+\}", text)


#: What puts a number of the data or of the document into a sentence.
NUMBER = re.compile(r"\{[a-z0-9.-]*(data|change:[a-z\s]+)\}|\[\[(finding|tally|Table) ")


@every_page
def test_a_page_asks_answers_and_says_where_its_data_come_from(page: Path) -> None:
    blocks = read(page).split("\n\n")
    title, answer, *rest = [each for each in blocks if not each.startswith("[[chart ")]
    assert re.fullmatch(r"# (\S.*\?|How .*)", title)
    assert NUMBER.search(answer), "the answer comes first, with its number"
    source = next(each for each in [answer, *rest][:3] if each.startswith(SOURCE))
    assert "[[data set]]" in source


@every_page
def test_sentences_of_results_begin_like_sentences(page: Path) -> None:
    """What is not borne out gets words of doubt before it, which end in a colon."""
    for _, text in sentences(read(page)):
        assert re.match(r"[A-Z]", text), text
        assert text.endswith("."), text


@every_study
def test_the_conclusions_are_claims_and_nothing_else(study: str) -> None:
    blocks = read(REPOSITORY / "book" / study / "conclusions.md").split("\n\n")
    left = SENTENCE.sub("", "\n".join(each for each in blocks if not each.startswith(SOURCE)))
    left = re.sub(r"^#.*$|^\[\[chart .*$|\[[^\]]*\]\([^)]*\)|^Chapters?:", "", left, flags=re.M)
    words = [line for line in left.split("\n") if re.search(r"\w", line)]
    assert all(line.endswith("?") for line in words), words


#: What stands before a value that the model of the simulated data does not give.
MISSED = re.compile(r"\*\*\[\[missed [^\]]+\]\]\.\*\*")


@every_study
def test_what_the_model_misses_stands_in_the_chapters(study: str) -> None:
    """Below "Model and paper" each published value that the model does not give is named."""
    named: list[str] = []
    for page in (REPOSITORY / "book" / study).glob("*.md"):
        for paragraph in re.split(r"\n\n|\n(?=- )", read(page)):
            if MISSED.search(paragraph):
                named += [name for ids, _ in sentences(paragraph) for name in ids]
    assert sorted(named) == sorted(MISSES[study])


@every_page
def test_links_lead_to_pages_of_the_book(page: Path) -> None:
    chapters = (REPOSITORY / "book/_toc.yml").read_text(encoding="utf-8").split()
    for target in re.findall(r"\]\(([^)#\s]+)", read(page)):
        path = (page.parent / target).resolve().relative_to(REPOSITORY)
        assert str(path.with_suffix("")) in chapters, target


#: What stands before words of a document: who says them. Before a number, *published* may stand.
SAYS = re.compile(r"(?:published|about|nearly|almost|around)(?: (?:is|are|as|by))?[ ,]*$")


@pytest.mark.parametrize("page", FILLED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_words_of_a_document_are_not_called_published(page: Path) -> None:
    """“did not benefit” is no value that is published, or that is about something."""
    words = {each.id for each in read_published(REPOSITORY, page.parent.name).claims if each.words}
    for ids, text in sentences(read(page)):
        said = " ".join(text.split())
        for found in re.finditer(r"\{(?:([a-z0-9-]+)\.)?published\}", said):
            if (found[1] or ids[0]) in words:
                assert not SAYS.search(said[: found.start()].lower()), said
