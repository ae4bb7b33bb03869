/* DuckDB in a worker of its own. The first message has its module, as bytes; all others are the
 * package's own. Nothing is fetched from here, and so no extension either. */
"use strict";
self.onmessage = ({ data: { module, worker } }) => {
  self.fetch = async () => new Response(module, { headers: { "Content-Type": "application/wasm" } });
  self.XMLHttpRequest = undefined;
  console.log = console.warn = () => {}; // what is wrong with a question is for the page to say
  importScripts(worker); // it takes the messages from now on
};
