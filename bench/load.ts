import { concatBytes } from "../domain/core/bytes.ts";

/** One request of a load, and the status that its answer must have. */
export interface Ask {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** Default 200; null takes any. */
  status?: number | null;
}

interface Open {
  connection: Deno.Conn;
  /** What was read of the answer so far; grows with the largest answer. */
  buffer: Uint8Array;
}

/**
 * HTTP/1.1 over connections that stay open: about a fifth of the processor time of `fetch`, so that the client does not hide
 * what the server costs. Opens a connection when all others are busy.
 */
export class LoadClient implements Disposable {
  private readonly hostname: string;
  private readonly port: number;
  private readonly idle: Open[] = [];
  private readonly all = new Set<Open>();

  constructor(base: string) {
    const url = new URL(base);
    this.hostname = url.hostname;
    this.port = Number(url.port);
  }

  /** The body of the answer, valid until the next request. Throws if the status is another one. */
  async ask({ method, path, headers = {}, body, status = 200 }: Ask): Promise<Uint8Array> {
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const length = body ? `content-length: ${body.length}\r\n` : "";
    const head = utf8.encode(
      `${method} ${path} HTTP/1.1\r\nhost: ${this.hostname}\r\n${fields}${length}\r\n`,
    );
    const open = this.idle.pop() ?? await this.open();
    await writeAll(open.connection, body && body.length > 0 ? concatBytes([head, body]) : head);
    const answer = await readAnswer(open);
    this.idle.push(open);
    return accepted({ method, path, status }, answer);
  }

  private async open(): Promise<Open> {
    const connection = await Deno.connect({ hostname: this.hostname, port: this.port });
    connection.setNoDelay(true);
    const open = { connection, buffer: new Uint8Array(16_384) };
    this.all.add(open);
    return open;
  }

  [Symbol.dispose](): void {
    for (const { connection } of this.all) connection.close();
    this.all.clear();
    this.idle.length = 0;
  }
}

function accepted({ method, path, status }: Ask, answer: Answer): Uint8Array {
  if (status === null || answer.status === status) return answer.body;
  const text = new TextDecoder().decode(answer.body.subarray(0, 500));
  throw new Error(`${method} ${path} ${answer.status} ${text}`);
}

interface Answer {
  status: number;
  body: Uint8Array;
}

/** How long a load took, and one request of it, in ms. */
export interface Times {
  seconds: number;
  p50: number;
  p95: number;
}

/** Runs `work` for 0..count-1, `connections` at once; it gets the number of its connection too. */
export async function load(
  count: number,
  connections: number,
  work: (i: number, connection: number) => Promise<unknown>,
): Promise<Times> {
  const times: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, async (_, connection) => {
    while (next < count) {
      const i = next++;
      const before = performance.now();
      await work(i, connection);
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

export function atConnections(count: number): string {
  return `${count} connection${count === 1 ? "" : "s"}`;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

const utf8 = new TextEncoder();
const latin1 = new TextDecoder("latin1");

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

/** Reads one answer, whose length is in its header or in its chunks. */
async function readAnswer(open: Open): Promise<Answer> {
  let size = 0;
  let head: { status: number; start: number; length: number | null } | null = null;
  let chunks: Chunks | null = null;
  for (;;) {
    if (size === open.buffer.length) open.buffer = concatBytes([open.buffer, new Uint8Array(size)]);
    const count = await open.connection.read(open.buffer.subarray(size));
    if (count === null) throw new Error("the server closed a connection");
    size += count;
    head ??= readHead(open.buffer.subarray(0, size));
    if (head === null) continue;
    const { status, start, length } = head;
    if (length !== null) {
      if (size >= start + length) return { status, body: open.buffer.subarray(start, size) };
      continue;
    }
    chunks ??= { next: start, end: start };
    const end = joinChunks(open.buffer, chunks, size);
    if (end !== null) return { status, body: open.buffer.subarray(start, end) };
  }
}

/** Null until the empty line has come. `length` is null if the body comes in chunks. */
function readHead(bytes: Uint8Array) {
  const text = latin1.decode(bytes.subarray(0, 16_384));
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const head = text.slice(0, end);
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
  return {
    status: Number(head.slice(9, 12)),
    start: end + 4,
    length: isChunked ? null : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0),
  };
}

/** Where the next chunk begins, and where the joined ones end. */
interface Chunks {
  next: number;
  end: number;
}

/** Moves the chunks that have come whole together. Returns the end of the body; null if more is to come. */
function joinChunks(buffer: Uint8Array, chunks: Chunks, size: number): number | null {
  for (;;) {
    const line = latin1.decode(buffer.subarray(chunks.next, Math.min(size, chunks.next + 20)));
    const lineEnd = line.indexOf("\r\n");
    if (lineEnd === -1) return null;
    const length = parseInt(line, 16);
    const start = chunks.next + lineEnd + 2;
    if (size < start + length + 2) return null;
    buffer.copyWithin(chunks.end, start, start + length);
    chunks.end += length;
    chunks.next = start + length + 2;
    if (length === 0) return chunks.end;
  }
}
