import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expanded } from "../commands/permissions.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

export const inboundToken = "inbound-token-of-the-process";
export const operatorToken = "operator-token-of-the-process";

/** One process of the service, on a store that may exist longer. For tests that kill it, and for benchmarks. */
export interface ServiceProcess {
  base: string;
  pid: number;
  /** Resolves once health answers 200; false if the process died before, or has not answered for a minute. */
  up: Promise<boolean>;
  exited: Promise<Deno.CommandStatus>;
  /** kill -9 and wait. */
  kill(): Promise<void>;
  /** SIGTERM and wait. */
  stop(): Promise<void>;
}

export interface ProcessOptions {
  /** Where the store lies. */
  dir: string;
  port: number;
  /** Another checkout to run, with the V8 flags of its own tasks; absent: this one. */
  checkout?: string;
  /** Settings in addition to those that production requires. */
  env?: Record<string, string>;
  /** A command that runs the service as its child. */
  within?: string[];
  /** Receives the output of the service; absent: it is dropped. */
  output?: (text: string) => void;
  /** A module that the process runs before the service. */
  preload?: URL;
}

/** The plan `enterprise` without limits that the work could reach. */
const unlimitedPlan = {
  requestsPerMinute: null,
  requestsPerHour: null,
  requestsPerDay: null,
  mcpRequestsPerMinute: null,
  emailsPerMonth: null,
  emailsPerDay: null,
  searchesPerMonth: null,
  storageBytes: null,
};

/** The flags of `deno task start` of a checkout: permissions and those of V8. */
export function startFlags(checkout = root): string[] {
  const { tasks: { start } } = JSON.parse(Deno.readTextFileSync(join(checkout, "deno.json")));
  const [, flags] = /^deno run (.*) main\.ts start$/.exec(expanded(start.command))!;
  return flags.split(" ");
}

/** Starts the service as `deno task start` does. */
export function startProcess(
  { dir, port, checkout = root, env, within = [], output, preload }: ProcessOptions,
): ServiceProcess {
  const base = `http://127.0.0.1:${port}`;
  const emptyDns = new URL("./empty_dns.ts", import.meta.url);
  const preloads = [emptyDns, ...preload ? [preload] : []].map(({ href }) => `--preload=${href}`);
  const flags = ["--no-check", ...startFlags(checkout), ...preloads];
  const [command, ...args] = [...within, Deno.execPath(), "run", ...flags, "main.ts", "start"];
  const child = new Deno.Command(command, {
    args,
    cwd: checkout,
    env: {
      PORT: String(port),
      BASE_URL: base,
      KV_PATH: `${dir}/kv.sqlite`,
      DNS_SERVER: `127.0.0.1:${port}`,
      SHARED_DOMAINS: "agents.test",
      MX_HOST: "mx.agents.test",
      INBOUND_TOKENS: inboundToken,
      OPERATOR_TOKEN: operatorToken,
      ANONYMOUS_REQUESTS_PER_MINUTE: "1000000000",
      PLAN_OVERRIDES: JSON.stringify({ enterprise: unlimitedPlan }),
      LOG_LEVEL: "error",
      // What has nothing to do with vectors is not to wait for them.
      EMBEDDINGS: "off",
      ...env,
    },
    stdout: output ? "piped" : "null",
    stderr: output ? "piped" : "null",
  }).spawn();
  const streams = output ? [child.stdout, child.stderr] : [];
  const written = Promise.all(streams.map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) output?.(text);
  }));
  let dead = false;
  const exited = child.status.then(async (status) => {
    dead = true;
    await written;
    return status;
  });
  const end = async (signal: Deno.Signal) => {
    try {
      if (!dead) child.kill(signal);
    } catch { /* it was faster */ }
    await exited;
  };
  const up = (async () => {
    const end = performance.now() + 60_000;
    while (!dead && performance.now() < end) {
      const answer = await fetch(`${base}/v1/api/health`).catch(() => null);
      await answer?.body?.cancel();
      if (answer?.ok) return true;
      await new Promise((done) => setTimeout(done, 20));
    }
    return false;
  })();
  return {
    base,
    pid: child.pid,
    up,
    exited,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}

/** The output of a process until it listened (then it is killed) or ended. */
export async function untilListening(
  child: Deno.ChildProcess,
): Promise<{ code: number; text: string; listens: boolean }> {
  let text = "";
  const listens = () => text.includes("service.listening");
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const piece of stream.pipeThrough(new TextDecoderStream() as never)) {
      text += piece;
      if (listens()) child.kill("SIGKILL");
    }
  };
  const [{ code }] = await Promise.all([child.status, read(child.stdout), read(child.stderr)]);
  return { code, text: text.trim(), listens: listens() };
}

/** Posts a message; `to` may name several recipients. `headers`: further ones, such as the client that a relay names. */
export async function postMail(
  base: string,
  to: string,
  raw: string | Uint8Array<ArrayBuffer>,
  { from, token = inboundToken, headers, signal }: {
    from?: string;
    token?: string;
    headers?: Record<string, string>;
    signal?: AbortSignal;
  } = {},
): Promise<Response> {
  return await fetch(`${base}/inbound/raw`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "message/rfc822",
      "x-envelope-to": to,
      ...(from === undefined ? {} : { "x-envelope-from": from }),
      ...headers,
    },
    body: raw,
    signal,
  });
}

/**
 * A port of loopback that was free a moment ago. It is below those that the system gives to connections and to listeners
 * of port 0 (from 32,768 on): with hundreds of these a second, one of them took it before the process that it was for.
 */
export function freePort(): number {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

// deno-lint-ignore no-explicit-any -- callers look at whatever came back
type Answer = any;

/** A call that must succeed, and its body. */
export async function call(
  url: string,
  body: unknown,
  token?: string,
  method = "POST",
): Promise<Answer> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} ${answer.status} ${await answer.text()}`);
  return await answer.json();
}

export interface ProcessAccount {
  key: string;
  /** Of a session, which ends in a quarter of an hour. */
  accessToken: string;
  userId: string;
  mailboxes: { mailbox_id: string; email_address: string }[];
}

/** An account with a key and mailboxes; without `plan` an enterprise one. */
export async function openAccount(
  base: string,
  name: string,
  mailboxCount: number,
  plan = "enterprise",
): Promise<ProcessAccount> {
  const email = `${name}@example.org`, password = "correct horse battery staple";
  const user = await call(`${base}/api/auth/register`, { email, password, name });
  await call(`${base}/operator/accounts/plan`, { email, plan }, operatorToken, "PUT");
  const login = await call(`${base}/api/auth/login`, { email, password });
  const { accessToken } = login.data;
  const made = await call(`${base}/v1/api/keys`, { name: "test" }, accessToken);
  const key = made.data.apiKey;
  const mailboxes: ProcessAccount["mailboxes"] = [];
  for (let n = 0; n < mailboxCount; n++) {
    const box = { local_part: `${name}-${n}`, domain: "agents.test" };
    mailboxes.push((await call(`${base}/v1/api/mailboxes`, box, key)).mailbox);
  }
  return { key, accessToken, userId: user.data.userId, mailboxes };
}
