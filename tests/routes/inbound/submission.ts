import nodemailer from "nodemailer";
import type { SendMailOptions } from "nodemailer";
import { listenSubmission } from "../../../routes/inbound/smtp/listen_submission.ts";
import type { SmtpOptions } from "../../../routes/inbound/smtp/smtp_server.ts";
import { account, data, mailbox, type TestService } from "../../service.ts";
import { SmtpTalk } from "./smtp_talk.ts";

/** A listener, an account with a mailbox, and clients that log in to it. */
export async function submitting(
  test: TestService,
  options: Partial<SmtpOptions> & { plan?: "free" | "enterprise" } = {},
) {
  const listener = await listenSubmission(test.service, {
    hostname: "127.0.0.1",
    port: 0,
    ...options,
  });
  const owner = await account(test, options.plan);
  const box = await mailbox(test, owner);
  const auth = { user: box.email_address, pass: owner.key };
  return {
    ...{ owner, box, listener },
    port: listener.port,
    /** Sends with nodemailer. */
    async send(message: SendMailOptions, login: { user: string; pass: string } = auth) {
      const client = nodemailer.createTransport({
        ...{ host: "127.0.0.1", port: listener.port, auth: login },
      });
      try {
        return await client.sendMail({ from: box.email_address, ...message });
      } finally {
        client.close();
      }
    },
    /** A connection that has logged in. */
    async talk(login = auth) {
      const talk = await SmtpTalk.connect(listener.port);
      await talk.say("EHLO client.example");
      return { talk, reply: await talk.say(`AUTH PLAIN ${plain(login)}`) };
    },
    async drafts() {
      return await data(test.request("/v1/api/drafts", { token: owner.key }));
    },
    async emails(query = "") {
      return await data(
        test.request(`/v1/api/emails?direction=outbound${query}`, { token: owner.key }),
      );
    },
    async raw(emailId: string) {
      const answer = await test.request(`/v1/api/emails/${emailId}/raw`, { token: owner.key });
      return await answer.text();
    },
    async policy(changes: Record<string, unknown>) {
      await data(test.request(`/v1/api/mailboxes/${box.mailbox_id}/policy`, {
        ...{ method: "PUT", token: owner.accessToken, json: changes },
      }));
    },
    [Symbol.asyncDispose]: () => listener.close(),
  };
}

export function plain({ user, pass }: { user: string; pass: string }): string {
  return btoa(`\0${user}\0${pass}`);
}

/** One transaction; the last reply of it. */
export async function transaction(
  talk: SmtpTalk,
  from: string,
  to: string[],
  lines: string[],
): Promise<string> {
  await talk.say(`MAIL FROM:<${from}>`);
  for (const each of to) await talk.say(`RCPT TO:<${each}>`);
  await talk.say("DATA");
  return await talk.say([...lines, "."].join("\r\n"));
}
