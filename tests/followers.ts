/** The ids of all changes, read from the start after so many seconds without a new one. */
export async function allChanges(base: string, key: string, quiet = 5): Promise<string[]> {
  const end = performance.now() + 120_000;
  let ids: string[] = [];
  let quietSeconds = 0;
  while (quietSeconds < quiet && performance.now() < end) {
    await new Promise((done) => setTimeout(done, 1_000));
    const before = ids.length;
    ids = [];
    let after: string | null = null;
    for (;;) {
      const page = await changesAfter(base, key, after, never);
      ids.push(...page.ids);
      after = page.next;
      if (!page.more) break;
    }
    quietSeconds = ids.length === before ? quietSeconds + 1 : 0;
  }
  return ids;
}

const never = new AbortController().signal;

async function changesAfter(base: string, key: string, after: string | null, signal: AbortSignal) {
  const query = new URLSearchParams({ limit: "500", ...(after === null ? {} : { after }) });
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${base}/v1/api/changes?${query}`, { headers, signal });
  if (!answer.ok) throw new Error(`changes ${answer.status} ${await answer.text()}`);
  const { data, meta } = await answer.json() as {
    data: { change_id: string }[];
    meta: { has_more: boolean; next_cursor: string };
  };
  return {
    ids: data.map(({ change_id }) => change_id),
    more: meta.has_more,
    next: meta.next_cursor,
  };
}

/** Follows until it is stopped; after a break it starts again from the last cursor. */
export abstract class Follower {
  abstract readonly name: string;
  readonly seen: string[] = [];
  breaks = 0;
  protected after: string | null = null;
  private stopped = false;
  private connection = new AbortController();

  /** `base` is asked for the service of each connection. */
  constructor(protected readonly base: () => string, protected readonly key: string) {}

  async run(): Promise<void> {
    while (!this.stopped) {
      this.connection = new AbortController();
      try {
        await this.once(this.connection.signal);
      } catch {
        this.breaks++;
        await new Promise((done) => setTimeout(done, 20));
      }
    }
  }

  breakOff(): void {
    this.connection.abort();
  }

  stop(): void {
    this.stopped = true;
    this.connection.abort();
  }

  protected abstract once(signal: AbortSignal): Promise<void>;
}

export class PageFollower extends Follower {
  readonly name = "changes";

  protected async once(signal: AbortSignal): Promise<void> {
    const { ids, next, more } = await changesAfter(this.base(), this.key, this.after, signal);
    this.seen.push(...ids);
    this.after = next;
    if (!more) await new Promise((done) => setTimeout(done, 50));
    signal.throwIfAborted();
  }
}

export class StreamFollower extends Follower {
  readonly name = "events";

  protected async once(signal: AbortSignal): Promise<void> {
    // The first stream begins with the oldest change, like the follower of pages.
    if (this.after === null) {
      const { ids, next } = await changesAfter(this.base(), this.key, null, signal);
      this.seen.push(...ids);
      this.after = next;
    }
    const answer = await fetch(`${this.base()}/v1/api/events`, {
      headers: { authorization: `Bearer ${this.key}`, "last-event-id": this.after },
      signal,
    });
    if (!answer.ok) throw new Error(`events ${answer.status} ${await answer.text()}`);
    let text = "";
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        this.take(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
    throw new Error("the stream ended");
  }

  private take(event: string): void {
    const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(event)?.[1];
    const id = field("id"), data = field("data");
    if (id === undefined || data === undefined) return;
    this.seen.push(JSON.parse(data).change_id);
    this.after = id;
  }
}
