import { fileURLToPath } from "node:url";
import { freePort, openAccount, startProcess } from "../tests/service_process.ts";

export { inboundToken } from "../tests/service_process.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

/** A server in a separate process, with its own store. */
export interface Server extends AsyncDisposable {
  base: string;
  pid: number;
  /** Milliseconds from the start of the process to the first answer. */
  startMs: number;
  /** Resident memory now, MB. */
  residentMB(): number;
  /** The highest resident memory so far, MB. */
  peakMB(): number;
  /** Processor time used so far, seconds. It measures the cost of work even if other work shares the machine. */
  cpuSeconds(): number;
  /** The bytes of its files now: those of the search index, and all others. */
  diskBytes(): { store: number; index: number };
  /** Ends the process and returns the bytes of its files. */
  stop(): Promise<{ store: number; index: number }>;
}

/** The service as `deno task start` runs it; with `kept` on the store of that folder, which stays. */
export async function startService(
  { kept, checkout }: { kept?: string; checkout?: string } = {},
): Promise<Server> {
  const dir = kept ?? await Deno.makeTempDir();
  const startedAt = performance.now();
  const service = startProcess({ dir, port: freePort(), checkout });
  if (!await service.up) throw new Error("the service did not come up");
  return measured({
    base: service.base,
    pid: service.pid,
    startMs: performance.now() - startedAt,
    dir,
    isKept: kept !== undefined,
    end: service.stop,
  });
}

/** The bare work of bare.ts, with V8's default settings. */
export async function startBare(): Promise<Server> {
  const dir = await Deno.makeTempDir();
  const startedAt = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "bench/bare.ts", `${dir}/kv.sqlite`],
    cwd: root,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const port = /listening (\d+)/.exec((await reader.read()).value ?? "")?.[1];
  return measured({
    base: `http://127.0.0.1:${port}`,
    pid: child.pid,
    startMs: performance.now() - startedAt,
    dir,
    isKept: false,
    async end() {
      child.kill("SIGTERM");
      await child.status;
      await reader.cancel();
    },
  });
}

function measured({ base, pid, startMs, dir, isKept, end }: {
  base: string;
  pid: number;
  startMs: number;
  dir: string;
  isKept: boolean;
  end: () => Promise<void>;
}): Server {
  const status = (field: string) => {
    const text = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1]) / 1024;
  };
  let ended: Promise<void> | null = null;
  const endOnce = () => ended ??= end();
  const diskBytes = () => {
    const bytes = { store: 0, index: 0 };
    for (const { name, isFile } of Deno.readDirSync(dir)) {
      if (!isFile) continue;
      bytes[name.includes(".index.") ? "index" : "store"] += Deno.statSync(`${dir}/${name}`).size;
    }
    return bytes;
  };
  return {
    base,
    pid,
    startMs,
    residentMB: () => status("VmRSS"),
    peakMB: () => status("VmHWM"),
    cpuSeconds: () => cpuSecondsOf(pid),
    diskBytes,
    async stop() {
      await endOnce();
      return diskBytes();
    },
    async [Symbol.asyncDispose]() {
      await endOnce();
      if (!isKept) await Deno.remove(dir, { recursive: true });
    },
  };
}

/** Processor time that a process has used so far. */
export function cpuSecondsOf(pid: number): number {
  // proc(5): fields 14 and 15 are user and system time in ticks of 1/100 s.
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** An enterprise account with a key and a mailbox. */
export async function prepare(server: Server): Promise<{ key: string; address: string }> {
  const { key, mailboxes: [{ email_address }] } = await openAccount(server.base, "bench", 1);
  return { key, address: email_address };
}
