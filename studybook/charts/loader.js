/* Draws the charts of a page anew, as interactive ones, at the width of their column.
 *
 * Each figure.study-chart holds a static drawing and its specification. Where anything
 * fails, the static drawing stays. Colours of text, axes and grid are CSS variables
 * (see study-chart.css), so a chart follows the theme of the page without being redrawn. */
(() => {
  "use strict";

  const NARROW = 520; // pixels; below it, charts side by side go one below the other
  const WAIT = 150; // milliseconds without a change of width before drawing again
  const ROUNDS = 5; // drawings at most until one has the width of its column
  const LONGEST = 104; // pixels; of names on the axes, and of words in the plots, of a phone
  const ROOM = 16; // letters of such a name
  const LETTERS = 32; // of a line of a title there
  const NEAR = 6; // pixels; how far a drawing may be from it
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
    if (spec.vconcat) spec.vconcat = spec.vconcat.flatMap((row) => row.hconcat ?? [row]);
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

  /* A text as lines of so many letters at most. */
  function broken(text) {
    const lines = [""];
    for (const word of text.split(" ")) {
      if (lines.at(-1) && lines.at(-1).length + word.length > LETTERS) lines.push(word);
      else lines.push(`${lines.pop()} ${word}`.trim());
    }
    return lines;
  }

  /* What parts a name into lines, in the expression that axes.names writes. */
  const separator = (axis) => JSON.parse(/^split\(.*, (".*")\)$/s.exec(axis?.labelExpr ?? "")?.[1] ?? '""');

  /* Names of which only the beginning has room, and that begin alike: their ends stand below, of names
   * of two lines behind the beginning of each; a number tells apart what is alike even so. */
  function bothEnds(y, rows) {
    const split = separator(y.axis);
    const lines = (name) => (split ? name.split(split) : [name]);
    const cut = (name) => lines(name).map((line) => (line.length > ROOM ? line.slice(0, ROOM - 3) : line));
    const names = [...new Set(rows.map((row) => row[y.field]))].filter((name) => typeof name === "string");
    const long = names.filter((name) => lines(name).some((line) => line.length > ROOM));
    if (new Set(long.map((name) => cut(name).join("\n"))).size === long.length) return;
    const inOne = (line) => (line.length > ROOM ? `${line.slice(0, 5)}…${line.slice(9 - ROOM)}` : line);
    const ends = (name) => [name.slice(0, ROOM - 2), `…${name.slice(3 - ROOM)}`];
    const seen = new Set();
    let number = 1;
    const shown = long.map((name) => {
      const both = lines(name).length > 1 ? lines(name).map(inOne) : ends(name);
      if (!seen.has(both.join("\n"))) return seen.add(both.join("\n")) && both;
      number += 1;
      return [`(${number}) ${both[0]}`, ...both.slice(1)];
    });
    const place = `indexof(${JSON.stringify(long)}, datum.value)`;
    const other = split ? `split(datum.label, ${JSON.stringify(split)})` : "datum.label";
    y.axis = { ...y.axis, labelExpr: `${place} < 0 ? ${other} : ${JSON.stringify(shown)}[${place}]` };
  }

  /* On a phone, names on axes take no more than a third of the width, and titles no more than a plot. */
  function shorten(spec, rows) {
    for (const part of [spec, ...inner(spec)]) {
      const y = part.encoding?.y;
      const discrete = ["nominal", "ordinal"].includes(y?.type) && y.axis !== null;
      const own = !y?.axis?.labelExpr || y.axis.labelLimit || separator(y.axis);
      // once: a part is looked at again with its own parts
      if (part === spec && discrete && own) bothEnds(y, rows);
      const axis = y?.axis;
      if (axis?.labelLimit) axis.labelLimit = Math.min(axis.labelLimit, LONGEST);
      const legend = part.encoding?.color?.legend;
      if (legend?.labelExpr) legend.columns = 1; // of long names
      for (const named of [part.encoding?.x, part.encoding?.x?.axis, part !== spec && part]) {
        if (typeof named?.title === "string") named.title = broken(named.title);
      }
      if (typeof part.title?.text === "string") part.title.text = broken(part.title.text);
      if (part !== spec) shorten(part, rows);
    }
  }

  function fitted(spec, width) {
    const copy = structuredClone(spec);
    if (width < NARROW) {
      copy.config.legend = { ...copy.config.legend, columns: 2 };
      copy.config.axis = { ...copy.config.axis, labelLimit: LONGEST };
      copy.config.text = { ...copy.config.text, limit: LONGEST }; // else words leave no room to what they name
      stacked(copy);
      shorten(copy, [...Object.values(copy.datasets ?? {}).flat(), ...(copy.data?.values ?? [])]);
    }
    return copy;
  }

  /* The widths of the plots of a chart, as signals of Vega with their values: none of plots whose
   * width is a number of steps, and none that the chart itself has as a parameter. */
  function plots(vega, spec) {
    const own = JSON.stringify(spec);
    const signals = [{ name: "width", value: vega.width }, ...(vega.signals ?? [])];
    return signals.filter(
      ({ name, value }) =>
        /width$/i.test(name) && typeof value === "number" && !own.includes(`"name":"${name}"`),
    );
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
      tooltip: (_handler, event, item, value) => hint(spec, event, item, value),
    });
    return { box, result, svg: box.querySelector("svg") };
  }

  /* Axes and legends take a width that only a drawing tells: draw, measure, give what is missing
   * to the plots, until the drawing has the width of its column. */
  async function draw(spec, width) {
    const chart = await embed(fitted(spec, width));
    const { view, vgSpec } = chart.result;
    const own = plots(vgSpec, spec);
    const given = async (scale) => {
      for (const { name, value } of own) view.signal(name, Math.max(40, Math.floor(value * scale)));
      await view.resize().runAsync();
      return { scale, took: Number(chart.svg.getAttribute("width")) };
    };
    const far = ({ took }) => (took > width ? took - width : Math.max(0, width - NEAR - took));
    let last = { scale: 1, took: Number(chart.svg.getAttribute("width")) };
    let best = last;
    let gain = last.took; // pixels that the drawing takes more of plots twice as wide: at most all
    for (let round = 0; own.length && far(last) && round < ROUNDS; round++) {
      const next = await given(last.scale + (width - NEAR / 2 - last.took) / gain);
      const gained = (next.took - last.took) / (next.scale - last.scale);
      // words may be wider than the plots below them: then these can grow, and nothing is gained
      if (gained > last.took / 10) gain = gained;
      last = next;
      if (far(last) < far(best)) best = last;
    }
    if (best !== last) await given(best.scale);
    // one name for the whole drawing, as the static one has
    chart.svg.setAttribute("role", "img");
    chart.svg.setAttribute("aria-label", spec.description);
    return chart;
  }

  /* ---- what stands at a mark that is pointed at ------------------------------------------ */

  /* Columns that say where something is drawn, or that have a line of their own. */
  const UNSAID = new Set(
    ("origin run part metric value low high n label label_at given_as claim against name name_at " +
      "place guide said at end number quantity panel text agrees_from agrees_to tolerances").split(" "),
  );
  const OF_DOCUMENT = ["published", "our reading"];

  /* A number for a reader: four digits, thousands separated. */
  const digits = (value, sign = false) =>
    value.toLocaleString("en-US", {
      maximumSignificantDigits: 4,
      signDisplay: sign ? "exceptZero" : "auto",
    }).replace("-", "\u2212");

  function said(value, unit, row) {
    if (row.part === "residual") return `${digits(100 * value, true)} %`;
    const difference = row.part === "difference";
    const byLabel = unit !== "%" && /%$/.test(row.label ?? "");
    const share = difference && (row.given_as === "share" || byLabel);
    return share ? `${digits(100 * value, true)} %` : `${digits(value, difference)}${unit ? ` ${unit}` : ""}`;
  }

  const filled = (value) => value !== null && value !== undefined && value !== "";

  /* Lines of a name and a text: those of the row itself, whatever the mark is drawn at. */
  function facts(meta, row, shown) {
    const lines = [];
    const known = meta.metrics?.[row.metric] ?? {};
    for (const column of meta.columns ?? []) {
      const value = row[column];
      const place = column === "n" && meta.titles?.n; // else it is how many runs there are
      if ((UNSAID.has(column) && !place) || !filled(value) || value === false) continue;
      // a number that no axis shows, and long words, are for the data table or the download
      if (typeof value === "number" ? !meta.titles?.[column] : String(value).length > 60) continue;
      const text = typeof value === "number" && !Number.isInteger(value) ? digits(value) : String(value);
      lines.push([meta.titles?.[column] ?? column.replaceAll("_", " "), text]);
    }
    const axis = Object.entries(shown ?? {}).find(
      ([, text]) => Number(String(text).replaceAll(",", "").replace("\u2212", "-")) === row.value,
    );
    const residual = row.part === "residual"; // a share of what a law says
    const title = (residual ? "Less the law, as a share of it" : known.label) ?? meta.titles?.value ?? axis?.[0] ?? "value";
    const unit = residual ? "" : known.unit ?? (/\(([^()]*)\)/.exec(title)?.[1] || "");
    const name = title.replace(/ \([^()]*\)/, "") + (row.against ? `: difference from ${row.against}` : "");
    if (typeof row.value === "number") lines.push([name, said(row.value, unit, row)]);
    else if (filled(row.label) && (row.metric || !OF_DOCUMENT.includes(row.origin))) lines.push([name, row.label]);
    if (typeof row.low === "number" && typeof row.high === "number") {
      lines.push([OF_DOCUMENT.includes(row.origin) ? "range" : "interval", `${said(row.low, unit, row)} to ${said(row.high, unit, row)}`]);
    }
    if (typeof row.value !== "number" && !lines.length) {
      for (const [key, value] of Object.entries(shown ?? {})) {
        if (String(value) !== "null") lines.push([key, String(value)]);
      }
    }
    if ((row.claim || OF_DOCUMENT.includes(row.origin)) && filled(row.label)) lines.push(["in the document", row.label]);
    const runs = row.run && row.run !== "–" ? String(row.run).split(" ") : [];
    if (typeof row.n === "number" && !meta.titles?.n) lines.push(["n", digits(row.n)]);
    else if (runs.length > 1) lines.push(["n", `${runs.length} runs`]);
    if (runs.length) {
      const more = runs.length > 3 ? `, and ${runs.length - 2} more` : "";
      lines.push([runs.length > 1 ? "runs" : "run", runs.slice(0, more ? 2 : 3).join(", ") + more]);
    }
    if (row.origin) lines.push(["origin", row.origin]);
    return lines;
  }

  /* The mark itself; of a line, which is one mark, the point of it that is nearest. */
  function pointed(event, item) {
    const all = item.mark?.items ?? [];
    if (!["line", "area"].includes(item.mark?.marktype) || !all.length) return item.datum;
    const path = event.target?.getScreenCTM?.();
    if (!path) return item.datum;
    const x = (event.clientX - path.e) / path.a;
    return all.reduce((best, each) => (Math.abs(each.x - x) < Math.abs(best.x - x) ? each : best)).datum;
  }

  /* A mark of a document is hollow: what was measured there shows through it, and comes first. */
  function below(event) {
    return document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((element) => element.__data__)
      .filter((item) => item?.mark?.marktype === "symbol" && item.datum?.origin)
      .find((item) => !OF_DOCUMENT.includes(item.datum.origin));
  }

  /* A number of a document that has no words, or a range, or a bound. */
  function ends(low, high) {
    if (low === high) return digits(low);
    if (!filled(low) || !filled(high)) return filled(low) ? `≥ ${digits(low)}` : `≤ ${digits(high)}`;
    return `${digits(low)} to ${digits(high)}`;
  }

  function told(meta, event, row, value) {
    const own = OF_DOCUMENT.includes(row.origin) ? below(event) : null;
    if (!own) return facts(meta, row, value);
    const said = row.label || ends(row.value ?? row.low, row.value ?? row.high);
    return [...facts(meta, own.datum, own.tooltip), ["in the document", said]];
  }

  function hint(spec, event, item, value) {
    let box = document.getElementById("vg-tooltip-element");
    if (!box) {
      box = document.createElement("div");
      box.id = "vg-tooltip-element";
      box.className = "study-theme";
      document.body.append(box);
    }
    const row = filled(value) && item?.datum ? pointed(event, item) : null;
    box.hidden = !row;
    if (!row) return;
    const table = document.createElement("table");
    for (const [name, text] of told(spec.usermeta ?? {}, event, row, value)) {
      const line = table.insertRow();
      for (const [kind, part] of [["key", name], ["value", text]]) {
        const cell = line.insertCell();
        cell.className = kind;
        cell.textContent = part;
      }
    }
    box.replaceChildren(table);
    const { width, height } = box.getBoundingClientRect();
    const right = event.clientX + 14 + width > innerWidth;
    const below = event.clientY + 14 + height > innerHeight;
    box.style.left = `${Math.max(4, event.clientX + (right ? -14 - width : 14))}px`;
    box.style.top = `${Math.max(4, event.clientY + (below ? -14 - height : 14))}px`;
  }

  /* ---- legends: what is pointed at, or chosen, stands out ------------------------------------ */

  function legends(svg) {
    const colour = (mark) => [mark.getAttribute("stroke"), mark.getAttribute("fill")];
    const entries = [...svg.querySelectorAll(".role-legend .mark-symbol path")];
    const all = new Set(entries.flatMap(colour).filter((each) => each?.startsWith("#")));
    if (entries.length < 2) return;
    let chosen = null;
    const show = (own) => {
      for (const mark of svg.querySelectorAll(".role-mark path, .role-mark line")) {
        const its = colour(mark).find((each) => all.has(each));
        mark.style.opacity = own && its && its !== own ? 0.12 : "";
      }
    };
    entries.forEach((entry) => {
      const own = colour(entry).find((each) => all.has(each));
      const name = entry.closest(".mark-symbol").parentNode; // with its label
      for (const part of name.querySelectorAll("path, text")) {
        part.style.cursor = "pointer";
        part.style.pointerEvents = "all"; // Vega takes legends out of reach
      }
      name.addEventListener("pointerenter", () => show(own));
      name.addEventListener("pointerleave", () => show(chosen));
      name.addEventListener("click", () => show((chosen = chosen === own ? null : own)));
    });
  }

  /* One chart after the other, the nearest first: of several at once none would be soon there. */
  const waiting = new Map();
  let drawing = false;

  async function inTurn(view, task) {
    waiting.set(view, task);
    if (drawing) return;
    drawing = true;
    while (waiting.size) {
      const far = (each) => Math.abs(each.getBoundingClientRect().top);
      const [next] = [...waiting.keys()].sort((one, other) => far(one) - far(other));
      const its = waiting.get(next);
      waiting.delete(next);
      await its();
      await new Promise((resolve) => setTimeout(resolve)); // what is drawn is shown meanwhile
    }
    drawing = false;
  }

  /* A chart of many panels has two views, the second within a fold: it is drawn when that opens. */
  function start(figure, view) {
    const sent = (of) => JSON.parse(of.nextElementSibling.textContent);
    const above = figure.querySelector(".study-chart-view");
    const first = view === above;
    const spec = first ? sent(view) : { datasets: sent(above).datasets, ...sent(view) };
    let shown = null;
    let at = 0;
    let timer;

    async function redraw() {
      const width = Math.floor(view.clientWidth);
      if (width === 0 || width === at) return; // hidden, or drawn at this width already
      at = width;
      try {
        const chart = await draw(spec, width);
        view.replaceChildren(chart.box);
        studySettle(chart.svg);
        legends(chart.svg);
        // what a reader asks of a chart draws its marks anew
        const settled = () => chart.result.view.runAsync().then(() => studySettle(chart.svg));
        for (const asked of ["input", "change"]) chart.box.addEventListener(asked, settled);
        shown?.result.finalize();
        shown = chart;
        view.dataset.drawn = width;
        if (first) figure.dataset.rendered = "true";
      } catch {
        if (!shown && first) figure.dataset.rendered = "failed";
      }
    }

    new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(inTurn, at ? WAIT : 0, view, redraw);
    }).observe(view);
  }

  /* Paper unfolds nothing: what a chart has in its fold is printed, too. */
  function unfold(printing) {
    for (const fold of document.querySelectorAll(".study-chart-more")) {
      if (printing && !fold.open) fold.dataset.printed = "";
      if ("printed" in fold.dataset) fold.open = printing;
      if (!printing) delete fold.dataset.printed;
    }
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
  addEventListener("beforeprint", () => [forPaper, unfold].forEach((ready) => ready(true)));
  addEventListener("afterprint", () => [forPaper, unfold].forEach((ready) => ready(false)));
  matchMedia("print").addEventListener("change", (media) => forPaper(media.matches));

  /* The first chart need not wait for the end of a long page: what has something behind it is whole.
   * In a notebook the loader comes with each output, and finds the charts of the others started. */
  function startAll() {
    for (const figure of document.querySelectorAll("figure.study-chart:not([data-started])")) {
      if (document.readyState === "loading" && !figure.nextSibling) continue;
      figure.dataset.started = "";
      try {
        for (const view of figure.querySelectorAll(".study-chart-view")) start(figure, view);
      } catch {
        figure.dataset.rendered = "failed";
      }
    }
  }
  startAll();
  addEventListener("DOMContentLoaded", startAll);
  if (HOME) addEventListener("study-charts", startAll); // a page may add one, and says so
})();
