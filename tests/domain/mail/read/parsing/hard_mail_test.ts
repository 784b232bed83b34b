import assert from "node:assert/strict";
import { systemClock } from "../../../../../domain/core/clock.ts";
import { createParsePool } from "../../../../../domain/mail/read/parsing/parse_pool.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../../../service.ts";
import { processedOf } from "../../../indexing/processed.ts";
import { ownMs } from "../../../../own_time.ts";
import { nightly } from "../../../../nightly.ts";

const large = (subject: string) => message({ Subject: subject }, "a line of text\n".repeat(3_000));

/** Never answers for mail with the given text; answers other mail like the real Worker. */
const stuckOn = (word: string) => {
  const real = JSON.stringify(
    new URL("../../../../../mime/body/parse_worker.ts", import.meta.url).href,
  );
  const program = `
    import ${real};
    const answer = self.onmessage;
    self.onmessage = (event) => {
      if (new TextDecoder().decode(event.data.raw).includes("${word}")) {
        self.postMessage("begun");
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      }
      answer(event);
    };`;
  return () =>
    new Worker(`data:text/javascript,${encodeURIComponent(program)}`, { type: "module" });
};

const read = (test: TestService, owner: TestAccount, emailId: string) =>
  data(test.request(`/v1/api/emails/${emailId}`, { token: owner.key }));

Deno.test("mail that exceeds the parsing deadline is stored, listed and downloadable, and shows its problem", async () => {
  const parsing = createParsePool(systemClock, {
    deadlineMs: 1_000,
    startWorker: stuckOn("stuck"),
  });
  await using test = await testService({ parts: { parsing } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const raw = large("stuck");
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  const problem = "The message could not be read within 1 seconds of work.";
  const begun = ownMs();
  const email = await read(test, owner, email_id);
  assert.deepEqual([email.problem, email.truncated, email.body_text], [problem, true, ""]);
  // Reading it again does not parse it again.
  assert.ok(ownMs() - begun < 900);
  const [listed] = await data(test.request("/v1/api/emails", { token: owner.key }));
  assert.deepEqual([listed.subject, listed.processed], ["stuck", true]);
  const download = await test.request(`/v1/api/emails/${email_id}/raw`, { token: owner.key });
  assert.equal(await download.text(), raw);
});

Deno.test("mail that uses its whole deadline delays neither small nor large mail of another account", async () => {
  const parsing = createParsePool(systemClock, {
    deadlineMs: 20_000,
    startWorker: stuckOn("stuck"),
  });
  await using test = await testService({ parts: { parsing }, instances: 1 });
  const [hostile, other] = [await account(test), await account(test)];
  const [theirs, box] = [await mailbox(test, hostile), await mailbox(test, other)];
  for (let n = 0; n < 3; n++) await deliver(test, theirs.email_address, large(`stuck ${n}`));
  const begun = performance.now();
  await deliver(test, box.email_address, message({ Subject: "small" }));
  await deliver(test, box.email_address, large("large"));
  await processedOf(test, other, 2);
  assert.ok(performance.now() - begun < 15_000);
  assert.deepEqual(await processedOf(test, hostile, 0), []);
  parsing.close();
});

Deno.test("get_email over MCP and REST has `truncated` only if it was cut", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const long = message({}, "a line of this letter\n".repeat(60_000));
  for (const [raw, truncated] of [[long, true], [message(), undefined]] as const) {
    const { email_id } = await deliver(test, box.email_address, raw);
    await test.settle();
    const answer = await test.request("/v1/mcp", {
      token: owner.key,
      headers: { accept: "application/json, text/event-stream" },
      json: {
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name: "get_email", arguments: { email_id } },
      },
    });
    const [, json] = /^(?:.*data: )?(\{.*)$/ms.exec(await answer.text())!;
    const { email } = JSON.parse(json.trim()).result.structuredContent;
    assert.deepEqual([email.truncated, email.problem], [truncated, null]);
    assert.equal((await read(test, owner, email_id)).truncated, truncated);
  }
});

/** 31 KiB of the worst of each kind: small enough to be parsed on the main thread. */
const worst: [string, string, string][] = [
  ["blanks in a pre element", "Content-Type: text/html\n\n<pre>", " "],
  ["headers of parts without an end", mixed(""), "--b\nX: y\n"],
  ["parts", mixed(""), "--b\n\nx\n"],
  ["attachments", mixed(""), "--b\nContent-Type: a/b\n\nx\n"],
  ["quotes in one another", `Content-Type: text/html\n\n${"<blockquote>".repeat(20)}`, "<p>a"],
  ["numbered items", `Content-Type: text/html\n\n${"<ol>".repeat(12)}`, "<li>a"],
  ["groups of addresses", "To: ", "a:"],
  ["addresses", "To: ", "a@b.example,"],
  ["encoded words", "To: ", "=?utf-8?B?gICA?= "],
  ["closing brackets", "References: ", ">"],
  ["comments", "Content-Type: text/plain; ", " ("],
  ["padding", "Content-Transfer-Encoding: base64\n\n", "A="],
  ["shifts", "Content-Type: text/plain; charset=iso-2022-kr\n\n", "\x0e"],
  ["attributions", "X: y\n\n", "a wrote 1:\n>q\n"],
];

function mixed(before: string): string {
  return `Content-Type: multipart/mixed; boundary=b\n\n${before}`;
}

nightly(
  "small mail of the worst kinds blocks the main thread for less than 250 ms, from arrival to reading",
  async () => {
    await using test = await testService({ instances: 1 });
    const owner = await account(test);
    const box = await mailbox(test, owner);
    const held: string[] = [];
    for (const [what, before, unit] of worst) {
      const raw = before + unit.repeat(Math.floor((31 * 1024 - before.length) / unit.length)) +
        "\n\nx";
      // The minimum of five runs, because other work on the machine blocks the thread too.
      let longest = Infinity;
      for (let turn = 0; turn < 5 && longest >= 250; turn++) {
        longest = Math.min(
          longest,
          await longestHold(async () => {
            const { email_id } = await deliver(test, box.email_address, `X-Turn: ${turn}\n${raw}`);
            await test.settle();
            await read(test, owner, email_id);
          }),
        );
      }
      if (longest >= 250) held.push(`${what}: ${longest.toFixed(0)} ms`);
    }
    assert.deepEqual(held, []);
  },
);

/** The longest delay of a timer of one millisecond, in milliseconds. */
async function longestHold(work: () => Promise<void>): Promise<number> {
  let longest = 0, last = ownMs();
  const watch = setInterval(() => {
    longest = Math.max(longest, ownMs() - last);
    last = ownMs();
  }, 1);
  await work();
  clearInterval(watch);
  return Math.max(longest, ownMs() - last);
}
