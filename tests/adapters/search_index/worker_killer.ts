/// <reference lib="deno.worker" />
// Dies once, at the first message after `<path>.die` was written, and at every search for "die"; hangs at a search for
// "hang". The worker does not get these messages.
import { existsSync } from "node:fs";

let path: string | null = null;

addEventListener("message", (event: Event) => {
  const { data } = event as MessageEvent;
  if ("path" in data) {
    path = data.path;
    return;
  }
  const text = data.method === "search" ? data.args[0].text : "";
  const marked = path !== null && existsSync(`${path}.die`);
  if (marked) Deno.removeSync(`${path}.die`);
  while (text === "hang");
  if (!marked && text !== "die") return;
  event.stopImmediatePropagation();
  throw new Error("killed by a test");
});
