// `deno task bench webhooks`: retries on time, receivers that hang together with one that does not, a burst.
import type { ArgsDef } from "citty";
import { inboundToken, load, prepare, type Server, startService } from "./process.ts";
import type { Figure } from "./figure.ts";
import { type BenchOptions, numberOf } from "./options.ts";

export const description = "Webhooks: retries, receivers that hang, a burst";
export const options = {
  events: { type: "string", description: "emails of the burst; default 500" },
  only: {
    type: "enum",
    options: ["retries", "hanging", "burst"],
    description: "one of the three",
  },
} satisfies ArgsDef;

export async function run(
  { events, only, say }: BenchOptions & { events?: string; only?: string },
): Promise<Figure[]> {
  const count = numberOf("--events", events) ?? 500;
  const parts: [string, string, () => Promise<Figure[]>][] = [
    ["retries", "twenty deliveries that fail twice", retries],
    ["hanging", "a good receiver alone", () => besideHanging(0)],
    ["hanging", "a good receiver together with 50 that hang", () => besideHanging(50)],
    ["burst", `${count} emails at once, to no receiver and to 4`, () => burst(count)],
  ];
  const figures: Figure[] = [];
  for (const [name, what, measure] of parts) {
    if (only && only !== name) continue;
    say(what);
    figures.push(...await measure());
  }
  return figures;
}

/** One service with one account, and the requests that its receivers saw. */
interface World extends AsyncDisposable {
  server: Server;
  hook(receive: (post: Post) => Response | Promise<Response>): Promise<string>;
  mail(i: number): Promise<void>;
  call(method: string, path: string, body?: unknown): Promise<{ data: never[]; meta: Meta }>;
}

interface Post {
  i: number;
  at: number;
  id: string;
}

interface Meta {
  has_more: boolean;
  next_cursor: string;
}

async function world(): Promise<World> {
  const server = await startService({ WEBHOOK_ALLOW_INSECURE: "1" });
  const { key, address } = await prepare(server);
  const receivers: Deno.HttpServer[] = [];
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(server.base + path, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} ${answer.status} ${await answer.text()}`);
    return await answer.json();
  };
  return {
    server,
    call,
    async hook(receive) {
      const receiver = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (r) => {
        const at = performance.now();
        const { data } = await r.json();
        return await receive({
          i: Number(data.subject),
          at,
          id: r.headers.get("webhook-id") ?? "",
        });
      });
      receivers.push(receiver);
      const url = `http://127.0.0.1:${receiver.addr.port}/`;
      const made = await call("POST", "/v1/api/webhooks", { url, events: ["email.received"] });
      return made.data.webhook_id;
    },
    async mail(i) {
      const answer = await fetch(`${server.base}/inbound/raw`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${inboundToken}`,
          "content-type": "message/rfc822",
          "x-envelope-to": address,
          "x-envelope-from": "ada@example.net",
        },
        body: `From: ada@example.net\r\nSubject: ${i}\r\n\r\n${"A line of mail. ".repeat(60)}\r\n`,
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`inbound ${answer.status}`);
    },
    async [Symbol.asyncDispose]() {
      // Receivers first: then attempts in flight end, and the service need not wait for them.
      for (const receiver of receivers) void receiver.shutdown();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Twenty deliveries that fail twice: how late the second and the third attempt reach the receiver. */
async function retries(): Promise<Figure[]> {
  await using w = await world();
  const failedAt = new Map<string, number[]>();
  const lateness: [number[], number[]] = [[], []];
  let delivered = 0;
  await w.hook(({ id, at }) => {
    const failures = failedAt.get(id) ?? [];
    failedAt.set(id, failures);
    const nth = failures.length;
    if (nth > 0) lateness[nth - 1].push(at - failures[nth - 1] - [500, 1000][nth - 1]);
    if (nth === 2) {
      delivered++;
      return new Response();
    }
    failures.push(performance.now());
    return new Response(null, { status: 500 });
  });
  for (let i = 0; i < 20; i++) {
    await w.mail(i);
    await wait(50);
  }
  await until(() => delivered === 20);
  return lateness.map((values, i) => ({
    name: `attempt ${i + 2}: ms after its time, greatest of 20`,
    ours: Math.max(...values),
    unit: "ms",
    note: `least ${Math.min(...values).toFixed(1)} ms`,
  }));
}

/** A hundred emails at twenty a second: the time from the acknowledgement to the good receiver. */
async function besideHanging(hanging: number): Promise<Figure[]> {
  await using w = await world();
  for (let i = 0; i < hanging; i++) await w.hook(() => new Promise(() => {}));
  const seen = new Map<number, number>();
  await w.hook(({ i, at }) => {
    seen.set(i, at);
    return new Response();
  });
  const acknowledged: number[] = [];
  const count = 100;
  for (let i = 0; i < count; i++) {
    await w.mail(i);
    acknowledged.push(performance.now());
    await wait(50);
  }
  await until(() => seen.size === count);
  const ms = acknowledged.map((at, i) => (seen.get(i) ?? Infinity) - at).sort((a, b) => a - b);
  return [{
    name: `delivery while ${hanging} receivers hang, p95`,
    ours: ms[Math.floor(count * 0.95)],
    unit: "ms",
    note: `p50 ${ms[count >> 1].toFixed(1)} ms`,
  }];
}

/** All emails at once, to four receivers; then the log must have every delivery as delivered. */
async function burst(events: number): Promise<Figure[]> {
  const without = await told(events, 0);
  const four = await told(events, 4);
  const each = (four.cpuSeconds - without.cpuSeconds) * 1000 / (events * 4);
  return [{
    name: `${events} emails at once, each told to 4 receivers: deliveries`,
    ours: events * 4 / four.seconds,
    unit: "/s",
    note: `from the first post to the last delivery; ${four.delivered} of ${events * 4} recorded`,
  }, {
    name: "processor time of a delivery, its event and its record",
    ours: each,
    unit: "ms",
    note: `compared with ${(without.cpuSeconds * 1000 / events).toFixed(2)} ms of an email itself`,
  }];
}

async function told(events: number, receivers: number) {
  await using w = await world();
  const seen = new Set<string>();
  let lastAt = 0;
  const hooks: string[] = [];
  for (let i = 0; i < receivers; i++) {
    hooks.push(
      await w.hook(({ id, at }) => {
        seen.add(`${i} ${id}`);
        lastAt = at;
        return new Response();
      }),
    );
  }
  const before = w.server.cpuSeconds();
  const startedAt = performance.now();
  await load(events, 16, w.mail);
  await until(() => seen.size === events * receivers);
  // The rest of indexing and recording is part of the cost.
  for (let last = -1; last !== w.server.cpuSeconds();) {
    last = w.server.cpuSeconds();
    await wait(300);
  }
  const cpuSeconds = w.server.cpuSeconds() - before;
  let delivered = 0;
  for (const hook of hooks) delivered += await deliveredTo(w, hook);
  return { seconds: (lastAt - startedAt) / 1000, cpuSeconds, delivered };
}

async function deliveredTo(w: World, hook: string): Promise<number> {
  let delivered = 0;
  for (let query = "?limit=100"; query !== "";) {
    const { data, meta } = await w.call("GET", `/v1/api/webhooks/${hook}/deliveries${query}`);
    delivered += data.filter((row: { status: string }) => row.status === "delivered").length;
    query = meta.has_more ? `?limit=100&cursor=${meta.next_cursor}` : "";
  }
  return delivered;
}

function wait(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

async function until(reached: () => boolean): Promise<void> {
  const startedAt = performance.now();
  while (!reached()) {
    if (performance.now() - startedAt > 60_000) throw new Error("not within a minute");
    await wait(5);
  }
}
