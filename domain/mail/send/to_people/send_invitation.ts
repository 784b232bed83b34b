import { newInvitationLink, readInvited } from "../../../accounts/members/invitation.ts";
import type { Service } from "../../../core/service.ts";
import type { Job } from "../../../store/jobs.ts";
import { plainName } from "./plain_name.ts";
import { mailAsService, nextTry } from "../service_mail.ts";

/** Mails an invited person a link with a token of its own; a run that is killed after it has sent mails another one. */
export async function sendInvitation(service: Service, job: Job<"send_invitation">): Promise<void> {
  const { database, jobs, clock, log, settings } = service;
  const { userId, memberId, by } = job.payload;
  const link = await database.transact(async (tx) => {
    const member = await readInvited(tx, clock.now(), { userId, memberId });
    return member &&
      { to: member.email, url: newInvitationLink(tx, service, member, { isMailed: true }) };
  });
  const result = link && await mailAsService(service, {
    ...{ userId, to: link.to, deliveryId: `invitation:${job.jobId}` },
    ...invitationText(plainName(by, "Somebody"), link.url, new URL(settings.BASE_URL).host),
  });
  const again = result && nextTry(result, job, clock.now());
  await database.transact((tx) => again ? jobs.putOff(tx, job, again) : jobs.complete(tx, job));
  if (result) {
    const { outcome, response } = result;
    log.info("account.invitation_mailed", { user_id: userId, outcome, response });
  }
}

function invitationText(by: string, link: string, host: string): { subject: string; text: string } {
  return {
    subject: `${by} invites you to ${host}`,
    text: `${by} invites you to an account of ${host}, a mail service for software agents. ` +
      `Open this link to choose a name and a password:

${link}

The link works once, for 7 days. If you do not know why you got this mail, ignore it.
`,
  };
}
