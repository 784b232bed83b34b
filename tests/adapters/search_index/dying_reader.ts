/// <reference lib="deno.worker" />
// A reader that has read every account, and dies with its first search.
addEventListener("message", (event: Event) => {
  const { data } = event as MessageEvent;
  if ("path" in data) return postMessage({ callId: 0, value: null });
  if (data.method === "open") return postMessage({ callId: data.callId, value: true });
  throw new Error("killed by a test");
});
