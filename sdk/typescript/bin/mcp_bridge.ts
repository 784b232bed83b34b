import { reasonOf } from "./reason.ts";

/** A JSON-RPC message of the Model Context Protocol. */
interface Message {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: { protocolVersion?: unknown };
}

/** A tool waits for 60 s at most. */
const longestAnswerMs = 120_000;

const versionInMessage = "io.modelcontextprotocol/protocolVersion";

/**
 * Sends each message to the MCP server in a separate request and passes the answers to `write`. Every request that is
 * not cancelled gets an answer: if the service gives none, an error.
 */
export class Bridge {
  private readonly running = new Set<Promise<void>>();
  private readonly cancels = new Map<unknown, AbortController>();
  /** The version that the client and the service agreed on; revisions from 2026 on name it in each message. */
  private version: string | null = null;

  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly write: (message: unknown) => Promise<void>,
  ) {}

  /** Takes a line of input. It returns at once; the answer comes later. */
  take(line: string): void {
    if (line.trim() === "") return;
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      this.run(this.fail(null, -32700, "The line is not JSON"));
      return;
    }
    if (typeof message !== "object" || message === null || Array.isArray(message)) {
      this.run(this.fail(null, -32600, "A line must be one JSON-RPC message"));
      return;
    }
    if (message.method === "notifications/cancelled") {
      this.cancels.get(message.params?.requestId)?.abort();
      return;
    }
    this.run(this.forward(message));
  }

  /** Resolves when every request has its answer. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private run(work: Promise<void>): void {
    const done = work.finally(() => this.running.delete(done));
    this.running.add(done);
  }

  private async forward(message: Message): Promise<void> {
    // Only requests get answers.
    const id = message.method === undefined ? undefined : message.id;
    const isRequest = id !== undefined;
    const cancel = new AbortController();
    if (isRequest) this.cancels.set(id, cancel);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      cancel.abort();
    }, longestAnswerMs);
    try {
      const response = await fetch(this.url, {
        method: "POST",
        headers: this.headersOf(message),
        body: JSON.stringify(message),
        redirect: "manual",
        signal: cancel.signal,
      });
      const answered = await this.passOn(response, id, message.method === "initialize");
      if (!answered && isRequest) {
        await this.fail(id, -32000, `The service answered ${response.status} without a message`);
      }
    } catch (error) {
      if (!isRequest || (cancel.signal.aborted && !isLate)) return;
      const reason = reasonOf(error as Error);
      const away = `cannot be reached${reason ? `: ${reason}` : ""}`;
      await this.fail(id, -32000, `The service ${isLate ? "took too long" : away}`);
    } finally {
      clearTimeout(timer);
      if (isRequest) this.cancels.delete(id);
    }
  }

  private headersOf({ method, params = {} }: Message): Record<string, string> {
    const headers: Record<string, string> = {
      authorization: `Bearer ${this.key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const own = (params._meta as Record<string, unknown> | undefined)?.[versionInMessage];
    if (typeof own === "string" && method !== undefined) {
      headers["mcp-protocol-version"] = own;
      headers["mcp-method"] = method;
      const name = params.name ?? params.uri;
      if (typeof name === "string") headers["mcp-name"] = headerValue(name);
    } else if (this.version !== null) headers["mcp-protocol-version"] = this.version;
    return headers;
  }

  /** Writes the messages of an answer. Returns whether the request has been answered. */
  private async passOn(
    response: Response,
    id: Message["id"],
    isInitialize: boolean,
  ): Promise<boolean> {
    const text = await response.text();
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    const texts = isStream ? eventData(text) : text.trim() === "" ? [] : [text];
    let answered = false;
    for (const each of texts) {
      const answer = parsed(each);
      if (answer?.jsonrpc === undefined) {
        const error = answer?.error as { code?: string; message?: string } | undefined;
        if (error?.code === undefined || id === undefined) continue;
        await this.fail(id, -32000, `${error.code}: ${error.message}`, error);
      } else {
        // The service failed before it read the id.
        const own = answer.method === undefined && id !== undefined ? { ...answer, id } : answer;
        if (id === undefined && answer.method === undefined) continue;
        await this.write(own);
        if (answer.method !== undefined) continue;
        const version = (answer as Message).result?.protocolVersion;
        if (isInitialize && typeof version === "string") this.version = version;
      }
      answered = true;
    }
    return answered;
  }

  private fail(id: Message["id"], code: number, message: string, data?: unknown): Promise<void> {
    return this.write({ jsonrpc: "2.0", id, error: { code, message, ...data ? { data } : {} } });
  }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** The data of each event of an event stream. */
function eventData(text: string): string[] {
  return text.split(/\r?\n\r?\n/).map((block) =>
    block.split(/\r?\n/).filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).replace(/^ /, "")).join("\n")
  ).filter((data) => data !== "");
}

/** Header values are ASCII; other values are sent in base64, as in revision 2026-07-28. */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}
