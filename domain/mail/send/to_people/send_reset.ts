import { findMemberByEmail, type Member } from "../../../accounts/member.ts";
import { newResetLink } from "../../../accounts/new_password/reset_links.ts";
import type { RecipientResult } from "../../../ports/mailer.ts";
import type { Service } from "../../../core/service.ts";
import type { Job } from "../../../store/jobs.ts";
import { plainName } from "./plain_name.ts";
import { mailAsService, nextTry } from "../service_mail.ts";

/** Later the person has given up, or asked again. */
const givenUpAfterMs = 30 * 60_000;

/** Mails the link that sets a new password, if somebody logs in with the email. Each run makes a new token. */
export async function sendReset(service: Service, job: Job<"send_reset">): Promise<void> {
  const { database, jobs, clock, log } = service;
  const member = await findMemberByEmail(service, job.payload.email);
  const result = member?.status === "active" ? await mailLink(service, job, member) : null;
  const next = result && nextTry(result, job, clock.now());
  const again = next !== null && next < job.createdAt + givenUpAfterMs;
  await database.transact((tx) => again ? jobs.putOff(tx, job, next) : jobs.complete(tx, job));
  if (!member || !result) return;
  const { outcome, response } = result;
  log.info("account.reset_mailed", { user_id: member.userId, outcome, response });
}

async function mailLink(
  service: Service,
  { jobId }: Job,
  member: Member,
): Promise<RecipientResult> {
  const { userId, name, email } = member;
  const { link } = await newResetLink(service, member);
  const host = new URL(service.settings.BASE_URL).host;
  return await mailAsService(service, {
    ...{ userId, to: email, deliveryId: `reset:${jobId}` },
    subject: `A new password for ${host}`,
    text: `Hello ${plainName(name, "there")},

Somebody asked for a new password for ${email} at ${host}. Open this link to set it:

${link}

The link works once, for 30 minutes. A new password signs out every browser and disconnects every app; API keys stay.

If it was not you, ignore this mail: your password stays as it is.
`,
  });
}
