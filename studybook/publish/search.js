/* Searches what the pages say, in the index beside it: no request to a server, so it works from a
 * folder, too. Each page that has all words is named once, with the sentence that has most of them. */
(() => {
  "use strict";

  const MOST = 50; // pages
  const LONGEST = 280; // letters of a sentence
  const box = document.getElementById("search-results");
  const query = new URLSearchParams(location.search).get("q")?.trim() ?? "";
  if (!box || !query) return;
  for (const input of document.querySelectorAll("input[name=q]")) input.value = query;

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  /* A word as it begins, without the end that tells one from many: "servers" finds "server". */
  const stem = (word) => (word.length > 4 ? word.replace(/(?:ies|es|s|ed|ing|y)$/u, "") : word);
  const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const said = query.toLowerCase().match(/[\p{L}\p{N}](?:[\p{L}\p{N}._/%-]*[\p{L}\p{N}%])?/gu) ?? [];
  const words = [...new Set(said)].map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(stem(word))}`, "giu"));
  const has = (text) => words.filter((word) => text.search(word) >= 0).length;

  function sentence(text) {
    const all = text.split(/(?<=[.!?]”?) (?=[\p{Lu}“])/u);
    return all.reduce((best, each) => (has(each) > has(best) ? each : best));
  }

  /* A sentence with its words marked; of a long one, the part around the first of them. */
  function marked(text) {
    const first = Math.min(...words.map((word) => text.search(word)).filter((at) => at >= 0));
    let from = text.length > LONGEST && first > LONGEST / 2 ? text.indexOf(" ", first - LONGEST / 2) + 1 : 0;
    let to = text.length - from > LONGEST ? text.lastIndexOf(" ", from + LONGEST) : text.length;
    const shown = `${from ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
    const found = words.flatMap((word) => [...shown.matchAll(word)]).sort((one, other) => one.index - other.index);
    const line = element("p", { className: "study-found" });
    let at = 0;
    for (const { index } of found) {
      if (index < at) continue;
      const end = index + /^[\p{L}\p{N}.%-]*[\p{L}\p{N}%]/u.exec(shown.slice(index))[0].length;
      line.append(shown.slice(at, index), element("mark", { textContent: shown.slice(index, end) }));
      at = end;
    }
    line.append(shown.slice(at));
    return line;
  }

  /* Of a page, its parts: each the place of a heading, the heading, and passages below it. */
  function judged([uri, title, parts]) {
    const passages = parts.flatMap(([place, heading, ...texts]) => texts.map((text) => [place, heading, text]));
    const all = [title, ...parts.flatMap(([, ...texts]) => texts)];
    if (!words.every((word) => all.some((text) => text.search(word) >= 0))) return null;
    let best = null;
    let most = 0;
    let hits = 0;
    for (const passage of passages) {
      const [, heading, text] = passage;
      const inside = has(text);
      if (!inside) continue;
      hits += 1;
      // cells of a table are no sentence, and come after one; a definition comes before all but a
      // page that has the word in its title, and answers
      const defines = text.toLowerCase().startsWith(`${query.toLowerCase()}: `) ? 8 : 0;
      const worth = 4 * inside + has(heading) + (text.includes(" · ") ? 0 : 2) + defines;
      if (worth > most) [best, most] = [passage, worth];
    }
    return { uri, title, best, worth: 12 * has(title) + most + Math.min(hits, 5) };
  }

  const found = words.length ? studySearch.map(judged).filter(Boolean) : [];
  found.sort((one, other) => other.worth - one.worth || (one.title < other.title ? -1 : 1));
  const list = element("ul", { className: "search" });
  for (const { uri, title, best } of found.slice(0, MOST)) {
    const [place, heading, text] = best ?? ["", "", ""];
    const link = element("a", { href: place ? `${uri}#${place}` : uri, textContent: title });
    const item = element("li", {}, link);
    if (heading && heading !== title) item.append(element("small", { textContent: heading }));
    if (text) item.append(marked(sentence(text)));
    list.append(item);
  }
  const pages = found.length === 1 ? "1 page" : `${found.length.toLocaleString("en-US")} pages`;
  const less = found.length > MOST ? ` The first ${MOST} are shown.` : "";
  const none = "No page has all of these words. Fewer words, or the beginning of one, find more.";
  box.append(element("p", { role: "status", textContent: found.length ? `${pages} with “${query}”.${less}` : none }), list);
})();
