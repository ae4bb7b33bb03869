/* Filters and orders the long tables of a page.
 *
 * A table with more rows than ROWS gets a field for words, and a choice for each column that has
 * few different values. Where a place in a document stands below the first cell, its chapter is
 * such a value. Without scripts the table is there, whole and in its order. */
(() => {
  "use strict";

  const ROWS = 12;
  const CHOICES = 12; // of more values nobody chooses one
  const LETTERS = 40; // nor of longer ones
  const CHAPTER = /\bchapter (\d+)/;

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  /* What a cell says, without what is set small below it. */
  const first = (cell) => {
    const small = cell.querySelector("small")?.textContent ?? "";
    const whole = cell.textContent;
    return (small ? whole.slice(0, whole.length - small.length) : whole).trim();
  };

  const chapter = (row) => CHAPTER.exec(row.cells[0].querySelector("small")?.textContent)?.[1] ?? "";

  /* "1,234 ms" and "−3 %" are numbers; what has none comes last. */
  function number(text) {
    const found = /^[<>≤≥“]?\s*(?:at most|at least|around|more than|less than)?\s*([−-]?[\d,]*\.?\d+)/.exec(text);
    return found ? Number(found[1].replaceAll(",", "").replace("−", "-")) : NaN;
  }

  const words = new Intl.Collator(document.documentElement.lang || "en", { numeric: true });

  function compare(one, other) {
    const [x, y] = [number(one), number(other)];
    if (Number.isNaN(x) && Number.isNaN(y)) return words.compare(one, other);
    if (Number.isNaN(x)) return 1;
    return Number.isNaN(y) ? -1 : x - y;
  }

  function start(box) {
    const table = box.querySelector("table");
    const body = table.tBodies[0];
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
    const rows = [...body.rows];
    if (rows.length <= ROWS || !heads.length) return;

    const shown = element("output");
    const search = element("input", { type: "search", autocomplete: "off" });
    const filters = [];
    const bar = element("div", { className: "study-filter" });
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", table.caption?.textContent || "Rows of the table");
    bar.append(element("label", {}, "Words", search));

    function choice(name, of) {
      const values = [...new Set(rows.map(of))].sort(words.compare);
      if (values.length < 2 || values.length > CHOICES) return;
      if (values.some((value) => value.length > LETTERS)) return;
      const select = element("select", {}, element("option", { value: "*", textContent: "all" }));
      for (const value of values) {
        const count = rows.filter((row) => of(row) === value).length;
        select.append(element("option", { value, textContent: `${value || "none"} (${count})` }));
      }
      bar.append(element("label", {}, name, select));
      filters.push((row) => select.value === "*" || of(row) === select.value);
    }
    heads.forEach((head, at) => {
      // A column of numbers is put in order, and not chosen from.
      const numbers = rows.filter((row) => !Number.isNaN(number(first(row.cells[at])))).length;
      if (at > 0 && numbers * 2 < rows.length) choice(head.textContent, (row) => first(row.cells[at]));
    });
    choice("Chapter", chapter);
    bar.append(shown);

    function show() {
      const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        const fits = filters.every((each) => each(row)) && wanted.every((each) => text.includes(each));
        row.hidden = !fits;
        count += fits;
      }
      shown.value = `${count} of ${rows.length}`;
      box.scrollTop = 0;
    }
    bar.addEventListener("input", show);

    heads.forEach((head, at) => {
      const button = element("button", { type: "button" }, ...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const sign = head.ariaSort === "ascending" ? -1 : 1;
        for (const each of heads) each.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
        const said = new Map(rows.map((row) => [row, first(row.cells[at])]));
        rows.sort((one, other) => sign * compare(said.get(one), said.get(other)));
        body.append(...rows);
      });
    });

    /* A link to a row that is filtered out shows it all the same. */
    addEventListener("hashchange", () => {
      const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (row?.hidden && body.contains(row)) {
        search.value = "";
        for (const select of bar.querySelectorAll("select")) select.value = "*";
        show();
        row.scrollIntoView();
      }
    });
    shown.value = `${rows.length} of ${rows.length}`;
    box.before(bar);
  }

  for (const box of document.querySelectorAll(".study-table")) start(box);
})();
