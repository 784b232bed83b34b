import { fileURLToPath } from "node:url";
import { freePort, openAccount, startProcess } from "../tests/service_process.ts";

export { inboundToken } from "../tests/service_process.ts";

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

/** The service as `deno task start` runs it; with `kept` on the store of that folder, which stays. */
export async function startService(
  env: Record<string, string> = {},
  kept?: string,
): Promise<Server> {
  const dir = kept ?? await Deno.makeTempDir();
  const service = startProcess({ dir, port: freePort(), env });
  if (!await service.up) throw new Error("the service did not come up");
  return measured(service.base, service.pid, kept ? null : dir, service.stop);
}

/** The bare work of bare.ts, with the settings that V8 has of itself. */
export async function startBare(): Promise<Server> {
  const dir = await Deno.makeTempDir();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "bench/bare.ts", `${dir}/kv.sqlite`],
    cwd: root,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const port = /listening (\d+)/.exec((await reader.read()).value ?? "")?.[1];
  return measured(`http://127.0.0.1:${port}`, child.pid, dir, async () => {
    child.kill("SIGTERM");
    await child.status;
    await reader.cancel();
  });
}

function measured(
  base: string,
  pid: number,
  dir: string | null,
  stop: () => Promise<void>,
): Server {
  return {
    base,
    pid,
    residentMB: () =>
      Number(/VmRSS:\s+(\d+)/.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1]) / 1024,
    cpuSeconds: () => {
      // proc(5): fields 14 and 15 are user and system time in ticks of 1/100 s.
      const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1].split(" ");
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      if (dir) await Deno.remove(dir, { recursive: true });
    },
  };
}

/** An enterprise account with a key and a mailbox. */
export async function prepare(
  server: Server,
): Promise<{ key: string; address: string; mailboxId: string }> {
  const { key, mailboxes: [{ email_address, mailbox_id }] } = await openAccount(
    server.base,
    "bench",
    1,
  );
  return { key, address: email_address, mailboxId: mailbox_id };
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
