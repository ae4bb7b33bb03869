// Listens while "studybook serve --watch" runs, and reloads the page when the book is another one.
"use strict";
(() => {
  const { edition } = document.currentScript.dataset;
  const banner = document.createElement("div");
  banner.setAttribute("role", "status");
  banner.style.cssText =
    "position:fixed;bottom:0;left:0;right:0;z-index:9999;padding:.5rem 1rem;background:#7a1f1f;color:#fff";
  let source;
  function listen() {
    source?.close();
    // A browser opens few connections to one address: pages that nobody sees hold none.
    if (document.hidden) return;
    source = new EventSource("/-/changes");
    source.onmessage = ({ data }) => {
      const said = JSON.parse(data);
      if (said.edition !== edition) location.reload();
      banner.textContent = said.fault;
      if (said.fault) document.body.append(banner);
      else banner.remove();
    };
  }
  document.addEventListener("visibilitychange", listen);
  listen();
})();
