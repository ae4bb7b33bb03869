/* Asks the data of a book in SQL: DuckDB answers in a worker, once a reader has asked something.
 *
 * Only texts cross: DuckDB writes its answer as CSV, which a table, a chart and a download are
 * made of. Queries can change nothing: each is one statement, and a part of another. */
(() => {
  "use strict";

  const MOST = 100_000; // rows of an answer
  const DRAWN = 2_000; // of these, those that a chart takes
  const SHOWN = 200; // and a table
  const NAMES = 40; // on the axis of a chart
  const SERIES = 8; // that colours tell apart
  const NOTHING = "\u2400"; // stands for NULL in CSV
  const ANSWER = "answer.csv"; // the only file that DuckDB may write, in its memory

  const HERE = document.currentScript.src;
  const box = document.querySelector(".study-explore");
  const said = JSON.parse(box.querySelector("script").textContent);
  const field = box.querySelector("textarea");
  const [go, stop, state, fault, place] = ["go", "stop", "state", "fault", "answer"].map((name) =>
    box.querySelector(`.study-${name}`),
  );

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const counted = (number, thing) => `${number.toLocaleString("en-US")} ${thing}${number === 1 ? "" : "s"}`;

  /* ---- DuckDB ------------------------------------------------------------------------------ */

  /* The bytes of a packed file; of a server that unpacks it on the way, too. */
  async function bytes(name) {
    const answer = await fetch(new URL(said.files[name], document.baseURI));
    if (!answer.ok) throw new Error(`${name} is not beside this page (${answer.status}).`);
    const [peeked, whole] = answer.body.tee();
    const start = peeked.getReader();
    const { value } = await start.read();
    start.cancel();
    const packed = value?.[0] === 0x1f && value[1] === 0x8b;
    const plain = packed ? whole.pipeThrough(new DecompressionStream("gzip")) : whole;
    let come = 0;
    const told = new TransformStream({
      transform(chunk, out) {
        come += chunk.length;
        if (name.includes("wasm")) state.textContent = `Loading DuckDB: ${Math.round((100 * come) / said.bytes)} %`;
        out.enqueue(chunk);
      },
    });
    return new Response(plain.pipeThrough(told)).arrayBuffer();
  }

  let files; // promised once
  let running; // a promise of what asks DuckDB; none before the first question, or after a stop
  let halt = () => {};

  async function start() {
    files ??= Promise.all([bytes("duckdb.wasm.gz"), bytes("data.duckdb.gz")]);
    const [module, data] = await files.catch((error) => {
      files = undefined;
      throw error;
    });
    const worker = new Worker(new URL(said.files["worker.js"], document.baseURI));
    const waiting = new Map();
    const end = (error) => {
      worker.terminate();
      running = undefined;
      for (const { reject } of waiting.values()) reject(error);
    };
    halt = () => end(new Error("Stopped."));
    worker.onerror = (event) => end(new Error(event.message || "The worker of DuckDB could not start."));
    worker.onmessage = ({ data: { requestId, type, data: content } }) => {
      const one = type === "INSTANTIATE_PROGRESS" || type === "LOG" ? null : waiting.get(requestId);
      if (!one) return;
      waiting.delete(requestId);
      if (type === "ERROR") one.reject(new Error(content.message));
      else one.resolve(content);
    };
    let number = 0;
    const tell = (type, content) =>
      new Promise((resolve, reject) => {
        waiting.set(++number, { resolve, reject });
        worker.postMessage({ messageId: number, type, data: content });
      });
    worker.postMessage({ module, worker: new URL(said.files["duckdb-worker.js"], document.baseURI).href });
    await tell("INSTANTIATE", [new URL("duckdb.wasm", HERE).href, null]);
    await tell("REGISTER_FILE_BUFFER", ["data.duckdb", new Uint8Array(data)]);
    await tell("OPEN", { path: "data.duckdb", accessMode: 2 }); // to read only
    const connection = await tell("CONNECT");
    const run = (query) => tell("RUN_QUERY", [connection, query]);
    for (const setting of [
      "autoinstall_known_extensions = false",
      "autoload_known_extensions = false",
      `allowed_paths = ['${ANSWER}']`,
      "enable_external_access = false",
      "lock_configuration = true",
    ]) await run(`SET ${setting}`);
    let last = Promise.resolve(); // one answer is written after the other: they share a file
    const csv = (query, options = "") => (last = last.catch(() => {}).then(() => written(query, options)));
    const written = async (query, options) => {
      await run(`COPY (${query}) TO '${ANSWER}' (HEADER${options})`);
      const content = await tell("COPY_FILE_TO_BUFFER", ANSWER);
      await tell("DROP_FILE", ANSWER);
      return new TextDecoder().decode(content);
    };
    /* Runs what is one statement, and refuses more than one. */
    const one = async (query) => {
      await tell("CLOSE_PREPARED", [connection, await tell("CREATE_PREPARED", [connection, query])]);
      await run(query);
    };
    return { one, csv, end, rows: async (query) => parsed(await csv(query, `, NULLSTR '${NOTHING}'`)) };
  }

  /* CSV as rows of texts, the first with the names of columns; null where there is nothing. */
  function parsed(text) {
    const rows = [];
    let row = [];
    for (const [, quoted, plain, after] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n\r]*))(,|\r?\n|$)/g)) {
      row.push(quoted === undefined ? (plain === NOTHING ? null : plain) : quoted.replaceAll('""', '"'));
      if (after === ",") continue;
      rows.push(row);
      row = [];
      if (!after) break;
    }
    if (text.endsWith("\n")) rows.pop(); // nothing follows the last end of a line
    return rows;
  }

  const KINDS = [
    [/^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DOUBLE|FLOAT|DECIMAL)/, "number"],
    [/^(DATE|TIMESTAMP)/, "time"],
  ];

  /* Asks, and says what came: columns with their kinds, the first rows, and where they are from. */
  async function asked(sql) {
    running ??= start();
    const duck = await running.catch((error) => {
      running = undefined;
      throw error;
    });
    state.textContent = "DuckDB is at work.";
    stop.hidden = false;
    const begun = performance.now();
    try {
      await duck.one(`CREATE OR REPLACE TEMP TABLE answer AS FROM (\n${sql}\n) LIMIT ${MOST + 1}`);
    } catch (error) {
      if (!/^\w[\w ]* Error: /.test(error.message)) duck.end(error); // it broke: the next one starts anew
      else error.message = words(error.message) + (/column/i.test(error.message) ? await columnsOf(duck, sql) : "");
      throw error;
    }
    const seconds = (performance.now() - begun) / 1000;
    const [, ...described] = await duck.rows("SELECT column_name, column_type FROM (DESCRIBE answer)");
    const columns = described.map(([name, type]) => ({
      name,
      kind: KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? "text",
    }));
    const [, [count]] = await duck.rows("SELECT count(*) FROM answer");
    const own = columns.some(({ name }) => name === "origin");
    const of = own ? (await duck.rows("SELECT DISTINCT origin FROM answer WHERE origin IS NOT NULL ORDER BY 1")).slice(1).flat() : origins(sql);
    const [, ...rows] = await duck.rows(`FROM answer LIMIT ${Math.min(DRAWN, MOST)}`);
    const plain = `SELECT *${own || !of.length ? "" : `, '${of.join(", ")}' AS origin`} FROM answer LIMIT ${MOST}`;
    return { columns, rows, count: Number(count), seconds, own, of, csv: () => duck.csv(plain) };
  }

  /* The tables that a query names. */
  function named(sql) {
    const words = sql.toLowerCase().replaceAll('"', "");
    return Object.keys(said.origins).filter((name) => {
      const plain = name.replaceAll('"', "").replace(/[*+?^${}()|[\]\\]/g, "\\$&").replaceAll(".", "\\s*\\.\\s*");
      return new RegExp(`(^|[^\\w.\\s]|[^.\\s]\\s+)(data\\s*\\.\\s*)?(main\\s*\\.\\s*)?${plain}(?!\\w)`).test(words);
    });
  }

  /* Where their rows come from. */
  const origins = (sql) =>
    [...new Set(named(sql).flatMap((name) => said.origins[name]))].filter((each) => !each.includes(",")).sort();

  /* What columns they have, for who has named one that is not there. */
  async function columnsOf(duck, sql) {
    let text = "";
    for (const name of named(sql)) {
      const [, ...columns] = await duck.rows(`SELECT column_name FROM (DESCRIBE ${name})`);
      text += `\n\n${name} has the columns: ${columns.flat().join(", ")}`;
    }
    return text;
  }

  /* ---- the answer as a table ------------------------------------------------------------------ */

  const badge = (origin) =>
    element("span", { className: `origin-${origin.replaceAll(" ", "-")}`, textContent: origin });

  function shown(text, kind) {
    if (text === null) return "\u2013";
    const number = Number(text);
    if (kind !== "number" || text === "" || !Number.isFinite(number)) return text;
    if (Number.isInteger(number) && Math.abs(number) > Number.MAX_SAFE_INTEGER) return text;
    const digits = Number.isInteger(number) ? {} : { maximumSignificantDigits: 6 };
    return number.toLocaleString("en-US", digits).replace("-", "\u2212");
  }

  function table({ columns, rows }, caption) {
    const made = element("table", {}, element("caption", { textContent: caption }));
    const head = made.createTHead().insertRow();
    for (const { name, kind } of columns) {
      head.append(element("th", { scope: "col", className: kind === "number" ? "number" : "", textContent: name }));
    }
    const body = made.createTBody();
    for (const row of rows.slice(0, SHOWN)) {
      const line = body.insertRow();
      row.forEach((text, at) => {
        const { name, kind } = columns[at];
        const cell = line.insertCell();
        if (name === "origin" && text && !text.includes(",")) cell.append(badge(text));
        else cell.textContent = shown(text, kind);
        if (kind === "number") cell.className = "number";
        else if ((text?.length ?? 0) > 60) cell.className = "long";
      });
    }
    const scroll = element("div", { className: "study-scroll", tabIndex: 0 }, made);
    scroll.setAttribute("role", "group");
    scroll.setAttribute("aria-label", "The answer");
    return scroll;
  }

  /* ---- the answer as a chart ------------------------------------------------------------------ */

  const SHAPES = ["circle", "square", "triangle-up", "cross", "triangle-down", "diamond", "triangle-right", "triangle-left"];
  const VALUES = ["value", "low", "high", "n"];
  const IN_UNIT = ["value", "low", "high", "least", "mean", "median", "most"];
  const OF_DOCUMENT = ["published", "our reading"];

  /* Which columns a chart shows, where nobody has chosen: by their kinds and their order. */
  function choice({ columns, rows }, wanted) {
    const at = (name) => columns.findIndex((column) => column.name === name);
    const different = (index) => new Set(rows.map((row) => row[index])).size;
    const of = (kind, ...not) =>
      columns.flatMap((column, index) => (column.kind === kind && !not.includes(index) ? [index] : []));
    const first = (...lists) => lists.flat().find((index) => index >= 0) ?? -1;
    const texts = of("text").filter((index) => different(index) > 1);
    const numbers = of("number");
    // who asks writes first what it is of: names, or the numbers along the axis
    const along = numbers.length > 1 ? numbers.filter((index) => !VALUES.includes(columns[index].name)) : [];
    const places = [...texts, ...along].filter((index) => columns[index].name !== "origin").sort((one, other) => one - other);
    const x = first([at(wanted.x)], of("time"), places, of("text"));
    const y = first([at(wanted.y)], [at("value")].filter((index) => index !== x), of("number", x));
    const told = texts.filter((index) => index !== x && different(index) <= SERIES);
    const origin = told.filter((index) => columns[index].name === "origin");
    const colour = "colour" in wanted ? at(wanted.colour) : first(origin, told);
    return { x, y, colour };
  }

  /* An instant as charts read it: in UTC, whatever clock the reader has. */
  function instant(text) {
    const [day, time = "00:00:00"] = text.replace(/\+00(:00)?$/, "").split(" ");
    return `${day}T${time}Z`;
  }

  function chart(answer, { x, y, colour }, title) {
    const { columns } = answer;
    const key = (index) => `c${index}`;
    const names = [...new Set(answer.rows.map((row) => row[x]))];
    const by = columns[x].kind;
    const kept = by === "text" ? new Set(names.slice(0, NAMES)) : null;
    const rows = answer.rows
      .filter((row) => row[y] !== null && row[x] !== null && (!kept || kept.has(row[x])))
      .map((row) =>
        Object.fromEntries(
          row.map((text, index) => [key(index), text !== null && columns[index].kind === "number" ? Number(text) : text]),
        ),
      );
    const series = colour < 0 ? [] : [...new Set(rows.map((row) => row[key(colour)]))];
    const origin = columns.findIndex(({ name }) => name === "origin");
    const of = (row) => (origin < 0 ? (answer.of.length === 1 ? answer.of[0] : "") : row[key(origin)]);
    const documents = rows.some((row) => OF_DOCUMENT.includes(of(row)));
    // one mark for each place of a series can be joined, or stand as a bar; more are dots
    const single = new Set(rows.map((row) => `${row[key(x)]}\n${row[key(colour)]}`)).size === rows.length;
    const positive = rows.every((row) => row[key(y)] >= 0);
    const origins = [...new Set(rows.map(of))];
    const apart = origins.length < 2 || colour === origin; // a line joins what is of one origin
    const mark = !single || documents ? "point" : by !== "text" ? (apart ? "line" : "point") : positive ? "bar" : "point";
    if (by !== "text") rows.sort((one, other) => (one[key(x)] < other[key(x)] ? -1 : 1));

    // what a document says is drawn last, above the rest
    if (documents) rows.sort((one, other) => OF_DOCUMENT.includes(of(one)) - OF_DOCUMENT.includes(of(other)));
    const is = (names) => names.map((name) => `datum.is === '${name}'`).join(" || ");
    for (const row of rows) row.is = of(row);
    const unit = columns.findIndex(({ name }) => name === "unit");
    const units = unit < 0 || !IN_UNIT.includes(columns[y].name) ? [] : [...new Set(rows.map((row) => row[key(unit)]))];
    const quantity = units.length === 1 && units[0] ? `${columns[y].name} (${units[0]})` : columns[y].name;
    if (by === "time") for (const row of rows) row.instant = instant(row[key(x)]);
    const labels = { field: by === "time" ? "instant" : key(x), type: { text: "nominal", time: "temporal", number: "quantitative" }[by], title: columns[x].name };
    const values = { field: key(y), type: "quantitative", title: quantity };
    // a bar needs zero, a dot does not
    values.scale = { zero: mark === "bar" };
    if (by === "number") labels.scale = { zero: false };
    if (by === "time") labels.scale = { type: "utc" }; // all instants here are
    if (by === "number" && rows.every((row) => Number.isInteger(row[key(x)]))) labels.axis = { tickMinStep: 1 };
    const flat = by === "text"; // names stand at the side, and are never turned
    const encoding = flat
      ? { y: { ...labels, sort: null, title: null, axis: { labelLimit: 220 } }, x: values }
      : { x: labels, y: values };
    if (colour >= 0) {
      let next = 0;
      const longest = Math.max(...series.map((name) => Math.min(24, String(name).length)));
      const range = series.map((name) => said.colours[name] ?? said.hues[next++ % said.hues.length]);
      encoding.color = {
        field: key(colour), type: "nominal", title: columns[colour].name,
        scale: { domain: series, range }, sort: series,
        // no wider than the chart
        legend: series.length > 1 ? { columns: Math.max(1, Math.floor((place.clientWidth - 80) / (8 * longest + 34))) } : null,
      };
      // bars of one name stand side by side
      if (mark === "bar" && rows.length > new Set(rows.map((row) => row[key(x)])).size) {
        encoding.yOffset = { field: key(colour), sort: series };
      }
    }
    encoding.tooltip = columns.map(({ name, kind }, index) => ({
      field: key(index),
      title: name,
      type: kind === "number" ? "quantitative" : "nominal",
      ...(kind === "number" ? { format: ",.6~g" } : {}),
    }));
    const pale = { condition: { test: is(["simulated"]), value: 0.45 }, value: 1 };
    const marks = {
      bar: { mark: { type: "bar" }, encoding: { ...encoding, fillOpacity: pale } },
      line: { mark: { type: "line", point: { size: 60, filled: true } }, encoding: { ...encoding, fillOpacity: pale } },
      point: {
        mark: { type: "point", strokeWidth: 2, filled: true },
        encoding: {
          ...encoding,
          size: { condition: { test: is(OF_DOCUMENT), value: 130 }, value: 60 },
          stroke: encoding.color ?? undefined,
          shape: { condition: { test: is(OF_DOCUMENT), value: "diamond" }, value: "circle" },
          fillOpacity: { condition: [{ test: is(OF_DOCUMENT), value: 0 }, { test: is(["simulated"]), value: 0.45 }], value: 1 },
        },
      },
    }[mark];
    // hues alone tell no series apart
    if (mark !== "bar" && !documents && series.length > 1) {
      const { field, type, title, sort } = encoding.color;
      marks.encoding = { ...marks.encoding, shape: { field, type, title, sort, scale: { domain: series, range: SHAPES } } };
    }
    if (mark === "point" && !encoding.color) marks.encoding.stroke = { value: said.hues[0] };
    const low = columns.findIndex(({ name, kind }) => name === "low" && kind === "number");
    const high = columns.findIndex(({ name, kind }) => name === "high" && kind === "number");
    const ranged = low >= 0 && high >= 0 && low !== y && high !== y;
    const [along, across] = flat ? ["x", "y"] : ["y", "x"];
    const interval = {
      transform: [{ filter: `isValid(datum.${key(low)}) && isValid(datum.${key(high)})` }],
      mark: { type: "rule", strokeWidth: 1.5 },
      encoding: {
        [across]: encoding[across],
        [along]: { ...values, field: key(low) },
        [`${along}2`]: { field: key(high) },
        ...(encoding.yOffset ? { yOffset: encoding.yOffset } : {}),
      },
    };
    const what = `${quantity} by ${columns[x].name}${colour < 0 ? "" : ` and ${columns[colour].name}`}`;
    const spec = {
      $schema: "https://vega.github.io/schema/vega-lite/v6.json",
      config: said.config,
      data: { values: rows },
      description: `${title}${/[.?]$/.test(title) ? "" : "."} ${what}: ${counted(rows.length, "mark")}${origins.join("") ? `, ${origins.filter(Boolean).join(", ")}` : ""}. The table below has the values.`,
      height: flat ? { step: encoding.yOffset ? 14 : 26 } : 280,
      ...(ranged && rows.some((row) => row[key(low)] !== null) ? { layer: [interval, marks] } : marks),
      usermeta: {},
    };
    const cut = names.length > NAMES && flat ? ` The first ${NAMES} of ${names.length} are drawn.` : "";
    const more = answer.count > answer.rows.length ? ` Of ${counted(answer.count, "row")}, the first ${answer.rows.length.toLocaleString("en-US")} are taken.` : "";
    const figure = element(
      "figure",
      { className: "study-chart" },
      element(
        "figcaption",
        {},
        element("div", { className: "study-chart-title", textContent: title }),
        element("p", { className: "study-chart-subtitle", textContent: `${what}.${cut}${more}` }),
      ),
      element("div", { className: "study-chart-view" }),
      element("script", { type: "application/json", textContent: JSON.stringify(spec) }),
    );
    figure.setAttribute("aria-label", title);
    return rows.length ? figure : null;
  }

  /* The chart, and what it shows of the answer: readers can choose other columns. */
  function draw(answer, wanted, title) {
    const chosen = choice(answer, wanted);
    if (answer.rows.length < 2 || chosen.x < 0 || chosen.y < 0) return;
    const area = element("div");
    place.append(area); // it is drawn where it is seen
    const show = () => {
      area.querySelector("figure")?.remove();
      const figure = chosen.x === chosen.y ? null : chart(answer, chosen, title);
      if (!figure) return;
      area.append(figure);
      dispatchEvent(new Event("study-charts"));
    };
    const bar = element("div", { className: "study-filter" });
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "What the chart shows");
    for (const [part, label] of [["x", "Along"], ["y", "Values"], ["colour", "Colour"]]) {
      const select = element("select");
      if (part === "colour") select.append(new Option("none", -1));
      answer.columns.forEach(({ name, kind }, index) => {
        if (part === "y" ? kind === "number" : part === "x" || kind !== "time") select.append(new Option(name, index));
      });
      select.value = chosen[part];
      select.addEventListener("change", () => {
        chosen[part] = Number(select.value);
        show();
      });
      bar.append(element("label", {}, label, select));
    }
    area.append(bar);
    show();
  }

  /* ---- asking ---------------------------------------------------------------------------------- */

  const busy = (is) => {
    if (!is) stop.hidden = true;
    go.disabled = is;
    box.setAttribute("aria-busy", is);
  };

  async function ask() {
    if (go.disabled) return;
    const sql = field.value.trim().replace(/;$/, "").trim();
    if (!sql) return field.focus();
    const known = said.questions.find((each) => each.sql.trim() === field.value.trim());
    // so that a reader can hand the question on
    history.replaceState(null, "", `#sql=${encodeURIComponent(sql)}`);
    busy(true);
    fault.hidden = place.hidden = true;
    place.replaceChildren(); // what it says, and hands out, is of the question before
    state.textContent = running ? "DuckDB is at work." : "Loading DuckDB.";
    try {
      const answer = await asked(sql);
      const most = answer.count > MOST ? `More than ${counted(MOST, "row")}; the rest is left out` : counted(answer.count, "row");
      state.textContent = `${most}, in ${answer.seconds.toPrecision(2)} s.`;
      const first = answer.count > SHOWN ? `The first ${SHOWN} of ${counted(Math.min(answer.count, MOST), "row")}` : counted(answer.count, "row");
      const download = element("button", { type: "button", textContent: "Download as CSV" });
      download.addEventListener("click", async () => {
        const file = URL.createObjectURL(new Blob([await answer.csv()], { type: "text/csv" }));
        element("a", { href: file, download: "answer.csv" }).click();
        setTimeout(() => URL.revokeObjectURL(file), 1000);
      });
      const where = element("p", { className: "study-origins" });
      if (answer.of.length) where.append(answer.own ? "Origin: " : "From tables whose rows are: ");
      answer.of.filter((each) => !each.includes(",")).forEach((each) => where.append(badge(each), " "));
      if (!answer.own && answer.of.length > 1) where.append("\u2013 with the column origin, each row says which.");
      place.replaceChildren();
      place.hidden = false;
      const wanted = known ? Object.fromEntries(Object.entries(known.chart).filter(([, name]) => name)) : {};
      place.append(where);
      draw(answer, known && wanted.x ? { colour: "", ...wanted } : {}, known?.question ?? "Your question");
      place.append(table(answer, first), element("p", { className: "study-do" }, download));
    } catch (error) {
      state.textContent = error.message === "Stopped." ? "Stopped." : "";
      fault.hidden = error.message === "Stopped.";
      fault.textContent = error.message;
    } finally {
      busy(false);
    }
  }

  /* What DuckDB says, with the lines of the question counted from its own first one. */
  function words(message) {
    const lines = message.split("\n").map((line) => line.replace(/^LINE (\d+):/, (_, number) => `LINE ${number - 1}:`));
    const text = lines.join("\n").trim();
    const again = text.indexOf("\n\nLINE ", text.indexOf("\n\nLINE ") + 1); // it says it twice
    return again > 0 ? text.slice(0, again) : text;
  }

  go.addEventListener("click", ask);
  stop.addEventListener("click", () => halt());
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    ask();
  });
  const put = (sql) => {
    field.value = sql.trim();
    field.rows = Math.max(4, field.value.split("\n").length + 1); // of browsers that do not size it
    box.querySelector("label").scrollIntoView(); // with what will be below it
    ask();
  };
  [...box.querySelectorAll("ol button")].forEach((button, at) =>
    button.addEventListener("click", () => put(said.questions[at].sql)),
  );
  for (const button of document.querySelectorAll(".study-look")) {
    button.addEventListener("click", () => put(`FROM ${button.textContent}\nLIMIT 100`));
  }
  const handed = /^#sql=(.+)/.exec(location.hash);
  if (handed) {
    try {
      field.value = decodeURIComponent(handed[1]);
    } catch {} // no address of ours
  }
  if (location.protocol === "file:") {
    for (const button of document.querySelectorAll(".study-explore button, .study-look")) button.disabled = true;
    state.textContent =
      "Opened as a file, a page may not start DuckDB: browsers forbid it. Run studybook serve where the book is made, and open the address that it prints.";
  }
})();
