import assert from "node:assert/strict";
import { RemoteKv } from "../../remote_kv/remote_kv.ts";
import {
  call,
  freePort,
  openAccount,
  operatorToken,
  postMail,
  startProcess,
} from "../../service_process.ts";

/** Waits longer than `eventually`: the encoders have the lowest priority. */
async function until(look: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000;
  while (!await look()) {
    assert.ok(performance.now() < end, `waited in vain: ${look}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** The service as it is without EMBEDDINGS, and what it logs. */
async function start(dir: string, env: Record<string, string> = {}) {
  let log = "";
  const service = startProcess({
    dir,
    port: freePort(),
    env: { EMBEDDINGS: "", LOG_LEVEL: "info", ...env },
    output: (text) => log += text,
  });
  assert.ok(await service.up);
  const waiting = async () => {
    const headers = { authorization: `Bearer ${operatorToken}` };
    const page = await (await fetch(`${service.base}/operator/metrics`, { headers })).text();
    return Number(/^letterbox_embedding_waiting_emails (\d+)$/m.exec(page)?.[1]);
  };
  const lines = (event: string) => log.split("\n").filter((line) => line.includes(`"${event}"`));
  return { ...service, waiting, lines };
}

/** How many threads of a process have the lowest priority (proc(5), field 19 of stat). */
function lowest(pid: number): number {
  return [...Deno.readDirSync(`/proc/${pid}/task`)].filter(({ name }) => {
    const stat = Deno.readTextFileSync(`/proc/${pid}/task/${name}/stat`);
    return stat.split(") ")[1].split(" ")[16] === "19";
  }).length;
}

// SPEC: search.own_encoders, search.languages, search.encoders_quiet, search.backlog
Deno.test("without a setting mail is found by its meaning in another language; the log says it once; a killed service goes on", async () => {
  const dir = await Deno.makeTempDir();
  const first = await start(dir);
  const { key, mailboxes: [{ email_address: to }] } = await openAccount(first.base, "asker", 1);
  if (Deno.build.os === "linux") assert.equal(lowest(first.pid), 0, "the start loads nothing");
  const send = async (subject: string, text: string) => {
    const raw = `From: a@example.net\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`;
    await (await postMail(first.base, to, raw)).body?.cancel();
  };
  await send("Delivery", "Your parcel will be handed over on Friday.");
  await send("Choir", "The rehearsal begins at seven.");
  const ask = (base: string) =>
    call(`${base}/v1/api/search`, { query: "Wann kommt mein Paket an?" }, key);
  // A question for which the encoders have no time on a busy machine is answered by words.
  let [found] = (await ask(first.base)).results;
  await until(
    async () => ([found] = (await ask(first.base)).results, found?.subject === "Delivery"),
  );
  assert.deepEqual(found.found_by, ["meaning"]);
  const [said, ...more] = first.lines("search.encoders");
  assert.deepEqual(more, []);
  for (const word of ["of a core", "MB", "EMBEDDINGS=off"]) assert.ok(said.includes(word), said);

  const long = "The choir sings on Friday and needs new chairs for its guests. ".repeat(40);
  for (let n = 0; n < 12; n++) await send(`Chairs ${n}`, `${long} ${n}`);
  await until(async () => await first.waiting() > 0);
  await first.kill();
  const second = await start(dir);
  assert.ok(await second.waiting() > 0);
  await until(async () => await second.waiting() === 0);
  assert.equal((await ask(second.base)).pending_vectors, 0);
  await second.stop();
  await Deno.remove(dir, { recursive: true });
});

// SPEC: settings.embeddings
Deno.test("without a lasting disk the log says once why words alone are searched", async () => {
  const dir = await Deno.makeTempDir();
  await using remote = new RemoteKv();
  const service = await start(dir, { KV_PATH: remote.url, DENO_KV_ACCESS_TOKEN: "token" });
  await service.stop();
  const [said, ...more] = service.lines("search.words_only");
  assert.match(said, /there is no lasting disk/);
  assert.deepEqual([...more, ...service.lines("search.encoders")], []);
  await Deno.remove(dir, { recursive: true });
});
