/* Draws the charts of a page anew, as interactive ones, at the width of their column.
 *
 * Each figure.study-chart holds a static drawing and its specification. Where anything
 * fails, the static drawing stays. Colours of text, axes and grid are CSS variables
 * (see study-chart.css), so a chart follows the theme of the page without being redrawn. */
(() => {
  "use strict";

  const NARROW = 520; // pixels; below it, charts side by side go one below the other
  const WAIT = 150; // milliseconds without a change of width before drawing again
  const TRIAL = 240; // pixels; the width of a drawing that is only measured
  const HOME = document.currentScript?.src; // none within the output of a notebook

  /* Vega is large: a page without charts does not load it. When it has run, it stands in the
   * place of the promise, with all that was promised. */
  const loadVega = () => (window.studyVega ??= HOME ? fetched() : unpacked());

  function fetched() {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL("vega-bundle.js", HOME);
      script.onload = () => resolve(window.studyVega);
      script.onerror = () => reject(new Error("vega-bundle.js did not load"));
      document.head.append(script);
    });
  }

  /* In a notebook, one output carries Vega for the charts of all: perhaps one that is shown after
   * the first chart, and says so then. */
  // Its text is all there when the next script is: of a page that comes slowly, not before.
  const carried = () => document.querySelector("script.study-vega:has(+ script)");

  async function unpacked() {
    while (!carried()) {
      await new Promise((resolve) => addEventListener("study-vega", resolve, { once: true }));
    }
    const bytes = Uint8Array.from(atob(carried().textContent), (letter) => letter.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const script = document.createElement("script");
    script.textContent = await new Response(plain).text();
    document.head.append(script);
    return window.studyVega;
  }

  if (carried()) dispatchEvent(new Event("study-vega"));

  /* One column instead of several, for facets and for charts side by side. */
  function stacked(spec) {
    if (spec.hconcat) {
      spec.vconcat = spec.hconcat;
      delete spec.hconcat;
    }
    if (spec.concat || spec.facet?.field) spec.columns = 1;
    for (const parts of [spec.facet, spec.encoding]) {
      if (!parts) continue;
      if (parts.facet) parts.facet.columns = 1;
      if (parts.column && !parts.row) {
        parts.row = parts.column;
        delete parts.column;
      }
    }
    // a row names itself above its chart: beside it there is no room
    for (const row of [spec.facet?.row, spec.encoding?.row]) {
      if (row) row.header = { ...row.header, labelOrient: "top", labelAngle: 0, labelAnchor: "start" };
    }
  }

  const inner = (spec) => spec.vconcat ?? spec.concat ?? spec.layer ?? (spec.spec ? [spec.spec] : []);

  /* Give every chart within a compound one the same width. */
  function widen(spec, width) {
    if (spec.mark || spec.layer) spec.width = width;
    else inner(spec).forEach((part) => widen(part, width));
  }

  const isSingle = (spec) =>
    (spec.mark || spec.layer) &&
    !["facet", "row", "column"].some((channel) => spec.encoding?.[channel]);

  function fitted(spec, width) {
    const copy = structuredClone(spec);
    if (width < NARROW) copy.config.legend = { ...copy.config.legend, columns: 2 };
    if (isSingle(copy)) {
      copy.width = width;
      copy.autosize = { type: "fit-x", contains: "padding" };
    } else if (width < NARROW) {
      stacked(copy);
    }
    return copy; // several charts on a wide screen keep their size; CSS scales them down
  }

  async function embed(spec) {
    const { vegaEmbed } = await loadVega();
    const box = document.createElement("div");
    const result = await vegaEmbed(box, spec, {
      mode: "vega-lite",
      renderer: "svg",
      actions: false,
      defaultStyle: false,
      logLevel: 0, // no messages at all
      tooltip: { theme: "study" },
    });
    return { box, result, svg: box.querySelector("svg") };
  }

  async function draw(spec, width) {
    const drawn = fitted(spec, width);
    const several = !isSingle(spec) && width < NARROW;
    if (several) widen(drawn, TRIAL);
    let chart = await embed(drawn);
    if (several) {
      // axes and legends take a width that only a drawing tells: draw, measure, draw again
      const around = Number(chart.svg.getAttribute("width")) - TRIAL;
      widen(drawn, Math.max(TRIAL / 2, Math.floor(width - around)));
      chart.result.finalize();
      chart = await embed(drawn);
    }
    // one name for the whole drawing, as the static one has
    chart.svg.setAttribute("role", "img");
    chart.svg.setAttribute("aria-label", spec.description);
    return chart;
  }

  function start(figure) {
    const view = figure.querySelector(".study-chart-view");
    const spec = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
    let shown = null;
    let at = 0;
    let timer;

    async function redraw() {
      const width = Math.floor(view.clientWidth);
      if (width === 0 || width === at) return; // hidden, or drawn at this width already
      at = width;
      try {
        const chart = await draw(spec, width);
        if (at !== width) return chart.result.finalize(); // a newer drawing is under way
        view.replaceChildren(chart.box);
        shown?.result.finalize();
        shown = chart;
        figure.dataset.rendered = "true";
      } catch {
        if (!shown) figure.dataset.rendered = "failed";
      }
    }

    new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(redraw, at ? WAIT : 0);
    }).observe(view);
  }

  /* Paper is white: a dark page prints in the light theme, code and tables included. */
  const page = document.documentElement;
  let themeOnScreen = null;
  function forPaper(printing) {
    if (printing && page.dataset.theme === "dark") {
      themeOnScreen = "dark";
      page.dataset.theme = "light";
    } else if (!printing && themeOnScreen) {
      page.dataset.theme = themeOnScreen;
      themeOnScreen = null;
    }
  }
  addEventListener("beforeprint", () => forPaper(true));
  addEventListener("afterprint", () => forPaper(false));
  matchMedia("print").addEventListener("change", (media) => forPaper(media.matches));

  /* In a notebook the loader comes with each output, and finds the charts of the others started. */
  for (const figure of document.querySelectorAll("figure.study-chart:not([data-started])")) {
    figure.dataset.started = "";
    try {
      start(figure);
    } catch {
      figure.dataset.rendered = "failed";
    }
  }
})();
