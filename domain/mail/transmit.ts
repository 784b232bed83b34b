import { isActive, type Route } from "../mailboxes/route.ts";
import type { Service } from "../service.ts";
import { readBlob, readWholeBlob } from "../store/blobs.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import type { Email } from "./message.ts";
import { receive } from "./receive.ts";
import { routingForm, type SendEmail } from "./send.ts";
import { writeEmail } from "./store_email.ts";

/** Sends one stored email: to our own mailboxes directly, to the rest by the mailer. Then its status is written. */
export async function transmit(service: Service, job: Job<SendEmail>): Promise<void> {
  const { userId, emailId } = job.payload;
  const email = await service.entries.get<Email>(keys.email(userId, emailId));
  if (!email || email.status !== "queued") {
    return await service.entries.transact((tx) => service.jobs.complete(tx, job));
  }
  const { own, others } = await split(service, email.envelope.to);
  if (own.length > 0) {
    await receive(service, {
      source: "smtp",
      sender: email.envelope.from,
      recipients: own,
      ingestId: `send:${emailId}`,
      body: readBlob(service.entries, email.raw),
    });
  }
  const result = others.length === 0 ? null : await service.mailer.send({
    envelope: { from: email.envelope.from, to: others },
    raw: await readWholeBlob(service.entries, email.raw),
  });
  if (result?.outcome === "temporary") {
    throw new Error(result.recipients[0]?.response ?? "the relay is not available");
  }
  await service.entries.transact(async (tx) => {
    service.jobs.complete(tx, job);
    const current = await tx.get<Email>(keys.email(userId, emailId));
    if (!current || current.status !== "queued") return;
    writeEmail(tx, {
      ...current,
      status: result?.outcome === "permanent" ? "failed" : "sent",
      statusReason: result?.recipients[0]?.response,
    });
  });
}

async function split(
  service: Service,
  recipients: string[],
): Promise<{ own: string[]; others: string[] }> {
  const own: string[] = [], others: string[] = [];
  for (const recipient of recipients) {
    const form = routingForm(recipient);
    const route = form && await service.entries.get<Route>(keys.mailboxByAddress(form));
    (route && isActive(route) ? own : others).push(recipient);
  }
  return { own, others };
}
