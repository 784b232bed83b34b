/// <reference lib="deno.worker" />
// A reader that has read every account, and never answers a search.
addEventListener("message", (event: Event) => {
  const { data } = event as MessageEvent;
  if ("path" in data) return postMessage({ callId: 0, value: null });
  if (data.method === "open") return postMessage({ callId: data.callId, value: true });
  // Sleeps: a thread that computes could not be ended.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
