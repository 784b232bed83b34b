import assert from "node:assert/strict";
import { bounded } from "../../../eventually.ts";
import {
  account,
  data,
  deliver,
  FakeClock,
  mailbox,
  message,
  testService,
} from "../../../service.ts";

Deno.test("a wait gets mail that comes in through an instance whose clock is behind, and no older mail", async () => {
  await using one = await testService({ exclusive: false, instances: 1 });
  const clock = new FakeClock(one.clock.now() + 5_000);
  await using two = await testService({ kv: one.kv, exclusive: false, parts: { clock } });
  const owner = await account(one);
  const box = await mailbox(one, owner);
  const arrive = (Subject: string) => deliver(one, box.email_address, message({ Subject }));
  const before = await arrive("before");
  const path = `/v1/api/emails/wait?mailbox_id=${box.mailbox_id}`;
  const waiting = data(two.request(path, { token: owner.key }));
  await two.waiting(1);
  const label = { token: owner.key, method: "PATCH", json: { add_labels: ["seen"] } };
  await data(one.request(`/v1/api/emails/${before.email_id}`, label));
  const now = await arrive("now");
  const { email } = await bounded("the wait is answered", waiting, two.log);
  assert.equal(email.email_id, now.email_id);
});
