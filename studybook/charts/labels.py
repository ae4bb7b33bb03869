"""Keep the labels of a static drawing apart, as ``labels.js`` does in charts that are drawn live.

No browser sets a drawing that is a file, so boxes follow from what Vega writes into it: groups that
are only moved, lines of straight pieces, and letters whose widths are estimated, rather too wide.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from xml.etree import ElementTree as Xml

import numpy as np

from studybook.topology.layout import text_width

_NAMESPACE = "http://www.w3.org/2000/svg"
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?")

#: Pixels away from where a label is wanted, the least first; no step is the first.
_ACROSS = [0, *(sign * far for far in (10, 20, 36, 54, 78, 110, 150) for sign in (-1, 1))]
_STEPS = np.array([(x, y) for x in _ACROSS for y in range(-60, 61, 3)], dtype=float)
_STEPS = _STEPS[np.argsort(np.hypot(*_STEPS.T), kind="stable")]
_FAR = np.hypot(*_STEPS.T)

#: Left, top, right and bottom of something, and how much a label weighs that covers it.
Box = tuple[float, float, float, float, float]
#: An element, the names of the groups around it, where these have been moved, and where their panel
#: ends.
_Placed = tuple[Xml.Element, str, float, float, float]


def settled(svg: str) -> str:
    """Move each label that touches another, a line or a mark to the nearest place that is free.

    Parameters
    ----------
    svg : str
        A drawing, as Vega writes it.

    Returns
    -------
    str
        The same drawing; only labels in its plots may stand elsewhere.
    """
    root = Xml.fromstring(svg)  # noqa: S314 - drawn by Vega, for us
    # a text and the rim below it are one label
    labels: dict[tuple[Box, str], list[Xml.Element]] = {}
    frames: dict[Box, tuple[float, ...]] = {}
    taken: list[Box] = []
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for element, groups, x, y, floor in _leaves(root, floor=height):
        if element.tag == f"{{{_NAMESPACE}}}text":
            text = "".join(element.itertext()).strip()
            if element.get("opacity") == "0" or not text:
                continue
            box = _of_text(element, x, y)
            if "mark-text role-mark" in groups:
                labels.setdefault((box, text), []).append(element)
                # below its panel, among the numbers of the axis, a label would name nothing
                frames[box] = (0.0, 0.0, width, min(height, max(floor, box[3])))
            else:
                taken.append(box)
        else:
            taken += _of_mark(element, groups, x, y)
    boxes = np.array(taken, dtype=float).reshape(-1, 5)
    for (box, _), elements in labels.items():
        x, y = _free(box, boxes, frames[box])
        boxes = np.vstack([boxes, np.add(box, (x, y, x, y, 0))])
        for element in elements if x or y else ():
            element.set("transform", f"translate({x:g},{y:g}) {element.get('transform', '')}")
    Xml.register_namespace("", _NAMESPACE)
    return Xml.tostring(root, encoding="unicode")


def _free(box: Box, boxes: np.ndarray, frame: tuple[float, ...]) -> tuple[float, float]:
    """The step to the best place: what it covers weighs, and so does each pixel of the way."""
    places = np.array(box[:4]) + np.hstack([_STEPS, _STEPS])
    # what no step reaches need not be looked at
    low, high = places.min(axis=0), places.max(axis=0)
    near = boxes[(boxes[:, :2] < high[2:]).all(axis=1) & (boxes[:, 2:4] > low[:2]).all(axis=1)]
    weights = np.zeros(len(places))
    for count in (1, len(places)):  # most labels stand well where they are
        left, top, right, bottom = places[:count].T[:, :, None]
        across = np.minimum(right - 1, near[:, 2]) - np.maximum(left + 1, near[:, 0])
        down = np.minimum(bottom - 2, near[:, 3]) - np.maximum(top + 2, near[:, 1])
        covered = (np.maximum(across, 0) * np.maximum(down, 0)) @ near[:, 4]
        out = np.maximum(0, [frame[:2] - places[:count, :2], places[:count, 2:] - frame[2:]])
        weights[:count] = covered + 1000 * out.sum(axis=(0, 2))
        if not weights[0]:
            return 0.0, 0.0
    x, y = _STEPS[np.argmin(weights + _FAR)]
    return float(x), float(y)


def _leaves(
    element: Xml.Element, groups: str = "", x: float = 0, y: float = 0, floor: float = 0
) -> Iterator[_Placed]:
    """What is drawn, each with where it stands."""
    across, down, *_ = (*_numbers(element.get("transform", "")), 0.0, 0.0)
    x, y = x + across, y + down
    groups = f"{groups} {element.get('class', '')}"
    kind = element.tag.removeprefix(f"{{{_NAMESPACE}}}")
    if kind in ("svg", "g"):
        for inner in element:
            size = _numbers(inner.get("d", "")) if inner.get("class") == "background" else []
            if len(size) > 3 and size[3]:
                floor = y + size[1] + size[3]
            yield from _leaves(inner, groups, x, y, floor)
    elif kind in ("text", "path", "line"):
        yield element, groups, x, y, floor


def _of_text(text: Xml.Element, x: float, y: float) -> Box:
    size = _numbers(text.get("font-size", "12"))[0]
    bold = text.get("font-weight", "400") in ("bold", "600", "700")
    lines = list(text) or [text]
    wide = max(text_width(line.text or "", bold=bold) for line in lines) * size / 12
    left = x - wide * {"middle": 0.5, "end": 1.0}.get(text.get("text-anchor", ""), 0.0)
    below = sum(float(line.get("dy", 0)) for line in lines)
    return left, y - 0.92 * size, left + wide, y + 0.25 * size + below, 4.0


def _of_mark(mark: Xml.Element, groups: str, x: float, y: float) -> Iterator[Box]:
    """Where a mark is, as boxes: of a line those of its pieces, of an area and of bars none."""
    if "role-legend" in groups or mark.get("class") in ("background", "foreground"):
        return
    if mark.tag.endswith("line"):
        x2, y2 = x + float(mark.get("x2", 0)), y + float(mark.get("y2", 0))
        # letters have a rim, which covers what the axes draw
        weight = 0.2 if "role-axis-grid" in groups else 10.0 if "role-mark" in groups else 0.0
        if weight and (x, y) != (x2, y2):
            yield min(x, x2) - 1, min(y, y2) - 1, max(x, x2) + 1, max(y, y2) + 1, weight
        return
    numbers = _numbers(mark.get("d", ""))
    if not numbers:
        return
    if "mark-line role-mark" in groups:
        points = np.array(numbers).reshape(-1, 2) + np.array([x, y])
        for start, end in itertools.pairwise(points):
            for at in np.linspace(start, end, 1 + int(np.hypot(*(end - start)) // 4)):
                yield at[0] - 1, at[1] - 1, at[0] + 1, at[1] + 1, 10.0
    elif "mark-symbol role-mark" in groups or (
        # a bar is no obstacle, the hollow one of a range is
        "mark-rect role-mark" in groups and mark.get("fill") == "transparent" and mark.get("stroke")
    ):
        (left, top), (right, bottom) = _ends(mark.get("d", ""), numbers)
        yield x + left - 1, y + top - 1, x + right + 1, y + bottom + 1, 0.4


def _ends(path: str, numbers: list[float]) -> np.ndarray:
    """The least and the greatest places of a path, by the few forms that Vega writes."""
    if "A" in path:  # a circle of arcs: M4,0A4,4,0,1,1,-4,0…
        return np.array([[-numbers[0]] * 2, [numbers[0]] * 2])
    points = np.array(numbers[:4] if "h" in path else numbers).reshape(-1, 2)
    if "h" in path:  # a box: M0,0h9v9h-9Z
        points[1] += points[0]
    return np.array([points.min(axis=0), points.max(axis=0)])


def _numbers(text: str) -> list[float]:
    return [float(number) for number in _NUMBER.findall(text)]
