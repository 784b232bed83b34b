import type {
  DocumentAnswer,
  DocumentRequest,
  TargetVerdict,
  WebhookAnswer,
  WebhookFailure,
  WebhookPost,
  WebhookTarget,
} from "../../../domain/ports/webhook_target.ts";
import type { Clock } from "../../../domain/core/clock.ts";

export type Reply = number | string | Promise<number>;

/** A receiver in memory: it keeps the requests and returns the scripted answer, 200 by default. */
export class ScriptedTarget implements WebhookTarget {
  readonly posts: (WebhookPost & { at: number })[] = [];
  /** How the nth post (from 1) to a URL is answered: a status, a failure, or a status to wait for. */
  reply: (post: WebhookPost, nth: number) => Reply = () => 200;
  verdict: TargetVerdict = { ok: true };

  constructor(private readonly clock: Clock) {}

  async post(post: WebhookPost): Promise<WebhookAnswer | WebhookFailure> {
    const at = this.clock.now();
    // Names of header fields mean the same in any case (RFC 9110, section 5.1).
    const headers = Object.fromEntries(
      Object.entries(post.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    this.posts.push({ ...post, headers, at });
    const nth = this.posts.filter((each) => each.url === post.url).length;
    const reply = await this.reply(post, nth);
    const durationMs = this.clock.now() - at;
    if (typeof reply === "number") return { ok: true, status: reply, durationMs };
    return { ok: false, message: `It was ${reply}.`, status: null, durationMs };
  }

  /** The documents that can be read, by URL. */
  readonly documents = new Map<string, string>();
  readonly reads: DocumentRequest[] = [];

  read(request: DocumentRequest): Promise<DocumentAnswer | WebhookFailure> {
    this.reads.push(request);
    const body = this.documents.get(request.url);
    return Promise.resolve({ ok: true, status: body === undefined ? 404 : 200, body: body ?? "" });
  }

  check(): Promise<TargetVerdict> {
    return Promise.resolve(this.verdict);
  }

  /** The event of each post, in order. */
  get events(): string[] {
    return this.posts.map((post) => JSON.parse(post.body).event);
  }
}
