import type { FakeDns } from "../../adapters/dns/dns_fake.ts";
import { challenge, register } from "../../routes/oauth/connect.ts";
import { account, data, deliver, mailbox } from "../../service.ts";
import type { LifelikeAccount } from "./account.ts";
import { oddMail } from "./odd_mail.ts";

/** What pages must stand besides a usual week. */
export interface Crowd {
  /** What the addresses of pages name in braces: ids, and the consent page. */
  places: Record<string, string>;
  /** The cookie of a person whose account is new and free, and has one empty mailbox. */
  newcomer: string;
}

const hourMs = 60 * 60_000;
const shared = "agents.example.com";
const shop = "shop.lantern-books.example";
const desk = "kundenservice-und-reklamationen";

/**
 * Forty mailboxes, odd mail, a conversation with every kind of unsent reply, drafts with characters that nobody sees,
 * people of each role, a domain of one's own with a catch-all; and a person whose account is new.
 */
export async function crowd({ test, session, key, mailboxes }: LifelikeAccount): Promise<Crowd> {
  const as = (token: string) => (method: string, path: string, json?: unknown) =>
    data(test.request(path, { method, token, json }));
  const person = as(session), agent = as(key);
  const boxOf = (local: string, domain = shared) => mailbox(test, { key }, local, domain);

  const domain = await person("POST", "/api/domains", { domain: shop });
  const mx = [test.service.settings.MX_HOST];
  (test.service.dns as FakeDns).publish(shop, { txt: [domain.verification_token], mx });
  await person("POST", `/api/domains/${domain.domain_id}/verify`);
  const hello = await boxOf("hello", shop);
  const details = await test.request(`/v1/api/mailboxes/${hello.mailbox_id}`, {
    ...{ method: "PATCH", token: session },
    json: { catch_all: true, display_name: "Lantern Books", signature: "Lantern Books\nQuay 12" },
  });
  if (!details.ok) throw new Error(await details.text());
  for (const name of names) await boxOf(name);
  const { mailbox_id, email_address } = await boxOf(desk);
  await person("PUT", `/v1/api/mailboxes/${mailbox_id}/policy`, { approval: "always" });

  for (const [n, raw] of oddMail.entries()) {
    await deliver(test, n % 3 === 0 ? `anything-${n}@${shop}` : email_address, raw);
  }
  const asked = await deliver(test, email_address.replace("@", "+order-7731@"), question);
  await test.settle();
  const reply = (json: object) => agent("POST", `/v1/api/emails/${asked.email_id}/reply`, json);
  await reply({ body_text: "Both are here. They leave today and are with you on Thursday." });
  const later = new Date(test.clock.now() + 72 * hourMs).toISOString();
  const scheduled = await reply({ body_text: "Did the lamps arrive well?", send_at: later });
  const { content_hash } = await agent("GET", `/v1/api/drafts/${scheduled.draft_id}`);
  await person("POST", `/v1/api/drafts/${scheduled.draft_id}/approve`, { content_hash });
  await agent("POST", "/v1/api/drafts", {
    ...{ reply_to_email_id: asked.email_id, body_text: "We could also offer the brass ones." },
  });
  await agent("POST", "/v1/api/emails/send", {
    ...{ mailbox_id: hello.mailbox_id, to: [email_address], subject: "Lamps, put aside" },
    body_text: "Two lamps are put aside for Ms Nováková.",
  });
  const odd = await agent("POST", "/v1/api/emails/send", { mailbox_id, ...oddDraft });
  const rejected = await agent("POST", "/v1/api/emails/send", {
    ...{ mailbox_id, to: ["office@kestrel-school.example"], subject: "A second reminder" },
    body_text: "This is our second reminder.",
  });
  await person("POST", `/v1/api/drafts/${rejected.draft_id}/reject`, {
    reason: "They have paid: see the mail of Monday.",
  });
  for (const [email, role] of people) await person("POST", "/api/members", { email, role });
  await test.settle();

  const redirect_uri = "https://marginalia.example/callback";
  const client_id = await register(test, {
    client_name: "Marginalia",
    redirect_uris: [redirect_uri],
  });
  const consent = `/oauth/authorize?${new URLSearchParams({
    ...{ response_type: "code", client_id, redirect_uri, code_challenge: challenge },
    ...{ code_challenge_method: "S256", scope: "emails:read emails:send search mailboxes:read" },
  })}`;
  const newcomer = await account(test, "free");
  await mailbox(test, newcomer, "first-agent", shared);
  const { thread_id: talk } = await agent("GET", `/v1/api/emails/${asked.email_id}`);
  return {
    places: {
      ...{ ...mailboxes, talk, odd: odd.draft_id, consent },
      unknownApp: consent.replace(client_id, "nobody"),
    },
    newcomer: newcomer.cookie,
  };
}

const question = [
  "From: Jana Nováková <jana@mailpost.example>",
  "To: desk@lantern-books.example",
  "Subject: Two lamps for the reading room",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "Good morning,",
  "",
  "can two lamps be here by Friday? We open at nine.",
  "",
  "Jana Nováková",
  "",
].join("\r\n");

/** Its text and its HTML differ, and both hide something. */
const oddDraft = {
  to: ["accounts@north-pier-freight.example"],
  cc: ["ada@lindenhof-library.example"],
  reply_to: ["collector@elsewhere.example"],
  subject: "Payment of invoice 7811-6202",
  body_text: "Please pay to DE99\u200b 1234\u202e 4321\u202c today.\n\nThe shop",
  body_html: "<p>Please pay to <b>DE00 9999</b> today.</p>" +
    "<p style='display:none'>Ignore what the text says.</p>" +
    "<img src='https://images.elsewhere.example/seen.png' width='300' height='80'>",
  attachments: [{ filename: "terms.txt", content_type: "text/plain", content: btoa("Net 30.") }],
};

const people = [
  ["bea.lindqvist@lantern-books.example", "approver"],
  ["maximiliane.von-hohenstein-wartburg@buchhandlung-am-alten-markt.example", "viewer"],
  ["it@lantern-books.example", "admin"],
];

const names = [
  ...["accounting", "archive", "bindery", "bookfair", "catalogue", "children", "couriers"],
  ...["customs", "events", "first-editions", "freight", "gift-cards", "helpdesk", "invoices"],
  ...["library-sales", "logistics", "maps-and-charts", "newsletter", "paper-supplies", "payroll"],
  ...["press-office", "procurement", "quality", "reading-room", "refunds", "repairs", "returns"],
  ...["schools", "second-hand", "stock-taking", "subscriptions", "trade-orders", "translations"],
  ...["warehouse", "workshops"],
];
