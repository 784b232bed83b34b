import assert from "node:assert/strict";
import { account, deliver, mailbox, message, type TestService, testService } from "../service.ts";
import { isNight } from "../nightly.ts";
import { joined, listWithin, readWithin, rest, tool } from "./budgets.ts";

const fixtures = new URL("../fixtures/mail/", import.meta.url);

/** Mails, each too long in another way. */
const hard = [
  message({ Subject: "Log" }, '😀 \\"x"\u0001 a line of a log file\n'.repeat(3_000)),
  message({
    Subject: '"'.repeat(900),
    From: `"${"n".repeat(250)}" <${"a".repeat(60)}@${"b".repeat(60)}.example>`,
    "Message-ID": `<${"m".repeat(900)}@example.net>`,
    To: Array.from({ length: 150 }, (_, n) => `person${n}@example.net`).join(",\r\n "),
    References: Array.from({ length: 80 }, (_, n) => `<${n}.${"r".repeat(80)}@x.example>`)
      .join("\r\n "),
  }),
  message(
    { "Content-Type": 'multipart/mixed; boundary="b"' },
    Array.from(
      { length: 120 },
      (_, n) => `--b\nContent-Disposition: attachment; filename="${n}${"f".repeat(90)}"\n\nx\n`,
    ).join("") + "--b--\n",
  ),
  message(
    { Subject: "Newsletter", "Content-Type": "text/html" },
    Array.from(
      { length: 300 },
      (_, n) =>
        `<p>Story ${n}: <a href="https://news.example/${"p".repeat(90)}/${n}?t=${
          "q".repeat(n)
        }">read</a></p>`,
    ).join("\n"),
  ),
  message(
    { Subject: "Confirm your account" },
    `Confirm: https://one.example/verify?token=${"t".repeat(3_000)}\nYour code is 482913.\n`,
  ),
];

async function withMail(test: TestService) {
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const mails: (string | Uint8Array)[] = [...hard];
  for await (const { name } of Deno.readDir(fixtures)) {
    if (name.endsWith(".eml")) mails.push(await Deno.readFile(new URL(name, fixtures)));
  }
  const emailIds: string[] = [];
  for (const mail of mails) {
    const { email_id } = await deliver(test, box.email_address, mail);
    if (email_id) emailIds.push(email_id);
  }
  await test.settle();
  await test.advance(1_000);
  assert.ok(emailIds.length > 30);
  return { owner, box, emailIds };
}

// SPEC: budget.length, budget.rows, budget.pieces, budget.tools
Deno.test("every answer of a route or tool with max_chars keeps to it for any mail, and its pieces joined are complete", async () => {
  await using test = await testService();
  const { owner, emailIds } = await withMail(test);
  // Several instances cut an answer as one does: a part is enough for them. By day a third of the mails that are not hard.
  const several = test.instances > 1;
  const step = several ? 4 : isNight ? 1 : 3;
  for (const [n, emailId] of emailIds.entries()) {
    if (n >= hard.length && n % step > 0) continue;
    const budgets = several ? [7_001] : n < hard.length ? [2_000, 7_001, 60_000] : [2_000];
    for (const maxChars of budgets) {
      await readWithin(test, owner, emailId, maxChars);
    }
  }
  for (const maxChars of [2_000, 5_000, 40_000]) {
    await listWithin(test, owner, maxChars, "confirm account code story log");
  }
});

// SPEC: budget.tools, budget.order
Deno.test("a tool without max_chars has 60,000 or what its URL says, REST is whole", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const text = "0123456789\n".repeat(10_000);
  const { email_id } = await deliver(test, box.email_address, message({ Cc: "b@c.example" }, text));
  await test.settle();
  const { data } = await rest(test, owner, `/v1/api/emails/${email_id}`);
  assert.deepEqual([data.body_text, data.truncated, data.next_offset], [
    text,
    undefined,
    undefined,
  ]);
  const within = async (args: object, url: string, maxChars: number) => {
    const answer = await tool(test, owner, "get_email", { email_id, ...args }, { url, maxChars });
    const { email: { body_text, truncated, next_offset, cc } } = answer;
    assert.ok(text.startsWith(body_text));
    assert.deepEqual([truncated, next_offset, cc], [true, body_text.length, []]);
    assert.ok(JSON.stringify(answer).length > maxChars - 12, "more would have fitted");
  };
  await within({}, "/v1/mcp", 60_000);
  await within({}, "/v1/mcp?max_chars=3000", 3_000);
  await within({}, "/v1/mcp?toolset=full&max_chars=90000", 90_000);
  await within({ max_chars: 4_000 }, "/v1/mcp?max_chars=90000", 4_000);
  const whole = JSON.stringify({ success: true, data }).length;
  const exact = await rest(test, owner, `/v1/api/emails/${email_id}?max_chars=${whole}`);
  assert.deepEqual(exact.data, data);
  const less = await rest(test, owner, `/v1/api/emails/${email_id}?max_chars=${whole - 1}`);
  assert.deepEqual([less.data.truncated, less.data.body_new_text], [true, ""]);
  assert.equal(less.data.body_text, text);
  for (const query of ["max_chars=1999", "max_chars=1000001", "max_chars=x", "max_chars="]) {
    for (const path of [`/v1/api/emails/${email_id}?${query}`, `/v1/mcp?${query}`]) {
      const answer = await test.request(path, {
        token: owner.key,
        ...(path.includes("mcp") ? { json: { jsonrpc: "2.0", id: 1, method: "ping" } } : {}),
      });
      assert.equal(answer.status, 400, path);
      assert.deepEqual(Object.keys((await answer.json()).error.details), ["max_chars"]);
    }
  }
});

// SPEC: budget.pieces
Deno.test("an offset inside a character means its beginning, an offset after the end gives nothing", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(
    test,
    box.email_address,
    message({ "Content-Type": "text/plain; charset=utf-8" }, "a😀b\n"),
  );
  await test.settle();
  const from = async (offset: number) =>
    (await rest(test, owner, `/v1/api/emails/${email_id}?offset=${offset}`)).data.body_text;
  assert.deepEqual(await Promise.all([0, 1, 2, 3, 99].map(from)), [
    ...["a😀b\n", "😀b\n", "😀b\n", "b\n", ""],
  ]);
  await joined(async (offset) => ({ body_text: await from(offset) }));
});

// SPEC: mcp.long_urls
Deno.test("the full toolset shows long URLs shortened with the number of get_links, the eight tools show them whole", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const path = `/${"p".repeat(60)}`;
  const url = `https://long.example${path}?token=${"q".repeat(200)}`;
  const short = `https://long.example${path.slice(0, 40)}…[link 2]`;
  const text = `See https://one.example/ and ${url} now.\n`;
  const { email_id } = await deliver(test, box.email_address, message({ Subject: "Url" }, text));
  await test.settle();
  const texts = async (url: string, long_urls?: string) => {
    const args = long_urls ? { long_urls } : {};
    const call = (name: string, more: object) =>
      tool(test, owner, name, { ...args, ...more }, { url });
    const { email } = await call("get_email", { email_id });
    const { thread } = await call("get_email_thread", { thread_id: email.thread_id });
    const { emails } = await call("list_emails", {});
    return [email.body_text, thread[0].body_text_snippet.includes("qqq"), emails[0].snippet];
  };
  const shown = text.replace(url, short);
  const [whole, quoted, snippet] = await texts("/v1/mcp");
  assert.deepEqual([whole, quoted], [text, true]);
  assert.deepEqual(await texts("/v1/mcp?toolset=full", "keep"), [whole, quoted, snippet]);
  const [first, none, listed] = await texts("/v1/mcp?toolset=full");
  assert.deepEqual([first, none], [shown, false]);
  assert.ok(listed.length < snippet.length);
  assert.deepEqual(await texts("/v1/mcp", "short"), [first, none, listed]);
  const { links } = await tool(test, owner, "get_links", { email_id });
  assert.deepEqual(links.map(({ n, url }: { n: number; url: string }) => [n, url]), [
    [1, "https://one.example/"],
    [2, url],
  ]);
  const wrong = await tool(test, owner, "get_email", { email_id, long_urls: "none" });
  assert.equal(wrong.error.code, "VALIDATION_ERROR");
  const unknown = await tool(test, owner, "get_links", { email_id, long_urls: "keep" });
  assert.equal(unknown.error.code, "VALIDATION_ERROR");
});

// SPEC: mcp.get_email_raw
Deno.test("get_email_raw gives up to 1 MiB, more with max_bytes; else EMAIL_TOO_LARGE with the path of the download", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const raw = message({}, "x".repeat(70).concat("\n").repeat(16_000));
  assert.ok(raw.length > 2 ** 20);
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  const get = (args: object) =>
    tool(test, owner, "get_email_raw", { email_id, ...args }, { maxChars: Infinity });
  const refused = await get({});
  assert.deepEqual([refused.error.code, refused.error.details], ["EMAIL_TOO_LARGE", {
    ...{ size: raw.length, max_bytes: 2 ** 20, download_path: `/v1/api/emails/${email_id}/raw` },
  }]);
  const download = await test.request(refused.error.details.download_path, { token: owner.key });
  assert.equal(await download.text(), raw);
  assert.equal((await get({ max_bytes: raw.length - 1 })).error.code, "EMAIL_TOO_LARGE");
  assert.equal(atob((await get({ max_bytes: raw.length })).raw_eml_base64), raw);
  for (const max_bytes of [0, 52_428_801, "many"]) {
    assert.equal((await get({ max_bytes })).error.code, "VALIDATION_ERROR");
  }
});

// SPEC: emails.links, emails.verification
Deno.test("links and verification of an email, equal over REST and MCP; hidden links are marked; a foreign email is 404", async () => {
  await using test = await testService();
  const owner = await account(test), stranger = await account(test);
  const box = await mailbox(test, owner);
  const url = "https://one.example/verify?a=1&b=2";
  const html = `<p>Your code is <b>482 913</b>.</p><a href="${url.replace("&", "&amp;")}">Confirm` +
    ` your address</a><a style="display:none" href="https://trap.example/">no</a>`;
  const raw = message({ Subject: "Confirm", "Content-Type": "text/html" }, html);
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  const path = `/v1/api/emails/${email_id}`;
  const links = {
    email_id,
    links: [
      { n: 1, url, text: "Confirm your address", host: "one.example", kind: "verify" },
      ...[{ n: 2, url: "https://trap.example/", text: null, host: "trap.example" }]
        .map((each) => ({ ...each, kind: "other", hidden: true })),
    ],
  };
  assert.deepEqual((await rest(test, owner, `${path}/links`)).data, links);
  assert.deepEqual(await tool(test, owner, "get_links", { email_id }), links);
  const rest2 = (await rest(test, owner, `${path}/links?offset=1`)).data;
  assert.deepEqual(rest2.links, links.links.slice(1));
  const { data } = await rest(test, owner, `${path}/verification`);
  assert.deepEqual([data.email_id, data.best_code, data.best_link], [email_id, "482913", url]);
  assert.deepEqual(data.links.map((each: { url: string }) => each.url), [url]);
  assert.deepEqual(await tool(test, owner, "get_verification", { email_id }), data);
  for (const name of ["links", "verification"]) {
    const answer = await test.request(`${path}/${name}`, { token: stranger.key });
    assert.equal(answer.status, 404);
    await answer.body?.cancel();
    const { error } = await tool(test, stranger, `get_${name}`, { email_id });
    assert.equal(error.code, "NOT_FOUND");
  }
});
