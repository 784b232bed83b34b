import type { Clock } from "../../../domain/core/clock.ts";
import type { Wait } from "../../../domain/changes/waiting.ts";

/** A proxy closes a connection that is silent for about a minute. */
const silenceMs = 15_000;
const tickMs = 1_000;
/** Two pages of events wait for the client, up to 200 changes: longer than this is a client that does not read. */
const unreadMs = 60_000;

const encoder = new TextEncoder();
const comment = encoder.encode(":\n\n");

/** One event of a stream. No field has a line break. */
export interface StreamEvent {
  id: string;
  event: string;
  data: unknown;
}

interface LiveStream {
  controller: ReadableStreamDefaultController<Uint8Array>;
  wait: Wait;
  /** When its credential ends, ms since 1970; null if it does not end by itself. */
  expiresAt: number | null;
  lastSentAt: number;
}

/**
 * Event streams (`text/event-stream`, HTML Living Standard 9.2). One timer serves all of them: it sends a comment after 15 s
 * of silence and ends streams whose credential has expired, or whose client has not read for 60 s.
 */
export class LiveStreams {
  private readonly open = new Set<LiveStream>();
  private cancel: (() => void) | null = null;

  constructor(private readonly clock: Clock) {}

  /**
   * The body of an answer: the events of `pages`, read as fast as the client reads them. It ends when `pages` or `wait`
   * ends. It begins with the id `from` without an event: a client that loses the connection before the first event
   * continues from it.
   */
  body(
    pages: AsyncGenerator<StreamEvent[]>,
    wait: Wait,
    { expiresAt, from }: Pick<LiveStream, "expiresAt"> & { from: string },
  ): ReadableStream<Uint8Array> {
    let stream: LiveStream;
    const leave = () => {
      wait[Symbol.dispose]();
      this.open.delete(stream);
    };
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = { controller, wait, expiresAt, lastSentAt: this.clock.now() };
        this.open.add(stream);
        // The headers are sent with the first bytes.
        controller.enqueue(encoder.encode(`:\nid: ${from}\n\n`));
        this.arm();
      },
      pull: async (controller) => {
        try {
          const { value, done } = await pages.next();
          if (!this.open.has(stream)) return;
          if (!done) controller.enqueue(encoder.encode(value.map(eventText).join("")));
          stream.lastSentAt = this.clock.now();
          if (!done) return;
        } catch {
          // The credential has ended, or the database does not answer: the client connects again and gets the error.
        }
        if (this.open.has(stream)) this.end(stream);
      },
      cancel: leave,
    }, { highWaterMark: 2 });
  }

  /** Its client can go on from the last id that it got. */
  private end(stream: LiveStream): void {
    stream.wait[Symbol.dispose]();
    this.open.delete(stream);
    stream.controller.close();
  }

  private arm(): void {
    this.cancel ??= this.clock.wakeIn(tickMs, () => this.tick());
  }

  private tick(): void {
    this.cancel = null;
    const now = this.clock.now();
    for (const stream of this.open) {
      const { controller, wait, expiresAt, lastSentAt } = stream;
      const isRead = (controller.desiredSize ?? 0) > 0;
      if (expiresAt !== null && expiresAt <= now) wait.end();
      else if (!isRead && Math.abs(now - lastSentAt) >= unreadMs) this.end(stream);
      // The clock may have been set back.
      else if (Math.abs(now - lastSentAt) >= silenceMs && isRead) {
        controller.enqueue(comment);
        stream.lastSentAt = now;
      }
    }
    if (this.open.size > 0) this.arm();
  }
}

function eventText({ id, event, data }: StreamEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
