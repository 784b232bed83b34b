import assert from "node:assert/strict";
import { account, data, deliver, mailbox, message, testService } from "../../../service.ts";
import { seeded } from "../../../torture/seeded.ts";

/** An email as lists must show it. */
interface Model {
  id: string;
  mailboxId: string;
  subject: string;
  isRead: boolean;
  labels: string[];
}

interface Shown {
  email_id: string;
  mailbox_id: string;
  subject: string;
  is_read: boolean;
  labels: string[];
}

const unlimited = {
  requestsPerMinute: null,
  requestsPerHour: null,
  requestsPerDay: null,
  emailsPerMonth: null,
  emailsPerDay: null,
};
/** So many changes are under way at once, between reads of the same pages. */
const changesAtOnce = 5;
const steps = 14;
const filters: [query: string, passes: (email: Model) => boolean][] = [
  ["", () => true],
  ["&is_read=true", ({ isRead }) => isRead],
  ["&is_read=false", ({ isRead }) => !isRead],
  ["&label=a", ({ labels }) => labels.includes("a")],
  ["&subject=even", ({ subject }) => subject.startsWith("even")],
];

for (const [seed, mailboxCount] of [[1, 1], [2, 3]]) {
  Deno.test(`lists agree with a model after any changes at the same time, mailboxes: ${mailboxCount}`, async () => {
    await using test = await testService({ plans: { enterprise: unlimited } });
    const owner = await account(test), { key: token } = owner;
    const random = seeded(seed);
    const int = (below: number) => Math.floor(random() * below);
    const pick = <T>(all: readonly T[]): T => all[int(all.length)];
    const boxes: Awaited<ReturnType<typeof mailbox>>[] = [];
    const open = async () => void boxes.push(await mailbox(test, owner));
    for (let n = 0; n < mailboxCount; n++) await open();
    let emails: Model[] = [];
    let sent = 0;

    const arrive = async () => {
      const to = boxes.filter(() => random() < 0.7);
      if (to.length === 0) return;
      const subject = `${++sent % 2 ? "odd" : "even"} ${sent}`;
      // Each third message is so large that a job parses it.
      const text = "a line\n".repeat(sent % 3 ? 1 : 6_000);
      await Promise.all(to.map(async ({ mailbox_id, email_address }) => {
        const { email_id } = await deliver(
          test,
          email_address,
          message({ Subject: subject }, text),
        );
        const marks = { isRead: false, labels: [] };
        emails.push({ id: email_id, mailboxId: mailbox_id, subject, ...marks });
      }));
    };
    const mark = async (email: Model) => {
      const add = random() < 0.5, isRead = random() < 0.5;
      const json = { is_read: isRead, [add ? "add_labels" : "remove_labels"]: ["a"] };
      await data(test.request(`/v1/api/emails/${email.id}`, { token, json, method: "PATCH" }));
      Object.assign(email, { isRead, labels: add ? ["a"] : [] });
    };
    const remove = async (email: Model) => {
      const json = { email_ids: [email.id], delete: true };
      await data(test.request("/v1/api/emails/batch", { token, json }));
      emails = emails.filter((each) => each !== email);
    };
    /** Deletes a mailbox, and makes another one on its address. */
    const replaceBox = async () => {
      const [{ mailbox_id, email_address }] = boxes.splice(int(boxes.length), 1);
      const json = { confirm_email_address: email_address };
      const path = `/v1/api/mailboxes/${mailbox_id}`;
      await data(test.request(path, { token, json, method: "DELETE" }));
      emails = emails.filter(({ mailboxId }) => mailboxId !== mailbox_id);
      boxes.push(await mailbox(test, owner, ...email_address.split("@")));
    };
    const list = async (query: string) => {
      const answer = await test.request(`/v1/api/emails?${query}`, { token });
      assert.equal(answer.status, 200, await answer.clone().text());
      return await answer.json();
    };
    const all = async (query: string): Promise<Shown[]> => {
      const shown: Shown[] = [];
      for (let cursor = "";;) {
        const { data, meta } = await list(query + cursor);
        shown.push(...data);
        if (!meta.has_more) return shown;
        cursor = `&cursor=${meta.next_cursor}`;
      }
    };
    const check = async (scope: string, mailboxId: string | null) => {
      const expected = emails
        .filter((email) => mailboxId === null || email.mailboxId === mailboxId)
        .sort((a, b) => a.id < b.id ? 1 : -1);
      const compare = (shown: Shown[], wanted: Model[], query: string) =>
        assert.deepEqual(
          shown.map((each) => [each.email_id, each.subject, each.is_read, each.labels]),
          wanted.map((each) => [each.id, each.subject, each.isRead, each.labels]),
          query,
        );
      for (const limit of random() < 0.5 ? [4, 100, 1] : [100, 3]) {
        const query = `limit=${limit}${scope}`;
        compare((await list(query)).data, expected.slice(0, limit), query);
      }
      const [filter, passes] = pick(filters);
      const isAscending = random() < 0.3;
      const query = `limit=7${scope}${filter}${isAscending ? "&order=asc" : ""}`;
      const wanted = expected.filter(passes);
      compare(await all(query), isAscending ? wanted.reverse() : wanted, query);
    };

    for (let step = 0; step < steps; step++) {
      const free = [...emails];
      const take = () => free.splice(int(free.length), 1)[0];
      const changes = Array.from({ length: changesAtOnce }, () => {
        const kind = random(), email = kind < 0.4 ? undefined : take();
        if (!email) return arrive();
        return kind < 0.8 ? mark(email) : remove(email);
      });
      const newest = boxes.map(({ mailbox_id }) => `&mailbox_id=${mailbox_id}`);
      const reads = ["", "", ...newest].map((scope) => list(`limit=${pick([4, 100])}${scope}`));
      await Promise.all([...changes, ...reads]);
      if (step % 4 === 3) await Promise.all([replaceBox(), list("limit=100"), list("limit=4")]);
      await check("", null);
      for (const { mailbox_id } of boxes) await check(`&mailbox_id=${mailbox_id}`, mailbox_id);
    }
  });
}
