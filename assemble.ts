// Puts the service together: settings -> adapters -> Service. The one file that imports adapters.
// An adapter that only some settings need is imported only if they are set: this saves start-up time and memory.
import { attachmentTexts } from "./adapters/attachment_text/attachment_texts.ts";
import { createOutboxMailer } from "./adapters/mailer/outbox.ts";
import { systemDns } from "./adapters/dns/system.ts";
import { mailauthChecks } from "./adapters/sender_checks/mailauth.ts";
import { type EmbeddedIndex, openEmbeddedIndex } from "./adapters/search_index/embedded.ts";
import * as keys from "./domain/store/keys.ts";
import type { EncoderSet } from "./adapters/embeddings/encoders/encoder_set.ts";
import { findEncoders, memoryLimit } from "./adapters/embeddings/own_encoders.ts";
import { createKvIndex } from "./adapters/search_index/kv_postings.ts";
import { hostWithPort } from "./adapters/webhook_target/check_url.ts";
import { httpsTarget } from "./adapters/webhook_target/https.ts";
import { ClientDocuments } from "./domain/apps/client_documents.ts";
import { AuditTrail } from "./domain/audit/trail.ts";
import { Credentials } from "./domain/accounts/credentials.ts";
import { LoginGuard } from "./domain/accounts/login_guard.ts";
import { MailboxNames } from "./domain/mailboxes/mailbox_names.ts";
import { Passwords } from "./domain/accounts/passwords.ts";
import { RateLimiter } from "./domain/billing/rate_limit.ts";
import { type Clock, systemClock } from "./domain/core/clock.ts";
import { FairTurns } from "./domain/core/work/fair_turns.ts";
import { IdleMemory } from "./domain/core/work/idle_memory.ts";
import { type Ids, systemIds } from "./domain/core/ids.ts";
import { createLog, type Log } from "./domain/core/log.ts";
import { Metrics } from "./domain/core/metrics/metrics.ts";
import { planTable } from "./domain/core/plans.ts";
import type { Service } from "./domain/core/service.ts";
import type { Settings } from "./domain/core/settings.ts";
import { StartError } from "./domain/core/settings/start_error.ts";
import {
  type Embeddings,
  embeddingsOf,
  isRemote,
  type OwnEncoders,
} from "./domain/core/settings/embeddings.ts";
import { createParsePool } from "./domain/mail/read/parsing/parse_pool.ts";
import { ParsedBodies } from "./domain/mail/read/parsing/parsed_bodies.ts";
import { Waiting } from "./domain/changes/waiting.ts";
import { ClaimTurns } from "./domain/mail/work/claim_turns.ts";
import { ArrivalLoad } from "./domain/mail/receive/arrival_load.ts";
import { unreadBefore } from "./domain/mail/lifecycle/former_counts.ts";
import { repliesBefore, waitingBefore } from "./domain/mail/lifecycle/former_drafts.ts";
import { developmentStores } from "./domain/mail/manage/development_stores.ts";
import type { Dns } from "./domain/ports/dns.ts";
import type { IdentityProvider } from "./domain/ports/identity_provider.ts";
import type { Mailer } from "./domain/ports/mailer.ts";
import type { Payments } from "./domain/ports/payments.ts";
import type { VectorIndex } from "./domain/ports/vector_index.ts";
import { Semantic } from "./domain/search/semantic.ts";
import { Database } from "./domain/store/database.ts";
import { signHolder } from "./domain/store/file_holder.ts";
import { firstPeople } from "./domain/accounts/former_accounts.ts";
import { bringForward } from "./domain/store/migrations.ts";
import { atStart, holdStore, indexPath, openStore } from "./domain/store/open_store.ts";
import { Jobs } from "./domain/store/jobs.ts";
import { StoreChecks } from "./domain/store/store_checks.ts";

export { faultOfEncoders, memoryLimit } from "./adapters/embeddings/own_encoders.ts";

export const version = "1.0.0";

/** The steps that bring a store of an earlier program forward. */
export const migrations = [
  developmentStores,
  firstPeople,
  waitingBefore,
  repliesBefore,
  unreadBefore,
];

/** Opens the database and every adapter that the settings name. `close` flushes and releases all of it. */
export async function openService(
  settings: Settings,
): Promise<{ service: Service; embedded: EmbeddedIndex | null; close: () => Promise<void> }> {
  const log = createLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT });
  const ids = systemIds();
  const metrics = new Metrics();
  const parts = { log, metrics, clock: systemClock, ids };
  const { KV_PATH: path } = settings;
  const chosen = await chooseEmbeddings(settings);
  const local = isRemote(path) ? null : await openLocalDatabase(path!, parts);
  const database = local?.database ?? await openRemoteDatabase(settings, parts);
  await bringForward(database, migrations, { path, now: systemClock.now(), log });
  // With a remote database there is no lasting disk: the index is in the database.
  const embedded = local && openEmbeddedIndex({ path: local.indexFile });
  const searchIndex = embedded ?? createKvIndex(database, keys);
  const semantic = await openSemantic(settings, chosen, embedded?.vectors ?? null, parts);
  const plans = planTable(settings.PLAN_OVERRIDES ?? {}, settings.FREE_MAX_CUSTOM_DOMAINS);
  const dns = systemDns({ server: settings.DNS_SERVER });
  const access = { database, clock: systemClock, log, settings, plans };
  const webhookTarget = httpsTarget({
    allowInsecure: settings.WEBHOOK_ALLOW_INSECURE,
    ownHost: hostWithPort(new URL(settings.BASE_URL)),
  });
  const service: Service = {
    database,
    jobs: new Jobs(ids, systemClock),
    clock: systemClock,
    ids,
    settings,
    plans,
    log,
    metrics,
    searchIndex,
    isRebuildingIndex: false,
    semantic,
    mailer: await openMailer(settings),
    payments: await openPayments(settings),
    identityProvider: await openIdentityProvider(settings),
    audit: new AuditTrail({ database, clock: systemClock, ids, log }),
    credentials: new Credentials(access),
    mailboxNames: new MailboxNames(database),
    loginGuard: new LoginGuard(access),
    passwords: new Passwords({ clock: systemClock, ids }),
    rateLimiter: new RateLimiter(access),
    claimTurns: new ClaimTurns(),
    arrivalLoad: new ArrivalLoad(systemClock),
    idleMemory: new IdleMemory(systemClock.after),
    waiting: new Waiting(systemClock, database.journal),
    parsedBodies: new ParsedBodies(),
    unrecordedSends: new Map(),
    parsing: createParsePool(systemClock),
    attachmentTexts: attachmentTexts(systemClock),
    dns,
    largeMessageTurns: new FairTurns(2, systemClock),
    senderChecks: mailauthChecks({ dns, clock: systemClock, mta: settings.MX_HOST }),
    webhookTarget,
    clientDocuments: new ClientDocuments({ webhookTarget, clock: systemClock }),
    storeChecks: new StoreChecks(),
    startedAt: systemClock.now(),
    version,
  };
  await local?.sign(service.startedAt);
  if (!service.mailer.isOutbox) metrics.expect("relay");
  if (semantic) metrics.expect("embeddings");
  if (service.payments) metrics.expect("payments");
  const close = async () => {
    await Promise.all([
      service.audit.flush(),
      service.credentials.flush(),
      service.rateLimiter.close(),
    ]);
    await service.database.settled();
    service.parsing.close();
    service.attachmentTexts.close();
    semantic?.embedder.close?.();
    await searchIndex.close();
    service.mailer.close();
    await service.passwords.close();
    service.database.close();
    local?.release();
  };
  return { service, embedded, close };
}

interface DatabaseParts {
  log: Log;
  metrics: Metrics;
  clock: Clock;
  ids: Ids;
}

/** The database in a file of this process alone, or in memory. */
interface LocalDatabase {
  database: Database;
  /** The file of the search index; null in memory. */
  indexFile: string | null;
  /** Writes beside the file when the service started. */
  sign(startedAt: number): Promise<void>;
  /** Lets another process open the file. */
  release(): void;
}

async function openLocalDatabase(path: string, parts: DatabaseParts): Promise<LocalDatabase> {
  const open = () => openStore(parts.clock, path);
  const indexFile = indexPath(path);
  if (indexFile === null) {
    // Each handle of `:memory:` has its own database, so there is one.
    const database = new Database(await open(), { ...parts, exclusive: true });
    return { database, indexFile, sign: () => Promise.resolve(), release: () => {} };
  }
  const release = await holdStore(parts.clock, path, indexFile);
  const kv = await open();
  const database = new Database(kv, { ...parts, exclusive: true, reader: await open() });
  return { database, indexFile, sign: (startedAt) => signHolder(path, startedAt), release };
}

/** The database of a URL; without one, the database that is attached on Deno Deploy. */
async function openRemoteDatabase(
  { KV_PATH: url }: Settings,
  parts: DatabaseParts,
): Promise<Database> {
  const { clock } = parts;
  const kv = await atStart(clock, url, () => Deno.openKv(url));
  return new Database(kv, { ...parts, exclusive: false, reopen: () => openStore(clock, url) });
}

/** The resolver of DNS_SERVER, else the system's. For commands. */
export function openDns(server: string | undefined): Dns {
  return systemDns({ server });
}

/** The relay of SMTP_URL, else the outbox. */
async function openMailer(settings: Settings): Promise<Mailer> {
  if (!settings.SMTP_URL) return createOutboxMailer();
  const { createSmtpMailer } = await import("./adapters/mailer/smtp.ts");
  // One account alone uses all of them.
  const turnsOf = (slots: number) => new FairTurns(slots, systemClock, { slotsOfOwner: slots });
  return createSmtpMailer(settings.SMTP_URL, settings.MX_HOST, turnsOf);
}

/** null without STRIPE_SECRET_KEY: billing is off. */
async function openPayments(settings: Settings): Promise<Payments | null> {
  if (!settings.STRIPE_SECRET_KEY) return null;
  const { stripePayments } = await import("./adapters/payments/stripe.ts");
  return stripePayments({
    secretKey: settings.STRIPE_SECRET_KEY,
    webhookSecret: settings.STRIPE_WEBHOOK_SECRET,
    prices: { pro: settings.STRIPE_PRICE_PRO, enterprise: settings.STRIPE_PRICE_ENTERPRISE },
    apiBase: settings.STRIPE_API_BASE,
  });
}

/** null without OIDC_ISSUER. */
async function openIdentityProvider(settings: Settings): Promise<IdentityProvider | null> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } =
    settings;
  if (!issuer || !clientId || !clientSecret) return null;
  const { oidcProvider } = await import("./adapters/identity_provider/oidc.ts");
  return oidcProvider({
    ...{ issuer, clientId, clientSecret },
    name: settings.OIDC_NAME ?? new URL(issuer).host,
    redirectUri: `${settings.BASE_URL}/api/auth/oidc/callback`,
    allowInsecure: settings.WEBHOOK_ALLOW_INSECURE,
    clock: systemClock,
  });
}

/** What makes vectors, with the encoders that were found. */
type Chosen = Exclude<Embeddings, OwnEncoders> | (OwnEncoders & { set: EncoderSet });

/** Throws StartError if the encoders that a setting names cannot be used. */
async function chooseEmbeddings(settings: Settings): Promise<Chosen> {
  const embeddings = embeddingsOf(settings, memoryLimit());
  if (embeddings.by === "words" || embeddings.by === "service") return embeddings;
  const set = await findEncoders(embeddings).catch((error) => {
    throw new StartError(`EMBEDDINGS: ${error.message}`);
  });
  return { ...embeddings, set };
}

/** Semantic search; null if words alone are searched. */
async function openSemantic(
  settings: Settings,
  chosen: Chosen,
  embedded: VectorIndex | null,
  { log, metrics, clock }: DatabaseParts,
): Promise<Semantic | null> {
  if (chosen.by === "words") {
    if (chosen.because) log.info("search.words_only", { because: chosen.because });
    return null;
  }
  if (chosen.by === "service") {
    const { createOpenAiEmbedder } = await import("./adapters/embeddings/openai.ts");
    const { UPSTASH_VECTOR_REST_URL: url, UPSTASH_VECTOR_REST_TOKEN: token } = settings;
    const vectors = url && token
      ? (await import("./adapters/vector_index/upstash.ts")).createUpstashIndex({ url, token })
      : embedded;
    const embedder = createOpenAiEmbedder({
      apiKey: settings.OPENAI_API_KEY,
      baseUrl: settings.OPENAI_BASE_URL,
      model: settings.EMBEDDING_MODEL,
      dimensions: settings.EMBEDDING_DIMENSIONS,
    });
    return vectors && new Semantic(embedder, vectors);
  }
  if (!embedded) return null;
  const { set } = chosen;
  log.info("search.encoders", {
    model: set.model,
    meaning: `${chosen.by === "builtin" ? builtinMeaning : folderMeaning}; ${encodersCost}`,
  });
  const { createLocalEmbedder } = await import("./adapters/embeddings/local_embedder.ts");
  const embedder = createLocalEmbedder(set, {
    clock,
    worked: (ms) => metrics.embedded(ms / 1_000),
    failed(why) {
      metrics.embeddingFailed();
      log.error("search.encoders_failed", { why, meaning: "words alone are searched meanwhile" });
    },
  });
  return new Semantic(embedder, embedded);
}

const builtinMeaning =
  "mail is found by its meaning too, in fifteen languages, by the encoders in models/";
const folderMeaning = "mail is found by its meaning too, by the encoder of EMBEDDINGS";
const encodersCost =
  "a passage of mail takes about 0.1 s of a core at the lowest priority, and up to 300 MB while they work; " +
  "no text leaves the machine; EMBEDDINGS=off turns it off";
