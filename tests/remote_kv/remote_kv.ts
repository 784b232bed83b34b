import { type Call, type Costs, costsOf, unitBytes, units } from "./counts.ts";
import { FaultPlan, type Faults } from "./faults.ts";
import {
  decodeRead,
  decodeWrite,
  disabledAnswer,
  encodeRead,
  encodeWrite,
  Refused,
  textParts,
} from "./messages.ts";
import { Relay } from "./relay.ts";
import { Rows } from "./rows.ts";

/** From and to, ms. */
type Span = [number, number];

export interface RemoteKvOptions {
  /** A file that outlives the stand-in; absent: memory. */
  path?: string;
  /** How long a read and a write take; 0 if absent. */
  readMs?: Span;
  writeMs?: Span;
  /** The checks that one write may have. */
  maxChecks?: number;
  /** Numbers from 0 to 1, for latencies and faults. */
  random?: () => number;
  /** The port to listen on; absent: a free one. */
  port?: number;
}

const protobuf = { headers: { "content-type": "application/x-protobuf" } };

/**
 * Stands in for a remote Deno KV: speaks KV Connect (version 3) to the real client of Deno, with latency and faults, and
 * counts requests. Watching and queues are left out, because the service uses neither.
 *
 * Deno's client speaks HTTP/2 only, also without TLS. `Deno.openKv(remote.url)` needs DENO_KV_ACCESS_TOKEN, which may be
 * any text.
 */
export class RemoteKv implements AsyncDisposable {
  /** Requests that were served since the last `clear`, of any client. */
  calls: Call[] = [];
  /** Requests that broke a limit: a test wants none. */
  readonly refusals: string[] = [];
  /** Opened again by `return`, after `leave`. */
  private relay: Relay;
  private readonly server: Deno.HttpServer<Deno.NetAddr>;
  private readonly rows: Rows;
  private readonly random: () => number;
  private readonly databaseId = crypto.randomUUID();
  private readonly port: number;
  private plan: FaultPlan;
  /** Ends the `silent` requests when the stand-in closes. */
  private readonly closed = Promise.withResolvers<void>();

  constructor(private readonly options: RemoteKvOptions = {}) {
    this.rows = new Rows(options.path);
    this.random = options.random ?? Math.random;
    this.plan = new FaultPlan({}, this.random);
    this.server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      (request, info) => this.answer(request, info.remoteAddr.port),
    );
    this.relay = new Relay(this.server.addr, options.port);
    this.port = this.relay.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** A handle of Deno's own client. Handles of one process share nothing, as if they were of several processes. */
  async open(): Promise<Deno.Kv> {
    Deno.env.set("DENO_KV_ACCESS_TOKEN", "any");
    return await Deno.openKv(this.url);
  }

  /** From now on. */
  set faults(faults: Faults) {
    this.plan = new FaultPlan(faults, this.random);
  }

  get faultsInjected(): number {
    return this.plan.injected;
  }

  get costs(): Costs {
    return costsOf(this.calls);
  }

  clear(): void {
    this.calls = [];
  }

  /** The server is gone: connections end, and new ones are refused. */
  leave(): void {
    this.relay.close();
  }

  /** The server is back at the same address. */
  return(): void {
    this.relay = new Relay(this.server.addr, this.port);
  }

  /** Removes rows that have expired. */
  expire(now: number): void {
    this.rows.expire(now);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closed.resolve();
    this.relay.close();
    await this.server.shutdown();
    this.rows.close();
  }

  private async answer(request: Request, port: number): Promise<Response> {
    const body = await request.bytes().catch(() => null);
    if (!body) return new Response("the request broke off", { status: 400 });
    const { all } = this.plan.faults;
    if (all === "silent") await this.closed.promise;
    if (all === "refused") return new Response("Unauthorized", { status: 401 });
    if (all) return new Response("the database is down", { status: 503 });
    const token = request.headers.get("authorization")?.replace(/^Bearer /, "");
    if (!token) return new Response("Unauthorized", { status: 401 });
    const method = new URL(request.url).pathname.split("/").at(-1);
    if (method === "snapshot_read") return await this.serve("read", body, port);
    if (method === "atomic_write") return await this.serve("write", body, port);
    return Response.json({
      version: 3,
      databaseId: this.databaseId,
      uuid: this.databaseId,
      token,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      endpoints: [{ url: "/v3", consistency: "strong" }],
    });
  }

  /** A read or a write: half of its latency before, half after. */
  private async serve(kind: Call["kind"], body: Uint8Array, port: number): Promise<Response> {
    const from = performance.now();
    const call: Call = {
      kind,
      from,
      to: from,
      tables: [],
      checks: 0,
      parts: 0,
      units: 0,
      bytes: body.length,
      outcome: "ok",
    };
    const [least, most] = (kind === "read" ? this.options.readMs : this.options.writeMs) ?? [0, 0];
    const halfMs = (least + this.random() * (most - least)) / 2;
    try {
      const run = kind === "read" ? this.read(body, call) : this.write(body, call);
      await wait(halfMs);
      const fault = this.plan.draw(kind, call.tables);
      if (fault) call.outcome = fault;
      if (fault === "error5xx") return new Response("try again", { status: 503 });
      if (fault === "error429") return new Response("too many requests", { status: 429 });
      const cut = () => {
        this.relay.cut(port);
        return new Response(null, { status: 500 });
      };
      if (fault === "cutBefore") return cut();
      if (fault === "disabled") return new Response(disabledAnswer(kind), protobuf);
      const answer = run();
      if (fault === "cutAfter") return cut();
      if (fault === "error5xxAfter") return new Response("it failed", { status: 500 });
      if (fault === "brokenAfter") return new Response(brokenBody(), protobuf);
      await wait(fault === "late" ? this.plan.faults.lateMs ?? 0 : halfMs);
      return new Response(answer as Uint8Array<ArrayBuffer>, protobuf);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      call.outcome = "refused";
      this.refusals.push(`${kind}: ${error.message}`);
      return new Response(error.message, { status: 400 });
    } finally {
      call.to = performance.now();
      this.calls.push(call);
    }
  }

  /** Decodes a read, and returns the function that does it. */
  private read(body: Uint8Array, call: Call): () => Uint8Array {
    const ranges = decodeRead(body);
    call.parts = ranges.length;
    call.tables = tablesOf(ranges.map(({ start }) => start));
    return () => {
      const found = ranges.map((range) => this.rows.read(range));
      for (const rows of found) {
        const bytes = rows.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
        call.units += units(bytes, unitBytes.read);
      }
      const answer = encodeRead(found);
      call.bytes = answer.length;
      return answer;
    };
  }

  /** Decodes a write, and returns the function that does it. */
  private write(body: Uint8Array, call: Call): () => Uint8Array {
    const write = decodeWrite(body, this.options.maxChecks ?? 100);
    call.parts = write.mutations.length;
    call.checks = write.checks.length;
    call.tables = tablesOf(write.mutations.map(({ key }) => key));
    return () => {
      const outcome = this.rows.write(write);
      if ("failed" in outcome) {
        call.outcome = "conflict";
        call.lost = tablesOf(outcome.failed.map((place) => write.checks[place].key));
      } else {
        for (const { key, value } of write.mutations) {
          call.units += units(key.length + value.length, unitBytes.write);
        }
      }
      return encodeWrite(outcome);
    };
  }
}

function tablesOf(keys: Uint8Array[]): string[] {
  return [...new Set(keys.map((key) => textParts(key)[0] ?? ""))];
}

/** Breaks off after its first byte. */
function brokenBody(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(new Uint8Array([8]));
      await wait(5);
      controller.close();
    },
  });
}

function wait(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((done) => setTimeout(done, ms));
}
