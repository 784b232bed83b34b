import assert from "node:assert/strict";
import { deliver, inboundToken, message, testService } from "../../service.ts";
import { everythingParts, oneOfEverything } from "./one_of_everything.ts";

/**
 * A key in which the parts that differ between rows are replaced: a known id by its name, an unknown one by its form.
 * Other parts stay unchanged, so that text of a sender in a key becomes visible.
 */
function shapeOf(key: Deno.KvKey, names: Map<string, string>): string {
  return key.map((part) => {
    if (typeof part === "number") return part > 1e12 ? "<time>" : "<number>";
    const text = String(part);
    const name = names.get(text);
    if (name) return `<${name}>`;
    if (/^[0-9a-f]{64}$/.test(text)) return "<sha256>";
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return "<id>";
    if (/^[0-9a-f]{20}$/.test(text)) return "<versionstamp>";
    if (/^evt_[A-Za-z0-9_-]{27}$/.test(text)) return "<event>";
    return text;
  }).join(" ");
}

async function shapes(kv: Deno.Kv, names: Map<string, string>): Promise<string[]> {
  const seen = new Set<string>();
  for await (const { key } of kv.list({ prefix: [] })) seen.add(shapeOf(key, names));
  return [...seen].sort();
}

/** The keys in the database when all work is done. */
const atRest = [
  "activity <user> day <time> imported <number>",
  "activity <user> day <time> received <number>",
  "activity <user> day <time> searches <number>",
  "activity <user> day <time> sent <number>",
  "activity <user> hour <time> imported <number>",
  "activity <user> hour <time> received <number>",
  "activity <user> hour <time> searches <number>",
  "activity <user> hour <time> sent <number>",
  "api_key_bounds <user>",
  "api_keys <user> <key>",
  "api_keys_by_hash <sha256>",

  "arrivals - <id>",
  "arrivals <user> <id>",
  "arrivals_counted - agents.test UNKNOWN_RECIPIENT",
  "arrivals_counted <user> <mailbox> import accepted",
  "audit <user> <id>",
  "automatic_replies <user> <id>",
  "blob_chunks <id> <number>",
  "catch_alls own.example",
  "checkouts cs_1",
  "claims <user> <mailbox> <id>",
  "claims_by_id <user> <id>",
  "claims_due <user> <mailbox> <time> <id>",
  "custom_domain_mailboxes <user> own.example",
  "custom_domain_quota <user>",
  "custom_domains <user> <domain>",
  "custom_domains_by_name <user> own.example",
  "custom_domains_verified own.example",
  "customers cus_1",
  "deliveries <webhook> <id>",
  "deliveries_once <webhook> <event>",
  "dkim_keys <user> <domain>",
  "draft_totals <user>",
  "drafts <user> <id>",
  "drafts_replying <user> <id>",
  "drafts_said <user> <id>",
  "drafts_waiting <user> <id>",
  "email_checkpoints <user> <mailbox> <number>",
  "email_details <user> <id>",
  "emails <user> <id>",
  "emails_by_delivery <mailbox> <sha256>",
  "emails_by_mailbox <user> <mailbox> <id>",
  "emails_by_thread <user> <id> <time> <id>",
  "emails_imported <user> <mailbox> <id>",
  "events <user> <event>",
  "expectations <user> <id>",
  "expectations_open <user> <mailbox> <id>",
  "expiring <time> <id>",
  "grant_families <sha256>",
  "grants <user> <grant>",
  "grants_by_access <sha256>",
  "idempotency <user> send <sha256>",
  "inbound_seen mailgun <sha256>",
  "invitations <sha256>",
  "invitations_by_email <sha256>",
  "invitations_mailed <user>",
  "invited_by_email <sha256> <user>",
  "jobs_dead <id>",
  "jobs_due <time> <id>",
  "journal <user> <versionstamp>",
  "known <user> <sha256>",
  "login_addresses <sha256>",
  "login_failures account <sha256>",
  "login_failures address <sha256>",
  "mailbox_profiles <user> <mailbox>",
  "mailbox_quota <user>",
  "mailbox_stats <user> <mailbox>",
  "mailboxes <user> <mailbox>",
  "mailboxes_by_address agent-off@agents.test",
  "mailboxes_by_address agent-one@agents.test",
  "mailboxes_by_address agent-two@own.example",
  "mailboxes_by_domain <user> agents.test <mailbox>",
  "mailboxes_by_domain <user> own.example <mailbox>",
  "member_invitations <sha256>",
  "members <user> <id>",
  "members <user> <user>",
  "meta url_secret",
  "notices <user>",
  "oauth_clients <id>",
  "oauth_clients_by_address <sha256>",
  "oauth_clients_unused <id>",
  "oauth_clients_unused_count",
  "outgoing <user> <id>",
  "password_resets <sha256>",
  "payment_events evt_1",
  "policies <user> <mailbox>",
  "rate_windows account <user>",
  "rate_windows address 192.0.2.1",
  "rate_windows session <id>",
  "send_pace <user> <id>",
  "session_lists <user> <user>",
  "sessions <user> <id>",
  "sessions_by_access <sha256>",
  "sessions_by_refresh <sha256>",
  "storage <user>",
  "threads <user> <id>",
  "threads_by_reference <user> <sha256>",
  "threads_by_subject <user> <mailbox> <sha256>",
  "uploads <user> <id>",
  "usage <user> 2026-11-01T00:00:00.000Z",
  "usage <user> today",
  "users <user>",
  "users_by_email <email>",
  "webhook_subscribers <user>",
  "webhooks <user> <webhook>",
];

/** Additional keys while mail is arriving or not processed yet. */
const underWay = ["blobs_pending <id>", "emails_processing <user> <id>"];

/**
 * Tables that this service does not write: the mark of mail that was claimed a minute ago, old changes that were removed,
 * rows of a shared store, marks of the first start, mail to several mailboxes, words where there is no disk to index on,
 * mail that met an expectation, rows of schema version 1, and mail that is deleted while it is sent.
 */
const elsewhere = [
  "blob_owners",
  "claim_marks",
  "commits",
  "confirmations",
  "confirmations_asked",
  "emails_unsent",
  "ended_accounts",
  "expected_emails",
  "journal_cut",
  "journal_news",
  "mailbox_stats_lanes",
  "members_by_subject",
  "paced_threads",
  "password_resets_asked",
  "posted_words",
  "postings",
  "return_paths",
  "suppressions",
  "usage_reserved",
];

Deno.test("one of everything leaves exactly these keys, and unfinished work these additional ones", async () => {
  const parts = everythingParts();
  await using test = await testService(parts.options);
  const names = new Map([["2026-11", "month"], ["2026-11-20", "day"]]);
  await oneOfEverything(test, parts, names);
  const done = await shapes(test.kv, names);
  assert.deepEqual(done, atRest);

  await test.dispatcher.stop();
  await deliver(test, "agent-one@agents.test", message({ Subject: "Waits" }));
  const stalled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      controller.enqueue(new Uint8Array(2_000_000).fill(0x78));
      await stalled.promise;
      controller.close();
    },
  }, { highWaterMark: 0 });
  const posting = test.request("/inbound/raw", {
    ...{ method: "POST", token: inboundToken, body },
    headers: { "content-type": "message/rfc822", "x-envelope-to": "agent-one@agents.test" },
  });
  for (let tries = 0; tries < 2_000; tries++) {
    if ((await Array.fromAsync(test.kv.list({ prefix: ["blobs_pending"] }))).length > 0) break;
    await new Promise((done) => setTimeout(done, 1));
  }
  assert.deepEqual((await shapes(test.kv, names)).filter((each) => !done.includes(each)), underWay);
  stalled.resolve();
  assert.equal((await posting).status, 200);
});

const root = new URL("../../../", import.meta.url);

async function sources(folder: string): Promise<string> {
  let text = "";
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (isDirectory) text += name === "tables" ? "" : await sources(`${folder}${name}/`);
    else if (name.endsWith(".ts") && name !== "keys.ts") {
      text += await Deno.readTextFile(new URL(`${folder}${name}`, root));
    }
  }
  return text;
}

Deno.test("every function of the table of keys is used, and every table that it names is in the lists above", async () => {
  const read = (name: string) => Deno.readTextFile(new URL(`domain/store/${name}`, root));
  let table = await read("keys.ts");
  for await (const { name } of Deno.readDir(new URL("domain/store/tables/", root))) {
    table += await read(`tables/${name}`);
  }
  const functions = [...table.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) =>
    name
  );
  assert.ok(functions.length > 50);
  const used = await sources("domain/") + await sources("adapters/") +
    await sources("workers/");
  const unused = functions.filter((name) => !new RegExp(`\\bkeys\\.${name}\\b`).test(used));
  assert.deepEqual(unused, []);
  const named = new Set([...table.matchAll(/\[\s*"(\w+)"/g)].map(([, name]) => name));
  const seen = new Set([...atRest, ...underWay].map((shape) => shape.split(" ")[0]));
  assert.deepEqual([...named].filter((each) => !seen.has(each)).sort(), elsewhere);
});

Deno.test("docs/security.md says of every table what bounds its rows, and names no other", async () => {
  const text = await Deno.readTextFile(new URL("docs/security.md", root));
  const [, section] = text.split("## What bounds the rows");
  const rows = section.split("\n## ")[0].split("\n").filter((line) => line.startsWith("| `"));
  const named = rows.flatMap((row) =>
    [...row.split("|")[1].matchAll(/`(\w+)`/g)].map(([, name]) => name)
  );
  const tables = [...atRest, ...underWay].map((shape) => shape.split(" ")[0]);
  assert.deepEqual(named.sort(), [...new Set([...tables, ...elsewhere])].sort());
});
