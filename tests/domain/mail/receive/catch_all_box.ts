import * as keys from "../../../../domain/store/keys.ts";
import { receive } from "../../../../domain/mail/receive/receive.ts";
import { account, data, mailbox, message, type TestService } from "../../../service.ts";

/** An account with a mailbox that takes all mail of a domain of its own. */
export async function catchAllBox(test: TestService, domain: string) {
  const owner = await account(test);
  await test.service.database.transact((tx) => {
    tx.set(keys.customDomainVerified(domain), { userId: owner.userId, domainId: "h1" });
  });
  const box = await mailbox(test, owner, "catch-box", domain);
  const call = (path: string, json?: unknown, method?: string) =>
    data(test.request(`/v1/api${path}`, { token: owner.key, json, method }));
  await test.request(`/v1/api/mailboxes/${box.mailbox_id}`, {
    ...{ method: "PATCH", token: owner.key, json: { catch_all: true } },
  });
  const take = (recipients: string[], text = message({ To: "list@lists.example" })) =>
    receive(test.service, {
      ...{ source: "smtp", sender: "ada@example.net", recipients, ingestId: null, facts: {} },
      body: new Blob([text]).stream(),
    });
  return { owner, box, call, take };
}
