/** The attempts that a webhook received. */
export interface EventReceiver {
  url: string;
  /** Event and email id -> the event ids of its deliveries. */
  seen: Map<string, Set<string>>;
  /** Deliveries that break a promise. */
  wrong: string[];
  close(): Promise<void>;
}

/** Receives events on loopback; refuses some, so that they are retried. */
export function receiveEvents(random: () => number): EventReceiver {
  const seen = new Map<string, Set<string>>();
  const bodies = new Map<string, string>();
  const wrong: string[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const id = request.headers.get("webhook-id") ?? "";
      const body = await request.text();
      const { event, data } = JSON.parse(body);
      const before = bodies.get(id);
      if (before !== undefined && before !== body) wrong.push(`event ${id} changed its body`);
      bodies.set(id, body);
      const name = `${event} ${data.email_id}`;
      seen.set(name, (seen.get(name) ?? new Set()).add(id));
      return new Response(null, { status: random() < 0.1 ? 500 : 200 });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/hook`,
    seen,
    wrong,
    close: () => server.shutdown(),
  };
}
