import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

/** A server in a process of its own, on a store of its own. */
export interface Server extends AsyncDisposable {
  base: string;
  pid: number;
  /** Resident memory now, MB. */
  residentMB(): number;
  /** Processor time used so far, seconds: says what work costs also where other work shares the machine. */
  cpuSeconds(): number;
}

const unlimited = Object.fromEntries(
  [
    "requestsPerMinute",
    "requestsPerHour",
    "requestsPerDay",
    "mcpRequestsPerMinute",
    "emailsPerMonth",
    "emailsPerDay",
    "searchesPerMonth",
    "storageBytes",
  ]
    .map((name) => [name, null]),
);

export const inboundToken = "inbound-token-of-the-bench";
export const operatorToken = "operator-token-of-the-bench";

/** The service as `deno task start` runs it. */
export async function startService(env: Record<string, string> = {}): Promise<Server> {
  const port = freePort();
  const base = `http://127.0.0.1:${port}`;
  return await launch(["main.ts", "start"], (dir) => ({
    PORT: String(port),
    BASE_URL: base,
    KV_PATH: `${dir}/kv.sqlite`,
    SHARED_DOMAINS: "agents.test",
    MX_HOST: "mx.agents.test",
    INBOUND_TOKENS: inboundToken,
    OPERATOR_TOKEN: operatorToken,
    ANONYMOUS_REQUESTS_PER_MINUTE: "1000000000",
    PLAN_OVERRIDES: JSON.stringify({ enterprise: unlimited }),
    LOG_LEVEL: "warn",
    ...env,
  }), base);
}

/** The bare work of bare.ts. */
export async function startBare(): Promise<Server> {
  return await launch(["bench/bare.ts"], () => ({}), null);
}

async function launch(
  args: string[],
  envOf: (dir: string) => Record<string, string>,
  base: string | null,
): Promise<Server> {
  const dir = await Deno.makeTempDir();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--v8-flags=--max-semi-space-size=2",
      ...args,
      ...(base ? [] : [`${dir}/kv.sqlite`]),
    ],
    cwd: root,
    env: envOf(dir),
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  if (base) await up(`${base}/v1/api/health`);
  else base = `http://127.0.0.1:${/listening (\d+)/.exec((await reader.read()).value ?? "")?.[1]}`;
  const drained = (async () => {
    while (!(await reader.read()).done);
  })();
  return {
    base,
    pid: child.pid,
    residentMB: () =>
      Number(/VmRSS:\s+(\d+)/.exec(Deno.readTextFileSync(`/proc/${child.pid}/status`))?.[1]) / 1024,
    cpuSeconds: () => {
      // proc(5): fields 14 and 15 are user and system time in ticks of 1/100 s.
      const fields = Deno.readTextFileSync(`/proc/${child.pid}/stat`).split(") ")[1].split(" ");
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await drained;
      await Deno.remove(dir, { recursive: true });
    },
  };
}

async function up(url: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const answer = await fetch(url).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error("the service did not come up");
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** An enterprise account with a key and a mailbox. */
export async function prepare(
  server: Server,
): Promise<{ key: string; address: string; mailboxId: string }> {
  const call = async (method: string, path: string, body: unknown, token?: string) => {
    const answer = await fetch(server.base + path, {
      method,
      headers: {
        "content-type": "application/json",
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} ${answer.status} ${await answer.text()}`);
    return await answer.json();
  };
  const email = "bench@example.org", password = "correct horse battery staple";
  await call("POST", "/api/auth/register", { email, password, name: "Bench" });
  await call("PUT", "/operator/accounts/plan", { email, plan: "enterprise" }, operatorToken);
  const login = await call("POST", "/api/auth/login", { email, password });
  const key =
    (await call("POST", "/v1/api/keys", { name: "bench" }, login.data.accessToken)).data.apiKey;
  const { mailbox } = await call("POST", "/v1/api/mailboxes", {
    local_part: "bench-agent",
    domain: "agents.test",
  }, key);
  return { key, address: mailbox.email_address, mailboxId: mailbox.mailbox_id };
}

/** Runs `work` for 0..count-1 over `connections` at once: how long all took, and each, in ms. */
export async function load(
  count: number,
  connections: number,
  work: (i: number) => Promise<void>,
): Promise<{ seconds: number; p50: number; p95: number }> {
  const times: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, async () => {
    while (next < count) {
      const i = next++;
      const before = performance.now();
      await work(i);
      times.push(performance.now() - before);
    }
  }));
  const seconds = (performance.now() - startedAt) / 1_000;
  times.sort((a, b) => a - b);
  return {
    seconds,
    p50: times[Math.floor(times.length * 0.5)],
    p95: times[Math.floor(times.length * 0.95)],
  };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
