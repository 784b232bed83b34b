import type { Mailer } from "../../../domain/ports/mailer.ts";
import type { WebhookTarget } from "../../../domain/ports/webhook_target.ts";
import { FakeDns } from "../../adapters/dns/dns_fake.ts";

/** The host from which the senders of lifelike mail send. */
export const genuineHost = "192.0.2.25";
export const forgersHost = "198.51.100.66";

/** A receiver that does not answer. */
export const brokenHook = "https://ops.lantern-books.example/hooks/mail";
export const workingHook = "https://agent.lantern-books.example/letterbox";

/** A zone in which every domain sends only from `genuineHost`, and wants forged mail to be refused. */
export function zoneOf(domains: Iterable<string>): FakeDns {
  const dns = new FakeDns();
  for (const domain of domains) {
    dns.publish(domain, { txt: [`v=spf1 ip4:${genuineHost} -all`] });
    dns.publish(`_dmarc.${domain}`, { txt: ["v=DMARC1; p=reject"] });
  }
  return dns;
}

/** A relay that refuses one misspelt domain. */
export const relay: Mailer = {
  isOutbox: false,
  send: ({ envelopes }) =>
    Promise.resolve({
      recipients: envelopes.map(({ to }) =>
        to.endsWith("@kestrel-scool.example")
          ? {
            recipient: to,
            outcome: "permanent" as const,
            response: "550 5.1.2 Domain kestrel-scool.example does not exist",
          }
          : { recipient: to, outcome: "sent" as const, response: "250 2.0.0 queued" }
      ),
    }),
  check: () => Promise.resolve(true),
  close: () => {},
};

/** Receivers without a network: one answers, the other does not. */
export const receivers: WebhookTarget = {
  post: ({ url }) =>
    Promise.resolve(
      url === brokenHook
        ? { ok: true, status: 503, durationMs: 212 }
        : { ok: true, status: 204, durationMs: 38 },
    ),
  read: () => Promise.resolve({ ok: true, status: 404, body: "" }),
  check: () => Promise.resolve({ ok: true }),
};
