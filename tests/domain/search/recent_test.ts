import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { searchRecent } from "../../../domain/search/lexical.ts";
import { account, deliver, mailbox, message, testService } from "../../service.ts";
import { nightly } from "../../nightly.ts";
import { ownMs } from "../../own_time.ts";

nightly(
  "while the index does not answer, emails with hundreds of recipients delay no other work of the process",
  async () => {
    await using test = await testService({ instances: 1 });
    const owner = await account(test);
    const box = await mailbox(test, owner);
    const to = Array.from({ length: 400 }, (_, n) => `Somebody Called ${n} <p${n}@example.org>`)
      .join(",\r\n ");
    for (let n = 0; n < 40; n++) {
      await deliver(test, box.email_address, message({ Subject: `Harbour ${n}`, To: to }, "text"));
    }
    // Only the search is measured.
    await test.settle();
    let turns = 0, isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    const begunAt = ownMs();
    count();
    const hits = await searchRecent(test.service, owner.userId, "harbour", {
      mailboxes: new Set([box.mailbox_id]),
    });
    isOver = true;
    const ms = ownMs() - begunAt;
    assert.equal(hits.length, 40);
    // A slice is 5 ms; a busy machine makes both longer.
    assert.ok(ms / turns < 10 || ms < 40, `${turns} turns in ${ms} ms`);
    const late = await searchRecent(test.service, owner.userId, "p399", {
      mailboxes: new Set([box.mailbox_id]),
    });
    assert.equal(late.length, 0, "the recipients beyond 2,000 characters are not read");
  },
);
