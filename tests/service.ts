import { argon2id } from "hash-wasm";
import { createApiKey } from "../domain/accounts/api_keys.ts";
import { ClientDocuments } from "../domain/apps/client_documents.ts";
import { AuditTrail } from "../domain/audit/trail.ts";
import { Credentials } from "../domain/accounts/credentials.ts";
import { type Member, personOf } from "../domain/accounts/member.ts";
import { beginSession } from "../domain/accounts/sessions.ts";
import type { User } from "../domain/accounts/user.ts";
import { LoginGuard } from "../domain/accounts/login_guard.ts";
import { MailboxNames } from "../domain/mailboxes/mailbox_names.ts";
import { Passwords } from "../domain/accounts/passwords.ts";
import { RateLimiter } from "../domain/billing/rate_limit.ts";
import { createLog, type Facts, type Log, type LogLevel } from "../domain/core/log.ts";
import { type Clock, systemClock } from "../domain/core/clock.ts";
import { FairTurns } from "../domain/core/work/fair_turns.ts";
import { IdleMemory } from "../domain/core/work/idle_memory.ts";
import { type Ids, systemIds } from "../domain/core/ids.ts";
import { Metrics } from "../domain/core/metrics/metrics.ts";
import { perform } from "../domain/core/operation.ts";
import { type Plan, type PlanOverrides, planTable } from "../domain/core/plans.ts";
import { attachmentTexts } from "../adapters/attachment_text/attachment_texts.ts";
import { createOutboxMailer } from "../adapters/mailer/outbox.ts";
import { httpsTarget } from "../adapters/webhook_target/https.ts";
import { createParsePool } from "../domain/mail/read/parsing/parse_pool.ts";
import { ParsedBodies } from "../domain/mail/read/parsing/parsed_bodies.ts";
import { Waiting } from "../domain/changes/waiting.ts";
import { ClaimTurns } from "../domain/mail/work/claim_turns.ts";
import { ArrivalLoad } from "../domain/mail/receive/arrival_load.ts";
import type { Service } from "../domain/core/service.ts";
import { readSettings } from "../domain/core/settings.ts";
import { Database } from "../domain/store/database.ts";
import { Jobs } from "../domain/store/jobs.ts";
import * as keys from "../domain/store/keys.ts";
import { sessionCookieName } from "../routes/http/access.ts";
import { createApp, served } from "../routes/app.ts";
import { openApiDocument } from "../routes/reference/openapi.ts";
import { Dispatcher } from "../workers/dispatch.ts";
import { RemoteKv } from "./remote_kv/remote_kv.ts";
import { mailauthChecks } from "../adapters/sender_checks/mailauth.ts";
import { FakeDns } from "./adapters/dns/dns_fake.ts";
import { workers } from "../workers/workers.ts";
import { Contract } from "./contract.ts";
import { StoreChecks } from "../domain/store/store_checks.ts";
import { bounded, eventually } from "./eventually.ts";
import { indexOfTest } from "./idle_index.ts";

/** A clock that moves only by `advance`, which fires everything that becomes due on the way, in order. */
export class FakeClock implements Clock {
  private readonly alarms = new Set<{ at: number; wake: () => void }>();

  constructor(private time = Date.parse("2026-11-20T10:00:00.000Z")) {}

  now(): number {
    return this.time;
  }

  wakeAt(at: number, wake: () => void): () => void {
    // What is due already does not wait for the next `advance`.
    if (at < this.time) return systemClock.after(0, wake);
    const alarm = { at, wake };
    this.alarms.add(alarm);
    return () => void this.alarms.delete(alarm);
  }

  wakeIn(delayMs: number, wake: () => void): () => void {
    return this.wakeAt(this.now() + delayMs, wake);
  }

  /** Real time, because measurements and deadlines are about work that really runs. */
  elapsed(): number {
    return systemClock.elapsed();
  }

  after(delayMs: number, run: () => void): () => void {
    return systemClock.after(delayMs, run);
  }

  advance(ms: number): void {
    const until = this.time + ms;
    for (;;) {
      const next = [...this.alarms].filter((each) =>
        each.at <= until
      ).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.alarms.delete(next);
      this.time = Math.max(this.time, next.at);
      next.wake();
    }
    this.time = until;
  }
}

export interface LogLine {
  level: LogLevel;
  event: string;
  [fact: string]: Facts[string];
}

export interface TestService extends AsyncDisposable {
  service: Service;
  clock: FakeClock;
  kv: Deno.Kv;
  log: LogLine[];
  dispatcher: Dispatcher;
  /** How many instances take the requests in turn; `service` and `dispatcher` are the first's. */
  instances: number;
  /** Resolves when so many requests wait for changes, in all instances; throws after 20 s. */
  waiting(count: number): Promise<void>;
  /** One request to the app, as a client would send it. */
  request(path: string, init?: RequestInit & { token?: string; json?: unknown }): Promise<Response>;
  /** Resolves when no job is due or running at the present time of the clock; throws after two minutes. */
  settle(): Promise<void>;
  /** Moves the clock by `ms` and waits until everything that became due has ended. */
  advance(ms: number): Promise<void>;
}

/** Real time; the longest of the tests take a quarter of it on a busy machine. */
const longestSettlingMs = 120_000;

export const inboundToken = "inbound-token-of-the-tests";
export const operatorToken = "operator-token-of-the-tests";

export interface TestOptions {
  env?: Record<string, string>;
  plans?: PlanOverrides;
  /** Parts of the service that replace the embedded ones. */
  parts?: Partial<Service>;
  /** The same for parts that each instance has separately. */
  ownParts?: (own: { database: Database }) => Partial<Service>;
  /** Another service's database, for two instances on one store. */
  kv?: Deno.Kv;
  /** A stand-in of a remote database; each instance has its own handle. */
  remote?: RemoteKv;
  exclusive?: boolean;
  ids?: Ids;
  /** How many instances on one store take the requests in turn. Absent: `TEST_INSTANCES`, else one. */
  instances?: number;
}

/** `deno task test:two` runs the suite with two. */
const instancesOfAll = Number(Deno.env.get("TEST_INSTANCES") ?? 1);
/** `deno task test:remote` sets it: each service has a stand-in of a remote database of its own. */
const isRemote = Deno.env.get("TEST_REMOTE") === "1";

const passwordsOfAll = new Passwords({
  clock: { now: () => 0, wakeAt: () => () => {} },
  ids: systemIds(),
});

/** As argon2id demands at least. With the service's own cost a password took 0.07 s of processor, and suites use hundreds. */
const leastCost = { memorySize: 8, iterations: 1, parallelism: 1, hashLength: 32 };

/** One thread verifies for all tests of this isolate; a hash names its cost. passwords_test.ts tests the service's own. */
class TestPasswords extends Passwords {
  override async hash(given: string): Promise<string> {
    const password = given.normalize("NFC"), salt = systemIds().bytes(16);
    return await argon2id({ ...leastCost, password, salt, outputType: "encoded" });
  }

  override async verify(given: string, hash: string | null): Promise<boolean> {
    return await passwordsOfAll.verify(given, hash ?? passwordHash) && hash !== null;
  }
}

let contract: Contract | null = null;
const contractOfAll = () =>
  contract ??= new Contract(openApiDocument(served, { baseUrl: "http://localhost", version: "1" }));

/** Every answer of every test is compared with the OpenAPI document. */
async function held(method: string, path: string, response: Response): Promise<Response> {
  // Deno 2.9.6 clones a response without its content type if nobody has read a header yet.
  response.headers.get("content-type");
  await contractOfAll().check(method, path, response.clone());
  return response;
}

/** One instance of the service: the parts of one process. */
interface Instance {
  service: Service;
  dispatcher: Dispatcher;
  app: ReturnType<typeof createApp>;
}

/** The parts that the instances of one service share. */
interface Common {
  options: TestOptions;
  kv: Deno.Kv;
  clock: FakeClock;
  /** One for all instances: the clock stands still, and tests check the order of events. */
  ids: Ids;
  log: Log;
  exclusive: boolean;
  outside: Pick<Service, "searchIndex" | "mailer" | "dns" | "parsing" | "attachmentTexts">;
}

async function instance(common: Common): Promise<Instance> {
  const { options, clock, ids, log, exclusive, outside } = common;
  const reopen = options.remote && (() => options.remote!.open());
  const kv = await reopen?.() ?? common.kv;
  const settings = readSettings("dev", {
    SHARED_DOMAINS: "agents.test,mail.agents.test",
    MX_HOST: "mx.agents.test",
    DISALLOWED_EMAIL_NAME: "admin,postmaster,reserved",
    INBOUND_TOKENS: inboundToken,
    OPERATOR_TOKEN: operatorToken,
    ANONYMOUS_REQUESTS_PER_MINUTE: "1000000",
    EMBEDDINGS: "off",
    ...options.env,
  });
  const metrics = new Metrics();
  const database = new Database(kv, { log, metrics, exclusive, clock, ids, reopen });
  const plans = planTable(options.plans ?? generous, settings.FREE_MAX_CUSTOM_DOMAINS);
  const access = { database, clock, log, settings, plans };
  const webhookTarget = options.parts?.webhookTarget ??
    httpsTarget({ allowInsecure: settings.WEBHOOK_ALLOW_INSECURE });
  const service: Service = {
    database,
    jobs: new Jobs(ids, clock),
    clock,
    ids,
    settings,
    plans,
    log,
    metrics,
    semantic: null,
    payments: null,
    identityProvider: null,
    audit: new AuditTrail({ database, clock, ids, log }),
    credentials: new Credentials(access),
    mailboxNames: new MailboxNames(database),
    loginGuard: new LoginGuard(access),
    passwords: new TestPasswords({ clock, ids }),
    rateLimiter: new RateLimiter(access),
    storeChecks: new StoreChecks(),
    claimTurns: new ClaimTurns(),
    arrivalLoad: new ArrivalLoad(clock),
    idleMemory: new IdleMemory(clock.after),
    waiting: new Waiting(clock, database.journal),
    parsedBodies: new ParsedBodies(),
    unrecordedSends: new Map(),
    isRebuildingIndex: false,
    webhookTarget,
    clientDocuments: new ClientDocuments({ webhookTarget, clock }),
    startedAt: clock.now(),
    version: "test",
    ...outside,
    largeMessageTurns: new FairTurns(2, clock),
    senderChecks: mailauthChecks({
      dns: options.parts?.dns ?? outside.dns,
      clock,
      mta: settings.MX_HOST,
    }),
    ...options.parts,
    ...options.ownParts?.({ database }),
  };
  const dispatcher = new Dispatcher(service, workers);
  await dispatcher.start();
  return { service, dispatcher, app: createApp(service) };
}

/**
 * A whole service in memory: real KV, real search index, the app and the workers, a clock that stands still. With
 * `TEST_INSTANCES=2` it is two instances on one store, as on Deno Deploy, and requests go to them in turn; with
 * `TEST_REMOTE=1` the store is a stand-in of a remote database.
 */
export async function testService(options: TestOptions = {}): Promise<TestService> {
  const clock = options.parts?.clock instanceof FakeClock ? options.parts.clock : new FakeClock();
  // Who wants one instance means the process of a file: its restart takes over all jobs at once.
  const isFree = !options.kv && !options.remote && options.instances !== 1;
  const ownRemote = isRemote && isFree && options.exclusive === undefined ? new RemoteKv() : null;
  const remote = options.remote ?? ownRemote ?? undefined;
  // It blocks the thread for a second or more on a busy machine; a read of a remote database has three.
  if (remote) contractOfAll();
  const kv = options.kv ?? await (remote?.open() ?? Deno.openKv(":memory:"));
  const lines: LogLine[] = [];
  // A test that brings its own store makes instances itself.
  const count = options.kv ? 1 : options.instances ?? instancesOfAll;
  const common: Common = {
    options: { ...options, remote },
    kv,
    clock,
    ids: options.ids ?? systemIds(),
    log: createLog({
      level: "debug",
      format: "json",
      now: () => clock.now(),
      write: (line) => lines.push(JSON.parse(line)),
    }),
    exclusive: options.exclusive ?? (count === 1 && !remote),
    outside: {
      searchIndex: options.parts?.searchIndex ?? await indexOfTest(),
      mailer: createOutboxMailer(),
      dns: new FakeDns(),
      parsing: options.parts?.parsing ?? createParsePool(clock),
      attachmentTexts: attachmentTexts(clock),
    },
  };
  const instances: Instance[] = [];
  while (instances.length < count) instances.push(await instance(common));
  const [{ service, dispatcher }] = instances;
  const running = () => instances.reduce((sum, each) => sum + each.dispatcher.depth.running, 0);
  const settle = () => bounded("no job is due or running", settled(), lines, longestSettlingMs);
  const settled = async () => {
    // A job's end may cause the next one, of any instance: until a round finds nothing at work.
    for (let quiet = 0; quiet < 3;) {
      const before = running();
      for (const each of instances) {
        await each.service.database.settled();
        await each.dispatcher.settled();
      }
      await new Promise((done) => setTimeout(done, 0));
      quiet = before === 0 && running() === 0 ? quiet + 1 : 0;
    }
  };
  const waits = () => instances.reduce((sum, each) => sum + each.service.waiting["waits"].size, 0);
  let requests = 0;
  return {
    service,
    clock,
    kv,
    log: lines,
    dispatcher,
    instances: count,
    async waiting(count) {
      await eventually(`${count} requests wait`, () => waits() === count, lines);
    },
    settle,
    async advance(ms) {
      clock.advance(ms);
      await settle();
    },
    async request(path, { token, json, ...init } = {}) {
      const headers = new Headers(init.headers);
      if (token) headers.set("authorization", `Bearer ${token}`);
      if (json !== undefined) headers.set("content-type", "application/json");
      const method = init.method ?? (json === undefined ? "GET" : "POST");
      // `service` belongs to the first instance; with several instances, another one gets the first request.
      const { app } = instances[++requests % count];
      const response = await app.request(path, {
        ...init,
        method,
        headers,
        body: json === undefined ? init.body : JSON.stringify(json),
      }, { remoteAddr: { hostname: "192.0.2.1" } });
      return await held(method, path, response);
    },
    async [Symbol.asyncDispose]() {
      for (const each of instances) {
        each.service.waiting.stop();
        await each.dispatcher.stop();
        await each.service.audit.flush();
        await each.service.passwords.close();
        await each.service.database.settled();
        if (remote) each.service.database.close();
      }
      await service.searchIndex.close();
      await common.outside.searchIndex.close();
      service.parsing.close();
      service.attachmentTexts.close();
      if (!options.kv) kv.close();
      await ownRemote?.[Symbol.asyncDispose]();
    },
  };
}

const unlimited = {
  requestsPerMinute: null,
  requestsPerHour: null,
  requestsPerDay: null,
  mcpRequestsPerMinute: null,
};
/** Without request windows, for tests that are not about them; the quotas are the real ones. */
const generous: PlanOverrides = { free: unlimited, pro: unlimited, enterprise: unlimited };

export interface TestAccount {
  userId: string;
  email: string;
  password: string;
  accessToken: string;
  refreshToken: string;
  cookie: string;
  key: string;
  keyId: string;
}

let serial = 0;

const password = "correct horse battery staple";
/** Of `leastCost`. */
const passwordHash =
  "$argon2id$v=19$m=8,t=1,p=1$UPHPGmRqWGCqNYu8LJODNg$PFkvY7SrRZ4tw7Y8qhG8f9OCFb0zgB/NHkZWcutI8CU";

/** An account with a session and an unlimited key, written as register and login would. */
export async function account(
  test: TestService,
  plan: Plan = "enterprise",
): Promise<TestAccount> {
  const { service } = test;
  const email = `user${++serial}@example.org`;
  const userId = service.ids.timed(service.clock.now());
  const createdAt = service.clock.now();
  const user: User = { userId, createdAt, plan, memberIds: [userId] };
  const owner: Member = {
    ...{ ...personOf({ userId }), name: "Test Account", email, role: "owner", status: "active" },
    ...{ passwordHash, isConfirmed: true, notify: "drafts", createdAt, lastUsedAt: createdAt },
  };
  await service.database.transact((tx) => {
    tx.set(keys.user(userId), user);
    tx.set(keys.member(userId, userId), owner);
    tx.set(keys.memberByEmail(email), personOf({ userId }));
  });
  const tokens = await beginSession(service, owner);
  const { apiKey, keyId } = await perform(createApiKey, service, { userId, plan }, {
    name: "test",
  });
  const cookie = `${sessionCookieName(service.settings)}=${tokens.refreshToken}`;
  return { userId, email, password, ...tokens, cookie, key: apiKey, keyId };
}

export async function mailbox(
  test: TestService,
  owner: Pick<TestAccount, "key">,
  local = `agent${++serial}x`,
  domain = "agents.test",
) {
  const answer = await test.request("/v1/api/mailboxes", {
    json: { local_part: local, domain },
    token: owner.key,
  });
  const body = await answer.json();
  if (answer.status !== 201) throw new Error(`mailbox: ${answer.status} ${JSON.stringify(body)}`);
  return body.mailbox as { mailbox_id: string; email_address: string };
}

/** Delivers a message over HTTP and answers its first result. */
export async function deliver(
  test: TestService,
  to: string | string[],
  raw: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<{ recipient: string; disposition: string; email_id: string; code?: string }> {
  const answer = await test.request("/inbound/raw", {
    method: "POST",
    token: inboundToken,
    headers: {
      "content-type": "message/rfc822",
      "x-envelope-to": [to].flat().join(", "),
      "x-envelope-from": "ada@example.net",
      ...headers,
    },
    body: typeof raw === "string" ? raw : new Uint8Array(raw),
  });
  const body = await answer.json();
  return (body.data?.results ?? body.error?.details?.results ?? [body])[0];
}

/** A message with CRLF line ends; `fields` add to or replace the header fields. */
export function message(fields: Record<string, string> = {}, body = "Hello.\n"): string {
  const all = {
    From: "Ada <ada@example.net>",
    To: "agent@agents.test",
    Subject: "Hello",
    ...fields,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`).join("\r\n");
  return `${head}\r\n\r\n${body.replace(/\r?\n/g, "\r\n")}`;
}

// deno-lint-ignore no-explicit-any -- tests look at whatever came back
export async function data(answer: Response | Promise<Response>): Promise<any> {
  const response = await answer;
  const body = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`);
  return body.data;
}
