import type { Context, Hono } from "hono";
import { follow } from "../../domain/changes/follow.ts";
import { cursorOf, readCursor } from "../../domain/changes/position.ts";
import { endOfJournal, readChanges } from "../../domain/changes/read_changes.ts";
import { requireScope } from "../../domain/core/operation.ts";
import type { Service } from "../../domain/core/service.ts";
import { changeRecordOf, seesChange } from "../../domain/mail/read/list_changes.ts";
import type { Env } from "../http/env.ts";
import { LiveStreams, type StreamEvent } from "../http/answers/live_streams.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import { refuseUnknownQuery } from "../http/query.ts";
import { requireCaller } from "../http/rest.ts";

const shared = {
  tag: "Changes",
  method: "GET",
  title: "Follow changes live",
  description:
    "The changes of the account as server-sent events, in the order of `list_changes`: `id` is the cursor, `event` the name, `data` the change. A client that " +
    "reconnects sends the last id in `Last-Event-ID` (a browser does so by itself) or in `after`, and misses nothing. Without either the stream begins now; an id without an event comes first, so that a connection which breaks early can be resumed too. A " +
    "comment comes after 15 s of silence. The stream ends within 2 s when its credential is revoked or expires. An account has at most 20 streams at once.",
  access: "account",
  scope: "emails:read",
  parameters: [
    {
      in: "query",
      name: "after",
      description: "A cursor of `list_changes` or an id of this stream",
      example: "0000000000000a3f0000-0001",
    },
    {
      in: "header",
      name: "Last-Event-ID",
      description: "As `after`; if both are given, this one counts",
    },
  ],
  success: { status: 200, description: "Events", contentType: "text/event-stream" },
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "CURSOR_EXPIRED"],
} satisfies Partial<PlainRoute>;

export const eventStreamRoutes: PlainRoute[] = [
  { ...shared, family: "v1", path: "/v1/api/events", name: "stream_events" },
  {
    ...shared,
    family: "dashboard",
    path: "/api/events",
    name: "stream_events_of_session",
    title: "Follow changes live, with a session",
    // A session has every scope.
    errors: ["VALIDATION_ERROR", "CURSOR_EXPIRED"],
  },
];

export function mountEventStreams(app: Hono<Env>, service: Service): void {
  const streams = new LiveStreams(service.clock);
  for (const route of eventStreamRoutes) {
    app.get(route.path, async (c) => {
      requireScope(requireCaller(c), "emails:read");
      refuseUnknownQuery(c, route);
      return await stream(service, streams, c);
    });
  }
}

async function stream(service: Service, streams: LiveStreams, c: Context<Env>): Promise<Response> {
  const { database, waiting } = service;
  const caller = requireCaller(c);
  const { userId } = caller;
  const cursor = c.req.header("Last-Event-ID") ?? c.req.query("after") ?? "now";
  const from = cursor === "now" ? await endOfJournal(database, userId) : readCursor(cursor);
  // A cursor that is too old is answered with an error before the stream begins.
  await readChanges(database, userId, from, { limit: 1, passes: () => true });
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  // A stream, because the length of GET's answer is not known.
  if (c.req.method === "HEAD") return c.body(ReadableStream.from([]), 200, headers);
  const wait = waiting.begin(userId, "stream", {
    signal: c.req.raw.signal,
    confirm: () => c.get("confirmCaller")({ fresh: true }),
  });
  const pages = follow(database, {
    userId,
    from,
    wait,
    passes: (change) => seesChange(requireCaller(c), change),
  });
  const body = streams.body(eventsOf(pages), wait, {
    expiresAt: caller.expiresAt ?? null,
    from: cursorOf(from),
  });
  return c.body(body, 200, headers);
}

async function* eventsOf(pages: ReturnType<typeof follow>): AsyncGenerator<StreamEvent[]> {
  for await (const page of pages) {
    yield page.map((change) => {
      const id = cursorOf(change.position);
      return { id, event: change.event, data: changeRecordOf(change, id) };
    });
  }
}
