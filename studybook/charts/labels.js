/* Moves the labels of a drawing to where they touch nothing.
 *
 * Vega says how large a text is before the browser has set it, and a drawing says where its lines
 * run: only where both are seen can a label keep off them. It is for charts that are
 * drawn live; labels.py does the same to drawings that stand in a page or a file, by the same steps
 * and weights; it cuts no words, and keeps labels above the axis of their panel. */
window.studySettle = (() => {
  "use strict";

  const WIDEST = 0.5; // of a chart: longer words are cut
  const GAP = 1; // pixels that stay free around a label
  const LINES = ".mark-line path, .mark-rule line, .mark-symbol path, .mark-rect path, .mark-area path";

  const overlap = (one, other) =>
    Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
    Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

  /* Where a mark is, as boxes: of a line those of its pieces, of an area and of bars none. */
  function boxes(mark) {
    const box = mark.getBoundingClientRect();
    const kind = mark.closest("[class*='mark-']").classList[0];
    if (mark.closest(".role-legend") || (!box.width && !box.height)) return [];
    if (kind === "mark-area" || (kind === "mark-rect" && !mark.getAttribute("stroke"))) return [];
    if (kind === "mark-rect" && mark.getAttribute("fill") !== "transparent") return [];
    // a rule that stands has no width of its own
    const around = { left: box.left - 1, right: box.right + 1, top: box.top - 1, bottom: box.bottom + 1 };
    // letters have a rim, which covers what the axes draw: a label stays beside its mark for that
    if (mark.closest(".role-axis-grid")) return [{ ...around, weight: 0.2 }];
    // a line through letters is worse than a dot behind them
    if (kind !== "mark-line") return [{ ...around, weight: kind === "mark-rule" ? 10 : 0.4 }];
    const matrix = mark.getScreenCTM();
    const long = mark.getTotalLength();
    const pieces = [];
    for (let at = 0; at <= long; at += 4) {
      const { x, y } = mark.getPointAtLength(at).matrixTransform(matrix);
      pieces.push({ left: x - 1, right: x + 1, top: y - 1, bottom: y + 1, weight: 10 });
    }
    return pieces;
  }

  /* Steps away from where a label is wanted, the least first. */
  const STEPS = [];
  for (const across of [0, -10, 10, -20, 20, -36, 36, -54, 54, -78, 78, -110, 110, -150, 150]) {
    for (let down = -60; down <= 60; down += 3) STEPS.push([across, down]);
  }
  STEPS.sort((one, other) => Math.hypot(...one) - Math.hypot(...other));

  /* Move each label that touches another, a line or a mark to the nearest place that is free. */
  function settle(svg) {
    const frame = svg.getBoundingClientRect();
    const scale = frame.width / Number(svg.getAttribute("width")) || 1;
    const labels = new Map(); // a text and the rim below it are one label
    const taken = [];
    for (const text of svg.querySelectorAll("text")) {
      let box = text.getBoundingClientRect();
      if (!box.width || !text.textContent.trim()) continue;
      if (text.closest(".mark-text.role-mark") && box.width > WIDEST * frame.width) {
        // words that no place has room for are whole in the tooltip and in the data table
        const letters = Math.floor((text.textContent.length * WIDEST * frame.width) / box.width);
        text.textContent = `${text.textContent.slice(0, letters - 2).trimEnd()} …`;
        box = text.getBoundingClientRect();
      }
      if (!text.closest(".mark-text.role-mark")) {
        taken.push(box);
        continue;
      }
      const name = `${text.textContent} ${Math.round(box.left)} ${Math.round(box.top)}`;
      if (!labels.has(name)) labels.set(name, { box, texts: [] });
      labels.get(name).texts.push(text);
    }
    if (!labels.size) return;
    const still = [...svg.querySelectorAll(LINES)].flatMap(boxes);
    const weighed = (box) => {
      const inside = { left: box.left + GAP, right: box.right - GAP, top: box.top + 2, bottom: box.bottom - 2 };
      let sum = 0;
      for (const other of taken) sum += 4 * overlap(inside, other);
      for (const other of still) sum += other.weight * overlap(inside, other);
      const out = Math.max(0, frame.left - box.left) + Math.max(0, box.right - frame.right) +
        Math.max(0, frame.top - box.top) + Math.max(0, box.bottom - frame.bottom);
      return sum + 1000 * out;
    };
    for (const { box, texts } of labels.values()) {
      let best = [0, 0];
      let least = weighed(box);
      for (const [x, y] of least > 0 ? STEPS : []) {
        const moved = { left: box.left + x, right: box.right + x, top: box.top + y, bottom: box.bottom + y };
        const far = Math.hypot(x, y);
        if (far >= least) break; // what is further away is no better place
        const weight = weighed(moved) + far;
        if (weight < least) [best, least] = [[x, y], weight];
      }
      const [x, y] = best;
      taken.push({ left: box.left + x, right: box.right + x, top: box.top + y, bottom: box.bottom + y });
      if (!x && !y) continue;
      for (const text of texts) {
        const at = text.getAttribute("transform") ?? "";
        text.setAttribute("transform", `translate(${x / scale},${y / scale}) ${at}`);
      }
    }
  }

  return settle;
})();
