// The bare work with which the service is compared, as a separate process: Hono, postal-mime, chunks, one commit of six
// keys.
import { Hono } from "hono";
import PostalMime from "postal-mime";

const chunkBytes = 60 * 1024;
/** A commit takes at most 800 KiB. */
const commitBytes = 700 * 1024;
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
    const [key, chunk] = [["chunks", id, n], raw.slice(n * chunkBytes, (n + 1) * chunkBytes)];
    if (raw.length <= commitBytes) atomic.set(key, chunk);
    else await kv.set(key, chunk);
  }
  await atomic.set(["emails", id], row).set(["by_time", id], row).set(["by_mailbox", "m", id], row)
    .set(["by_thread", id, id], id)
    .set(["by_message_id", parsed.messageId?.slice(0, 500) ?? id, id], id).set(["jobs", id], { id })
    .commit();
  return c.json({ id });
});
// Stores the rows of one page of the service, so that both lists have the same bytes.
app.post("/page", async (c) => {
  const rows = await c.req.json<unknown[]>();
  for (const [n, row] of rows.entries()) await kv.set(["page", n], row);
  return c.json({});
});
app.get("/page", async (c) => {
  const rows = kv.list({ prefix: ["page"] }, { limit: 50, reverse: true, batchSize: 50 });
  return c.json(await Array.fromAsync(rows, (entry) => entry.value));
});
app.get("/email/:id", async (c) => {
  const id = c.req.param("id");
  const [row, chunk] = await kv.getMany<[object, Uint8Array]>([["emails", id], ["chunks", id, 0]]);
  return c.json({ ...row.value, text: new TextDecoder().decode(chunk.value ?? undefined) });
});
app.get("/raw/:id", async (c) => {
  const chunks = await Array.fromAsync(
    kv.list<Uint8Array>({ prefix: ["chunks", c.req.param("id")] }, { batchSize: 50 }),
    (entry) => entry.value,
  );
  return c.body(new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer()));
});
app.get("/large/:id", (c) => {
  const prefix = ["chunks", c.req.param("id")];
  const chunks = kv.list<Uint8Array>({ prefix }, { batchSize: 50 });
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
