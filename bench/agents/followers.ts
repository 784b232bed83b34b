import { call, freePort, postMail, startProcess } from "../../tests/service_process.ts";
import type { BenchOptions } from "../options.ts";
import type { Figure } from "../figure.ts";
import { type Agent, agents, eml } from "./account.ts";

const reconnections = 50;
const senders = 8;

/**
 * A follower of `changes` and one of `events`. Mail arrives and is marked, the followers break off 50 times, and the
 * process is killed twice: each follower must see every change once, in the order of the list.
 */
export async function follow({ messages = 5_000, say }: BenchOptions): Promise<Figure[]> {
  // An email makes three changes: received, processed, updated.
  const emails = Math.ceil(messages / 3);
  const dir = await Deno.makeTempDir();
  const port = freePort();
  let service = startProcess({ dir, port });
  try {
    if (!await service.up) throw new Error("the service did not come up");
    const { base } = service;
    const [agent] = await agents(base, 1, 1);
    const followers = [new PageFollower(base, agent), new StreamFollower(base, agent)];
    const running = followers.map((each) => each.run());
    let acknowledged = 0, next = 0;
    let restarted = Promise.resolve();
    const restart = async () => {
      await service.kill();
      service = startProcess({ dir, port });
      if (!await service.up) throw new Error("the service did not come up again");
    };
    const send = async () => {
      while (next < emails) {
        await restarted;
        const n = next++;
        if (await deliver(base, agent, n)) acknowledged++;
        if (n % Math.ceil(emails / reconnections) === 0) {
          for (const each of followers) each.breakOff();
        }
        if (n === Math.floor(emails / 3) || n === Math.floor(emails * 2 / 3)) restarted = restart();
      }
    };
    await Promise.all(Array.from({ length: senders }, send));
    const all = await settled(base, agent);
    const end = performance.now() + 30_000;
    while (followers.some(({ seen }) => seen.length < all.length) && performance.now() < end) {
      await new Promise((done) => setTimeout(done, 100));
    }
    for (const each of followers) each.stop();
    // The loop over a body that was aborted sometimes never ends (Deno 2.9.6).
    await Promise.race([Promise.all(running), new Promise((done) => setTimeout(done, 2_000))]);
    const broken = followers.map(({ breaks }) => breaks).join(" and ");
    say(`${acknowledged} emails, ${all.length} changes, followers broke off ${broken} times`);
    return followers.map(({ name, seen, breaks }) => ({
      name: `a follower of ${name} that saw every change once, in order`,
      ours: seen.length === all.length && seen.every((id, n) => id === all[n]) ? 1 : 0,
      unit: "of 1",
      note: `${seen.length} of ${all.length} changes, ${breaks} reconnections, 2 times kill -9`,
    }));
  } finally {
    await service.kill();
    await Deno.remove(dir, { recursive: true });
  }
}

/** Delivers an email and marks it as read. Returns false if it was not acknowledged. */
async function deliver(base: string, agent: Agent, n: number): Promise<boolean> {
  const [{ email_address }] = agent.mailboxes;
  try {
    const answer = await postMail(base, email_address, eml(`Mail ${n}`, `The text of mail ${n}.`));
    const { email_id } = (await answer.json()).data.results[0];
    await call(`${base}/v1/api/emails/${email_id}`, { is_read: true }, agent.key, "PATCH");
    return true;
  } catch {
    return false;
  }
}

/** The ids of all changes, read from the start after 5 s without a new one. */
async function settled(base: string, agent: Agent): Promise<string[]> {
  const end = performance.now() + 120_000;
  let ids: string[] = [];
  let quietSeconds = 0;
  while (quietSeconds < 5 && performance.now() < end) {
    await new Promise((done) => setTimeout(done, 1_000));
    const before = ids.length;
    ids = [];
    let after: string | null = null;
    for (;;) {
      const page = await changesAfter(base, agent, after, never);
      ids.push(...page.ids);
      after = page.next;
      if (!page.more) break;
    }
    quietSeconds = ids.length === before ? quietSeconds + 1 : 0;
  }
  return ids;
}

const never = new AbortController().signal;

async function changesAfter(base: string, agent: Agent, after: string | null, signal: AbortSignal) {
  const query = new URLSearchParams({ limit: "500", ...(after === null ? {} : { after }) });
  const headers = { authorization: `Bearer ${agent.key}` };
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
abstract class Follower {
  abstract readonly name: string;
  readonly seen: string[] = [];
  breaks = 0;
  protected after: string | null = null;
  private stopped = false;
  private connection = new AbortController();

  constructor(protected readonly base: string, protected readonly agent: Agent) {}

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

class PageFollower extends Follower {
  readonly name = "changes";

  protected async once(signal: AbortSignal): Promise<void> {
    const { ids, next, more } = await changesAfter(this.base, this.agent, this.after, signal);
    this.seen.push(...ids);
    this.after = next;
    if (!more) await new Promise((done) => setTimeout(done, 50));
    signal.throwIfAborted();
  }
}

class StreamFollower extends Follower {
  readonly name = "events";

  protected async once(signal: AbortSignal): Promise<void> {
    // The first stream begins with the oldest change, like the follower of pages.
    if (this.after === null) {
      const { ids, next } = await changesAfter(this.base, this.agent, null, signal);
      this.seen.push(...ids);
      this.after = next;
    }
    const answer = await fetch(`${this.base}/v1/api/events`, {
      headers: { authorization: `Bearer ${this.agent.key}`, "last-event-id": this.after },
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
