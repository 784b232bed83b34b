/// <reference lib="deno.worker" />
/** The worker's final answer: the time of each request in ms, ascending; or why it stopped. */
export type Watched = { times: number[] } | { failure: string };

/** The request to repeat; null ends it. */
export type WatchOrder =
  | { url: string; headers: Record<string, string>; bodyStart: string | null }
  | null;

const times: number[] = [];
let stopped: Promise<Watched> | null = null;
let running = true;

self.onmessage = async ({ data }: MessageEvent<WatchOrder>) => {
  if (data) {
    const ascending = () => ({ times: times.sort((a, b) => a - b) });
    stopped = watch(data).then(ascending, (error) => ({ failure: String(error) }));
    return;
  }
  running = false;
  self.postMessage(await stopped);
  self.close();
};

/** One request at a time with 10 ms between; each body is different. */
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
