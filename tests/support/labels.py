"""What is wrong with the letters of the charts of a page, by their boxes."""

from __future__ import annotations

from tests.support.browser import Visit

#: Boxes of texts have room above and below the letters, which does not count.
_LOOK = """() => [...document.querySelectorAll("figure.study-chart .study-chart-view")]
  .filter(view => view.checkVisibility())
  .flatMap(view => {
    const found = [], svg = view.querySelector("svg");
    const scale = svg.getBoundingClientRect().width / Number(svg.getAttribute("width"));
    const frame = svg.getBoundingClientRect();
    const letters = box => ({
      left: box.left + 1, right: box.right - 1,
      top: box.top + 0.18 * box.height, bottom: box.bottom - 0.18 * box.height,
    });
    const meet = (one, other) =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    const texts = new Map(); // a text and its rim are one, and so are equal words at one place
    for (const text of svg.querySelectorAll("text")) {
      const box = text.getBoundingClientRect();
      if (!box.width || !text.textContent.trim()) continue;
      if (text.getAttribute("opacity") === "0") continue; // a number that has no room on its axis
      const name = `${text.textContent} ${Math.round(box.left)} ${Math.round(box.top)}`;
      texts.set(name, { text, said: text.textContent, box: letters(box), whole: box });
    }
    const all = [...texts.values()];
    for (const { text, said, whole } of all) {
      const size = parseFloat(getComputedStyle(text).fontSize) * scale;
      if (size < 10.9) found.push(`${said}: ${size.toFixed(1)} px`);
      if (/rotate\\((?!0[,)])/.test(text.getAttribute("transform"))) found.push(`${said}: turned`);
      if (whole.left < frame.left - 1 || whole.right > frame.right + 1) found.push(`${said}: cut`);
    }
    all.forEach((one, place) => all.slice(place + 1).forEach(other => {
      if (meet(one.box, other.box)) found.push(`${one.said} touches ${other.said}`);
    }));
    const lines = [];
    const drawn = ".role-mark.mark-line path, .role-mark.mark-rule line";
    for (const mark of svg.querySelectorAll(drawn)) {
      const matrix = mark.getScreenCTM(), long = mark.getTotalLength();
      for (let at = 0; at <= long; at += 4) {
        lines.push(mark.getPointAtLength(at).matrixTransform(matrix));
      }
    }
    for (const { text, said, box } of all) {
      if (!text.closest(".mark-text.role-mark")) continue;
      const within = ({ x, y }) =>
        x > box.left && x < box.right && y > box.top && y < box.bottom;
      if (lines.some(within)) found.push(`${said} lies on a line`);
    }
    return found;
  })"""


def complaints(seen: Visit) -> list[str]:
    """Say which letters are small, turned, cut, or touch each other or a line.

    Parameters
    ----------
    seen : Visit
        A page whose charts are drawn.
    """
    found: list[str] = seen.page.evaluate(_LOOK)
    return found
