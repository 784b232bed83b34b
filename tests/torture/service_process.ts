import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

export const inboundToken = "inbound-token-of-the-torture";
const operatorToken = "operator-token-of-the-torture";

/** One life of the service: a process on a store that outlives it. */
export interface Life {
  /** Resolves once health answers 200; false where the process died before. */
  up: Promise<boolean>;
  exited: Promise<unknown>;
  /** kill -9 and wait. */
  kill(): Promise<void>;
  /** SIGTERM and wait. */
  stop(): Promise<void>;
}

export const unlimitedPlan = {
  requestsPerMinute: null,
  requestsPerHour: null,
  requestsPerDay: null,
  emailsPerMonth: null,
  emailsPerDay: null,
  storageBytes: null,
};

/**
 * Starts the service as production runs it. With `killAtFsync` the process is killed as it enters its N-th
 * fsync or fdatasync (strace has to be there): between the bytes of a commit and their promise.
 */
export function startLife(dir: string, port: number, killAtFsync: number | null = null): Life {
  const base = `http://127.0.0.1:${port}`;
  const deno = [Deno.execPath(), "run", "-A", "--no-check", "main.ts", "start"];
  const syncs = "fsync,fdatasync";
  // -D: the traced process is our child, so that a kill meets it and not the tracer.
  const strace = killAtFsync === null ? [] : [
    ...["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", `trace=${syncs}`],
    ...["-e", `inject=${syncs}:signal=SIGKILL:when=${killAtFsync}`],
  ];
  const [command, ...args] = [...strace, ...deno];
  const child = new Deno.Command(command, {
    args,
    cwd: root,
    env: {
      PORT: String(port),
      BASE_URL: base,
      KV_PATH: `${dir}/kv.sqlite`,
      SHARED_DOMAINS: "agents.test",
      MX_HOST: "mx.agents.test",
      INBOUND_TOKENS: inboundToken,
      OPERATOR_TOKEN: operatorToken,
      ANONYMOUS_REQUESTS_PER_MINUTE: "1000000000",
      PLAN_OVERRIDES: JSON.stringify({ enterprise: unlimitedPlan }),
      WEBHOOK_ALLOW_INSECURE: "1",
      LOG_LEVEL: "error",
    },
    stdout: "null",
    stderr: "null",
  }).spawn();
  let dead = false;
  const exited = child.status.then((status) => {
    dead = true;
    return status;
  });
  const end = async (signal: Deno.Signal) => {
    try {
      if (!dead) child.kill(signal);
    } catch { /* it was faster */ }
    await exited;
  };
  const up = (async () => {
    while (!dead) {
      const answer = await fetch(`${base}/v1/api/health`).catch(() => null);
      await answer?.body?.cancel();
      if (answer?.ok) return true;
      await new Promise((done) => setTimeout(done, 20));
    }
    return false;
  })();
  return { up, exited, kill: () => end("SIGKILL"), stop: () => end("SIGTERM") };
}

export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

export interface Account {
  key: string;
  userId: string;
  addresses: string[];
}

/** An enterprise account with mailboxes and a webhook for what arrives. */
export async function openAccount(
  base: string,
  name: string,
  mailboxes: number,
  hook: string,
): Promise<Account> {
  const call = async (method: string, path: string, body: unknown, token?: string) => {
    const answer = await fetch(base + path, {
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
  const email = `${name}@example.org`, password = "correct horse battery staple";
  const user = await call("POST", "/api/auth/register", { email, password, name });
  await call("PUT", "/operator/accounts/plan", { email, plan: "enterprise" }, operatorToken);
  const login = await call("POST", "/api/auth/login", { email, password });
  const made = await call("POST", "/v1/api/keys", { name: "torture" }, login.data.accessToken);
  const key = made.data.apiKey;
  const addresses: string[] = [];
  for (let n = 0; n < mailboxes; n++) {
    const box = { local_part: `${name}-${n}`, domain: "agents.test" };
    addresses.push((await call("POST", "/v1/api/mailboxes", box, key)).mailbox.email_address);
  }
  const events = ["email.received", "email.processed"];
  await call("POST", "/v1/api/webhooks", { url: hook, events }, key);
  return { key, userId: user.data.userId, addresses };
}
