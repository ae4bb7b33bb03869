"""A model as a notebook asks it: its parameters, and what was published."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from studybook.dataset.paths import project_root
from studybook.errors import StudyBookError
from studybook.study import provenance
from studybook.study.study import use_definition
from testbed.ecm import mix
from testbed.fit import Comparison, compare
from testbed.parameters import FILE, Parameter, read_parameters
from testbed.studies import STUDIES
from testbed.targets import FOLDER, Target, read_targets

#: The document of each study, by its title.
DOCUMENTS = {
    "ecm-scaleout": (
        "IBM Enterprise Content Management for Linux on z Systems: Scale-Out Case Study (Part 2):"
        " Multiple ECM Nodes with IBM WebSphere Application Server Cluster and Spectrum Scale 4.2"
    ),
    "filenet-p8": (
        "Linux on IBM System z and IBM FileNet P8 5.1: Setup, Performance, and Scalability"
    ),
}

#: Files beside the parameters and the published values that a model reads.
_MORE_FILES = {"ecm-scaleout": (mix.FILE,)}


@dataclass(frozen=True)
class Model:
    """The model of a study, with the parameters and published values of this package.

    Parameters
    ----------
    study : str
        Name of the study.
    parameters : dict of str to Parameter
        Its parameters, those that it shares with others first.
    targets : tuple of Target
        What was published.
    """

    study: str
    parameters: dict[str, Parameter]
    targets: tuple[Target, ...]

    @cached_property
    def values(self) -> dict[str, float]:
        """The value of each parameter."""
        return {name: each.value for name, each in self.parameters.items()}

    def comparisons(self, sources: Iterable[str] | None = None) -> tuple[Comparison, ...]:
        """Hold the model against published values, and note that they are shown.

        Parameters
        ----------
        sources : iterable of str, optional
            Figures and tables of the document; all by default.
        """
        wanted = None if sources is None else set(sources)
        chosen = [
            each for each in self.targets if wanted is None or wanted & set(each.source.split(", "))
        ]
        self.note_published(chosen)
        return compare(self.study, self.values, chosen)

    def note_published(self, targets: Iterable[Target]) -> None:
        """Note that a figure shows these published values."""
        places = {place for each in targets for place in each.source.split(", ")}
        if places:
            provenance.note_published_marks(DOCUMENTS[self.study], places)


def open_model(study: str) -> Model:
    """Open the model of a study for a notebook, and note that the notebook asks it.

    The words of the study in the book, its metrics and colours, are known from then on.

    Parameters
    ----------
    study : str
        Name of the study, such as ``ecm-scaleout``.
    """
    if study not in STUDIES:
        raise StudyBookError(f"{study!r} has no model\n  → known: {', '.join(STUDIES)}")
    targets = FOLDER / f"{study}.yml"
    provenance.note_model((FILE, targets, *_MORE_FILES.get(study, ())))
    use_definition(project_root(), study)
    parameters = read_parameters().section(STUDIES[study].section)
    return Model(study, parameters, read_targets(study))
