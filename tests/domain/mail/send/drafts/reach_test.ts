import assert from "node:assert/strict";
import { unavailable } from "../../../../../domain/core/errors.ts";
import * as keys from "../../../../../domain/store/keys.ts";
import { account, mailbox, testService } from "../../../../service.ts";
import { call, callsOf, given } from "./approvals.ts";

const soonMs = 1_800_000;

Deno.test("a key that is limited to other mailboxes finds no draft of this one, in a list or by its id", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [box, other] = [await mailbox(test, owner), await mailbox(test, owner)];
  const { agent, person } = callsOf(test, owner);
  const mail = { to: "ann@one.example", body_text: "x" };
  const hidden = await given(agent("POST", "/drafts", { ...mail, mailbox_id: box.mailbox_id }));
  const seen = await given(agent("POST", "/drafts", { ...mail, mailbox_id: other.mailbox_id }));
  const { apiKey } = await given(
    person("POST", "/keys", { name: "limited", mailboxIds: [other.mailbox_id] }),
  );
  const limited = (method: string, path: string, json?: unknown) =>
    call(test, apiKey, method, `/v1/api${path}`, json);
  const listed = await given(limited("GET", "/drafts"));
  assert.deepEqual(listed.map(({ draft_id }: { draft_id: string }) => draft_id), [seen.draft_id]);
  assert.equal((await limited("GET", `/drafts?mailbox_id=${box.mailbox_id}`)).status, 404);
  const requests = [["GET", ""], ["PATCH", "", { body_text: "y" }], ["DELETE", ""], [
    "POST",
    "/send",
    {},
  ]] as const;
  for (const [method, end, json] of requests) {
    const answer = await limited(method, `/drafts/${hidden.draft_id}${end}`, json);
    assert.deepEqual([answer.status, answer.body.error?.code], [404, "NOT_FOUND"], method);
  }
  assert.deepEqual(await given(agent("GET", `/drafts/${hidden.draft_id}`)), hidden);
  assert.equal((await limited("GET", `/drafts/${seen.draft_id}`)).status, 200);
});

Deno.test("the purge of a mailbox removes the text of its ended drafts, and nothing of another mailbox", async () => {
  await using test = await testService();
  const owner = await account(test);
  const [box, other] = [await mailbox(test, owner), await mailbox(test, owner)];
  const { agent } = callsOf(test, owner);
  const ended = async (mailbox_id: string) => {
    const mail = { mailbox_id, to: "ann@one.example", body_text: "x" };
    const { draft_id } = await given(agent("POST", "/drafts", mail));
    await given(agent("DELETE", `/drafts/${draft_id}`));
    return draft_id as string;
  };
  const [gone, kept] = [await ended(box.mailbox_id), await ended(other.mailbox_id)];
  const isThere = async (draftId: string) =>
    (await test.kv.get(keys.endedDraft(owner.userId, draftId))).value !== null;
  assert.deepEqual([await isThere(gone), await isThere(kept)], [true, true]);
  const confirm_email_address = box.email_address;
  await given(agent("DELETE", `/mailboxes/${box.mailbox_id}`, { confirm_email_address }));
  await test.settle();
  assert.deepEqual([await isThere(gone), await isThere(kept)], [false, true]);
});

// One instance: the test wakes its jobs, and makes it fail.
for (
  const [what, sentAtTime] of [
    ["whose job is woken early is sent at its time", 1],
    ["that finds the database away at its time is sent later", 0],
  ] as const
) {
  Deno.test(`a scheduled mail ${what}`, async () => {
    await using test = await testService({ instances: 1 });
    const owner = await account(test);
    const { mailbox_id } = await mailbox(test, owner);
    const { agent, sentMails } = callsOf(test, owner);
    const send_at = new Date(test.clock.now() + soonMs).toISOString();
    const mail = { mailbox_id, to: "ann@one.example", body_text: "x", send_at };
    const { draft_id } = await given(agent("POST", "/drafts", mail));
    const statusNow = async () => (await given(agent("GET", `/drafts/${draft_id}`))).status;
    const { parsing, jobs } = test.service;
    if (sentAtTime === 1) {
      jobs.wake("send_draft");
      await test.settle();
    } else {
      const parse = parsing.parse.bind(parsing);
      parsing.parse = (source) => {
        parsing.parse = parse;
        return Promise.reject(unavailable(`${source.userId} cannot be read`));
      };
    }
    assert.deepEqual([await statusNow(), await sentMails()], ["scheduled", 0]);
    await test.advance(soonMs);
    assert.equal(await sentMails(), sentAtTime);
    await test.advance(60_000);
    assert.deepEqual([await statusNow(), await sentMails()], ["sent", 1]);
  });
}
