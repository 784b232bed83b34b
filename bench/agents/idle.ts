import { connect } from "node:net";
import type { BenchOptions } from "../options.ts";
import type { Figure } from "../figure.ts";
import { agents } from "./account.ts";
import { startService } from "../process.ts";

/** How many requests of an account may wait at the same time. */
const waitsOfAccount = 50;
const streamsOfAccount = 10;
/** Longer than the measurement, so that no wait ends and begins again meanwhile. */
const waitSeconds = 60, measuredSeconds = 45;

/** The cost of waiting requests and streams while nothing happens: processor time and memory of the process. */
export async function idle({ messages = 1_000, say }: BenchOptions): Promise<Figure[]> {
  const waits = Math.min(messages, 1_000), streams = Math.ceil(waits / 5);
  await using server = await startService();
  const made = await agents(server.base, Math.ceil(waits / waitsOfAccount), 1);
  const rest = async () => {
    const cpu = server.cpuSeconds();
    await new Promise((done) => setTimeout(done, measuredSeconds * 1_000));
    return (server.cpuSeconds() - cpu) / measuredSeconds;
  };
  const cpuBefore = await rest(), memoryBefore = server.residentMB();
  const asked = [
    ...Array.from({ length: waits }, (_, n) => {
      const agent = made[n % made.length];
      const { mailbox_id } = agent.mailboxes[0];
      return `${waitPath}?mailbox_id=${mailbox_id}&timeout_seconds=${waitSeconds} ${agent.key}`;
    }),
    ...Array.from({ length: streams }, (_, n) => {
      const agent = made[Math.floor(n / streamsOfAccount) % made.length];
      return `/v1/api/events ${agent.key}`;
    }),
  ];
  const sockets = await Promise.all(asked.map((each) => open(server.base, each)));
  await new Promise((done) => setTimeout(done, 3_000));
  const cpuAfter = await rest();
  const memoryAfter = server.residentMB();
  const ended = sockets.filter(({ closed, answered }) => closed || answered()).length;
  for (const { destroy } of sockets) destroy();
  say(`${waits} waits and ${streams} streams, ${ended} of them not idle`);
  return [
    {
      name: `${waits} waits and ${streams} streams that idle: processor time`,
      ours: (cpuAfter - cpuBefore) * 100,
      unit: "% of a core",
      note: `more than without: ${(cpuBefore * 100).toFixed(2)} %; ${ended} ended early`,
    },
    {
      name: `${waits} waits and ${streams} streams that idle: memory`,
      ours: memoryAfter - memoryBefore,
      unit: "MB",
      note: `more than without: ${memoryBefore.toFixed(0)} MB`,
    },
  ];
}

const waitPath = "/v1/api/emails/wait";

/** A socket with one request: a thousand of these are cheaper than a thousand of `fetch`. */
function open(base: string, request: string) {
  const [path, key] = request.split(" ");
  const { hostname, port } = new URL(base);
  let received = "", closed = false;
  const socket = connect(Number(port), hostname);
  socket.on("data", (bytes) => received += bytes.toString("latin1"));
  socket.on("close", () => closed = true);
  socket.on("error", () => closed = true);
  const { promise, resolve } = Promise.withResolvers<{
    closed: boolean;
    answered(): boolean;
    destroy(): void;
  }>();
  const opened = {
    get closed() {
      return closed;
    },
    // A stream begins with its header; a wait has no bytes yet.
    answered: () => path.startsWith(waitPath) ? received !== "" : !received.includes(" 200 "),
    destroy: () => void socket.destroy(),
  };
  socket.on("connect", () => {
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    resolve(opened);
  });
  return promise;
}
