import type { Scope } from "../../../domain/core/caller.ts";
import { prepareDemonstration } from "../../../commands/demonstration.ts";
import { codeFor, exchange, register } from "../../routes/oauth/connect.ts";
import { FakeClock, inboundToken, type TestService, testService } from "../../service.ts";
import { lifelikeMail, messageOf } from "./mail.ts";
import {
  brokenHook,
  forgersHost,
  genuineHost,
  receivers,
  relay,
  workingHook,
  zoneOf,
} from "./outside.ts";

const domain = "agents.example.com";
const minuteMs = 60_000;
/** A week, so that charts by day have days. */
const longestAgo = 7 * 24 * 60;

/** The demonstration account of `dev` with a week of lifelike mail, at `now`. */
export interface LifelikeAccount extends AsyncDisposable {
  test: TestService;
  /** The cookie of a session, as `name=value`, and its access token. */
  cookie: string;
  session: string;
  /** The API key of the agent. */
  key: string;
  /** Local part -> mailbox_id. */
  mailboxes: Record<string, string>;
}

/**
 * A service in memory whose demonstration account has received and answered mail for a week. At the end the clock is at
 * `now`; nothing leaves the process. `base` is the URL at which the service will be served.
 */
export async function lifelikeAccount(base: string, now: number): Promise<LifelikeAccount> {
  const domains = new Set(lifelikeMail.map(({ from }) => from.split("@")[1]));
  const test = await testService({
    instances: 1,
    // The plans as they are.
    plans: {},
    env: { BASE_URL: base, SHARED_DOMAINS: domain, MX_HOST: `mx.${domain}` },
    parts: {
      clock: new FakeClock(now - longestAgo * minuteMs),
      dns: zoneOf(domains),
      mailer: relay,
      webhookTarget: receivers,
    },
  });
  await test.settle();
  const { email, password, key } = (await prepareDemonstration(test.service))!;
  const life = new Life(test, { email, password: password!, key: key! }, now);
  await life.begin();
  for (const [minutesAgo, happens] of story(life)) {
    await life.until(minutesAgo);
    await happens();
    await test.settle();
  }
  await life.until(0);
  const cookie = await life.signIn();
  return {
    test,
    cookie,
    session: life.session,
    key: life.key,
    mailboxes: life.mailboxes,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

/** The actions in order, each with its time in minutes before the end. */
function story(life: Life): [minutesAgo: number, () => Promise<unknown>][] {
  const to = "agent-demo";
  const quiet: [number, () => Promise<unknown>][] = Array.from({ length: 34 }, (_, n) => [
    longestAgo - 300 - n * 270 - (n % 4) * 47,
    () => life.receive(notice(n, life.addressOf(to)), "dispatch@parcel-north.example"),
  ]);
  const mails: [number, () => Promise<unknown>][] = lifelikeMail.map((mail, n) => [
    mail.minutesAgo,
    () =>
      life.receive(
        messageOf(n, life.addressOf(to), life.end),
        mail.from,
        mail.forged ? forgersHost : genuineHost,
      ),
  ]);
  return [
    ...quiet,
    ...mails,
    [2_700, () =>
      life.reply(
        "HB-20418",
        "We found the atlas at the packing table, sorry. " +
          "Shall we send it by courier on Tuesday?\n\nThe shop's agent",
      )],
    [2_200, () => life.block("offers@bulk-deals.example")],
    [1_480, () =>
      life.reply(
        "Collection moved",
        "Thursday, 14:00 to 16:00 is fine. " +
          "Six cartons, ready at gate 2.\n\nThe shop's agent",
      )],
    [
      900,
      () =>
        life.send(
          to,
          ["office@kestrel-scool.example"],
          "Your purchase order",
          "Could you send us the purchase order for the field guides?",
        ),
    ],
    [60, () => life.refused("offers@bulk-deals.example")],
    [40, () => life.holdNew("quotes")],
    [30, () => life.search("which parcel is late?")],
    [
      24,
      () =>
        life.send(
          "quotes",
          ["priya.raman@kestrel-school.example"],
          "Quote: 34 copies of the field guide",
          quote,
        ),
    ],
    [300, () => life.label("Invoice", ["invoice"])],
    [280, () => life.label("Collection moved", ["shipping"])],
    [15, () => life.markRead(150)],
    [3, () => life.read("damaged lamp")],
  ].toSorted(([a], [b]) => Number(b) - Number(a)) as [number, () => Promise<unknown>][];
}

const quote = `Dear Ms Raman,

34 copies of the field guide are EUR 15.40 each for schools, EUR 523.60 in all. Delivery to the school is included, and you can pay by invoice within 30 days.

If you order by 12 December they are with you before 11 January.

Kind regards
The shop's agent`;

/** A parcel notice: mail that nobody answers. */
const notice = (n: number, to: string) =>
  [
    "From: Parcel North <dispatch@parcel-north.example>",
    `To: ${to}`,
    `Subject: Parcel PN-${4_310 + n * 7} ${
      ["was collected", "is on its way", "was delivered"][n % 3]
    }`,
    `Message-ID: <notice-${n}@parcel-north.example>`,
    "Auto-Submitted: auto-generated",
    "",
    `Parcel PN-${4_310 + n * 7} of Lantern Books. You can follow it with this number.`,
    "",
  ].join("\r\n");

const apps: { name: string; redirectUri: string; scopes: Scope[] }[] = [
  {
    name: "Quill Desk",
    redirectUri: "https://quill-desk.example/mcp/callback",
    scopes: ["emails:read", "emails:send", "mailboxes:read", "search"],
  },
  { name: "Bindery Editor", redirectUri: "http://127.0.0.1:33418/", scopes: ["emails:read"] },
];

/** The actions of people and an agent in the account, over the API. */
class Life {
  readonly mailboxes: Record<string, string> = {};
  session = "";

  constructor(
    private readonly test: TestService,
    private readonly shown: { email: string; password: string; key: string },
    readonly end: number,
  ) {}

  get key(): string {
    return this.shown.key;
  }

  get now(): number {
    return this.test.clock.now();
  }

  addressOf = (local: string) => `${local}@${domain}`;

  /** Moves the clock to `minutes` before the end. */
  async until(minutesAgo: number): Promise<void> {
    const ms = this.end - minutesAgo * minuteMs - this.now;
    if (ms > 0) await this.test.advance(ms);
  }

  /** Returns the cookie of the session, as `name=value`. An access token lasts for minutes only. */
  async signIn(): Promise<string> {
    const { email, password } = this.shown;
    const answer = await this.test.request("/api/auth/login", { json: { email, password } });
    this.session = (await answer.json()).data.accessToken;
    return answer.headers.get("set-cookie")!.split(";")[0];
  }

  async begin(): Promise<void> {
    await this.signIn();
    for (const local of ["orders", "quotes"]) {
      await this.ask("/v1/api/mailboxes", { local_part: local, domain });
    }
    const { mailboxes } = await this.ask("/v1/api/mailboxes");
    for (const { email_address, mailbox_id } of mailboxes) {
      this.mailboxes[email_address.split("@")[0]] = mailbox_id;
    }
    for (const url of [workingHook, brokenHook]) {
      await this.ask("/v1/api/webhooks", { url, events: ["email.received", "email.failed"] });
    }
    const scopes = ["emails:read", "search"];
    await this.ask("/v1/api/keys", { name: "Nightly report", scopes, expires_in_days: 90 });
    await this.ask("/v1/api/keys", { name: "Support agent" });
    await this.ask("/api/domains", { domain: "mail.lantern-books.example" });
    const { userId } = (await this.ask("/api/account")).data;
    for (const { name, redirectUri, scopes } of apps) {
      const redirect_uri = redirectUri;
      const clientId = await register(this.test, {
        client_name: name,
        redirect_uris: [redirect_uri],
      });
      const owner = { userId, accessToken: this.session };
      const code = await codeFor(this.test, owner, clientId, { redirectUri, scopes });
      await exchange(this.test, clientId, code, { redirect_uri });
    }
  }

  async receive(raw: string, from: string, host = genuineHost): Promise<void> {
    const to = /^To: (.*)\r$/m.exec(raw)![1];
    await this.deliver(raw, from, to, host);
  }

  /** The mailbox refuses further mail of a sender. */
  async block(sender: string): Promise<void> {
    await this.signIn();
    await this.setPolicy("agent-demo", { block_senders: [sender] });
  }

  async refused(from: string): Promise<void> {
    const to = this.addressOf("agent-demo");
    const raw = `From: ${from}\r\nTo: ${to}\r\nSubject: 90 % off\r\n\r\nOnly today.\r\n`;
    await this.deliver(raw, from, to);
  }

  async reply(subject: string, text: string): Promise<void> {
    const emailId = await this.emailOf(subject);
    await this.ask(`/v1/api/emails/${emailId}/reply`, { body_text: text }, this.key);
  }

  async send(from: string, to: string[], subject: string, text: string): Promise<void> {
    const mail = { mailbox_id: this.mailboxes[from], to, subject, body_text: text };
    await this.ask("/v1/api/emails/send", mail, this.key);
  }

  async label(subject: string, labels: string[]): Promise<void> {
    const emailId = await this.emailOf(subject);
    await this.ask(
      `/v1/api/emails/${emailId}`,
      { add_labels: labels, is_read: true },
      this.key,
      "PATCH",
    );
  }

  async read(subject: string): Promise<void> {
    await this.ask(`/v1/api/emails/${await this.emailOf(subject)}`, undefined, this.key);
  }

  /** The agent has handled all older mail. */
  async markRead(minutes: number): Promise<void> {
    const { data } = await this.ask(
      "/v1/api/emails?direction=inbound&limit=100",
      undefined,
      this.key,
    );
    const before = this.now - minutes * minuteMs;
    const emailIds = data.filter((each: { received_at: string }) =>
      Date.parse(each.received_at) < before
    ).map((each: { email_id: string }) => each.email_id);
    await this.ask("/v1/api/emails/batch", { email_ids: emailIds, is_read: true }, this.key);
  }

  search = (query: string) => this.ask("/v1/api/search", { query }, this.key);

  /** From now on a person approves mail of this mailbox to new recipients. */
  async holdNew(local: string): Promise<void> {
    await this.signIn();
    await this.setPolicy(local, { approval: "new_recipients" });
  }

  private setPolicy(local: string, policy: Record<string, unknown>) {
    const path = `/v1/api/mailboxes/${this.mailboxes[local]}/policy`;
    return this.ask(path, policy, this.session, "PUT");
  }

  private async emailOf(subject: string): Promise<string> {
    const query = new URLSearchParams({ subject, direction: "inbound", limit: "1" });
    return (await this.ask(`/v1/api/emails?${query}`, undefined, this.key)).data[0].email_id;
  }

  private deliver(raw: string, from: string, to: string, host = genuineHost) {
    return this.test.request("/inbound/raw", {
      method: "POST",
      token: inboundToken,
      headers: {
        "content-type": "message/rfc822",
        "x-envelope-to": to,
        "x-envelope-from": from,
        "x-remote-ip": host,
      },
      body: raw,
    });
  }

  private async ask(path: string, json?: unknown, token = this.session, method?: string) {
    const answer = await this.test.request(path, { json, token, ...method ? { method } : {} });
    const body = await answer.json();
    if (!answer.ok) throw new Error(`${method ?? ""} ${path}: ${JSON.stringify(body)}`);
    return body;
  }
}
