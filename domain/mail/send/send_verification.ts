import {
  addressToConfirm,
  newConfirmationLink,
} from "../../accounts/registration/email_verification.ts";
import { type Member, personOf } from "../../accounts/member.ts";
import type { RecipientResult } from "../../ports/mailer.ts";
import type { Service } from "../../core/service.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import { plainName } from "./to_people/plain_name.ts";
import { mailAsService, nextTry } from "./service_mail.ts";

/**
 * Mails a person the link that confirms the address. Each run makes a new token, because the store has tokens only as
 * hashes. If a run is killed after it has sent, the next one mails a second link, and both work.
 */
export async function sendVerification(
  service: Service,
  job: Job<"send_verification">,
): Promise<void> {
  const { userId, memberId } = personOf(job.payload);
  const { database, jobs, clock, log } = service;
  const member = await database.get<Member>(keys.member(userId, memberId));
  const to = member && addressToConfirm(member);
  const result = to ? await mailLink(service, job, member, to) : null;
  const again = result && nextTry(result, job, clock.now());
  await database.transact((tx) => again ? jobs.putOff(tx, job, again) : jobs.complete(tx, job));
  if (result) {
    const { outcome, response } = result;
    log.info("account.verification_mailed", { user_id: userId, outcome, response });
  }
}

async function mailLink(
  service: Service,
  job: Job,
  { userId, memberId, name, newEmail }: Member,
  email: string,
): Promise<RecipientResult> {
  const link = await newConfirmationLink(service, { userId, memberId }, email);
  const host = new URL(service.settings.BASE_URL).host;
  return await mailAsService(service, {
    ...{ userId, to: email, deliveryId: `verification:${job.jobId}` },
    ...(newEmail ? changeText(email, link, host) : verificationText({ name, email, link, host })),
  });
}

/** The mail to an address that is to replace the one with which the person logs in. */
function changeText(email: string, link: string, host: string): { subject: string; text: string } {
  return {
    subject: `Confirm your new address for ${host}`,
    text: `Somebody who logs in at ${host} wants to log in with ${email} from now on. ` +
      `Open this link and press the button to confirm that the address is yours:

${link}

The link works once, for 24 hours. If it was not you, ignore this mail: nothing changes.
`,
  };
}

/** Subject, text and HTML of the mail with the link that confirms an address. */
function verificationText(
  { name, email, link, host }: { name: string; email: string; link: string; host: string },
): { subject: string; text: string; html: string } {
  const reason = `Somebody registered ${email} at ${host}, a mail service for software agents.`;
  const then = "Open this link and press the button to confirm that the address is yours:";
  const until = "The link works once, for 24 hours. Until then the account reaches only its own " +
    "mailboxes.";
  const ignore = "If it was not you, ignore this mail: without the link the account sends " +
    "nothing to others.";
  const hello = `Hello ${plainName(name, "there")},`;
  const text = `${hello}

${reason} ${then}

${link}

${until}

${ignore}
`;
  const paragraph = (content: string) => `<p>${content}</p>`;
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Confirm your address</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
${paragraph(escaped(hello))}
${paragraph(`${escaped(reason)} ${then}`)}
${paragraph(`<a href="${escaped(link)}">${escaped(link)}</a>`)}
${paragraph(until)}
${paragraph(ignore)}
</body>
</html>
`;
  return { subject: `Confirm your address for ${host}`, text, html };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
