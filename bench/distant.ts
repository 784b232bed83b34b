/** A port on loopback that forwards to another one, with a round trip of `roundTripMs` milliseconds. */
export function distant(port: number, roundTripMs: number): { port: number } & Disposable {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const relay = async (client: Deno.Conn) => {
    const server = await Deno.connect({ hostname: "127.0.0.1", port });
    for (const each of [client, server]) open.add(each);
    await Promise.all([
      pass(client, server, roundTripMs / 2),
      pass(server, client, roundTripMs / 2),
    ]);
    for (const each of [client, server]) open.delete(each);
  };
  void (async () => {
    for await (const client of listener) void relay(client).catch(() => {});
  })().catch(() => {});
  return {
    port: listener.addr.port,
    [Symbol.dispose]() {
      listener.close();
      for (const each of open) closeIt(each);
    },
  };
}

/** Forwards what is read, each piece with a delay. */
async function pass(from: Deno.Conn, to: Deno.Conn, delayMs: number): Promise<void> {
  let last = Promise.resolve();
  const buffer = new Uint8Array(65_536);
  for (;;) {
    const count = await from.read(buffer).catch(() => null);
    if (count === null) break;
    const piece = buffer.slice(0, count), due = performance.now() + delayMs;
    last = last.then(async () => {
      const waitMs = due - performance.now();
      if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs));
      for (let at = 0; at < piece.length;) at += await to.write(piece.subarray(at));
    }).catch(() => {});
  }
  await last;
  for (const each of [from, to]) closeIt(each);
}

function closeIt(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch { /* it was closed */ }
}
