/// <reference lib="deno.worker" />
/** What to ask again and again; null ends it, and is answered by how long each took. */
export type WatchOrder =
  | { url: string; headers: Record<string, string>; bodyStart: string | null }
  | null;

const times: number[] = [];
let stopped: Promise<void> | null = null;
let running = true;

self.onmessage = async ({ data }: MessageEvent<WatchOrder>) => {
  if (data) return void (stopped = watch(data));
  running = false;
  await stopped;
  self.postMessage(times.sort((a, b) => a - b));
  self.close();
};

/** One request at a time with 10 ms between; a body is another one each time. */
async function watch({ url, headers, bodyStart }: NonNullable<WatchOrder>): Promise<void> {
  while (running) {
    const startedAt = performance.now();
    const answer = await fetch(
      url,
      bodyStart === null
        ? { headers }
        : { method: "POST", headers, body: `${bodyStart}${times.length}\r\n` },
    );
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url} ${answer.status}`);
    times.push(performance.now() - startedAt);
    await new Promise((next) => setTimeout(next, 10));
  }
}
