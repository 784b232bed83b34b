// The bare work that ours is compared with, as a process of its own: Hono, postal-mime, chunks, one commit of six keys.
import { Hono } from "hono";
import PostalMime from "postal-mime";

const chunkBytes = 60 * 1024;
const kv = await Deno.openKv(Deno.args[0]);
const app = new Hono();
let serial = 0;

app.get("/hello", (c) => c.text("hello"));
app.get(
  "/get",
  async (c) => c.json((await kv.get(["mailboxes", "u"])).value as object | null ?? {}),
);
app.post("/mail", async (c) => {
  const raw = new Uint8Array(await c.req.arrayBuffer());
  const parsed = await PostalMime.parse(raw);
  const id = String(++serial).padStart(9, "0");
  const row = {
    id,
    subject: parsed.subject,
    from: parsed.from,
    to: parsed.to,
    date: parsed.date,
    snippet: parsed.text?.slice(0, 200),
  };
  const atomic = kv.atomic();
  for (let n = 0; n * chunkBytes < raw.length; n++) {
    atomic.set(["chunks", id, n], raw.slice(n * chunkBytes, (n + 1) * chunkBytes));
  }
  await atomic.set(["emails", id], row).set(["by_time", id], row).set(["by_mailbox", "m", id], row)
    .set(["by_thread", id, id], id)
    .set(["by_message_id", parsed.messageId?.slice(0, 500) ?? id, id], id).set(["jobs", id], { id })
    .commit();
  return c.json({ id });
});
app.get(
  "/list",
  async (c) =>
    c.json(
      await Array.fromAsync(
        kv.list({ prefix: ["by_time"] }, { limit: 50, reverse: true, batchSize: 50 }),
        (entry) => entry.value,
      ),
    ),
);
app.get("/raw/:id", async (c) => {
  const chunks = await Array.fromAsync(
    kv.list<Uint8Array>({ prefix: ["chunks", c.req.param("id")] }, { batchSize: 50 }),
    (entry) => entry.value,
  );
  return c.body(new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer()));
});

app.post("/large", async (c) => {
  const raw = new Uint8Array(await c.req.arrayBuffer());
  for (let n = 0; n * chunkBytes < raw.length; n++) {
    await kv.set(["chunks", "large", n], raw.slice(n * chunkBytes, (n + 1) * chunkBytes));
  }
  return c.json({});
});
app.get("/large", (c) => {
  const chunks = kv.list<Uint8Array>({ prefix: ["chunks", "large"] }, { batchSize: 50 });
  return c.body(ReadableStream.from((async function* () {
    for await (const { value } of chunks) yield value as Uint8Array<ArrayBuffer>;
  })()));
});

const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(`listening ${port}`),
}, app.fetch);
Deno.addSignalListener("SIGTERM", () => server.shutdown().then(() => Deno.exit(0)));
