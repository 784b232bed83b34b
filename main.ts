// Composition root: settings -> adapters -> service -> HTTP and workers. No rules here.
// What only some settings need is imported where they ask for it: idle libraries are start-up time and memory.
import { dirname } from "node:path";
import { Credentials } from "./domain/accounts/credentials.ts";
import { prepareDemonstration } from "./domain/accounts/demonstration.ts";
import { LoginGuard } from "./domain/accounts/login_guard.ts";
import { createParsePool } from "./domain/mail/parse_pool.ts";
import { Traffic } from "./domain/mail/traffic.ts";
import { closePasswords } from "./domain/accounts/passwords.ts";
import { RateLimiter } from "./domain/billing/rate_limit.ts";
import { systemClock } from "./domain/clock.ts";
import { systemIds } from "./domain/ids.ts";
import { createLog, describeError } from "./domain/log.ts";
import { planTable } from "./domain/plans.ts";
import { systemDns } from "./domain/ports/dns/system.ts";
import { createOutboxMailer } from "./domain/ports/mailer/outbox.ts";
import type { Mailer } from "./domain/ports/mailer/port.ts";
import type { Payments } from "./domain/ports/payments/port.ts";
import type { VectorIndex } from "./domain/ports/vector_index/port.ts";
import { followModel } from "./domain/search/reembed.ts";
import { Outage, type Semantic } from "./domain/search/semantic.ts";
import { openEmbeddedIndex } from "./domain/ports/search_index/embedded.ts";
import { hostWithPort } from "./domain/ports/webhook_target/check_url.ts";
import { httpsTarget } from "./domain/ports/webhook_target/https.ts";
import { createKvIndex } from "./domain/ports/search_index/kv.ts";
import { reindex } from "./domain/search/reindex.ts";
import type { Service } from "./domain/service.ts";
import {
  type Mode,
  onDeploy,
  readSettings,
  type Settings,
  SettingsError,
} from "./domain/settings.ts";
import { Entries } from "./domain/store/entries.ts";
import { holdFile } from "./domain/store/file_holder.ts";
import { Jobs } from "./domain/store/jobs.ts";
import { createApp } from "./routes/app.ts";
import type { SmtpListener } from "./routes/inbound/smtp.ts";
import { Dispatcher } from "./workers/dispatch.ts";
import { workers } from "./workers/workers.ts";
import { sweepAtStart } from "./workers/sweep.ts";

export const version = "1.0.0";

/** How long requests in flight may take when the service is told to stop. */
const graceMs = 4_000;
/** How long jobs may: a webhook's receiver may take ten seconds, and is asked again after the next start. */
const jobGraceMs = 2_500;
/** How long a start waits for the process before it to let the database go: a little longer than its grace. */
const handoverMs = 5_000;

/** The jobs of this process, once it serves. */
const running = Promise.withResolvers<Dispatcher>();

// At the top level of the entry module: there Deno Deploy finds a deployment's schedules. It may stop every instance
// between two requests; each minute one is woken, and takes over the jobs that the others left. Elsewhere the
// dispatcher of the one process looks every few seconds.
if (onDeploy() && typeof Deno.cron === "function") {
  Deno.cron("jobs left behind", "* * * * *", async () => {
    const dispatcher = await running.promise;
    await dispatcher.sweep();
    await dispatcher.settled();
  });
}

async function openService(
  settings: Settings,
): Promise<{ service: Service; close: () => Promise<void> }> {
  const log = createLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT });
  const remote = settings.KV_PATH === undefined || /^https?:/.test(settings.KV_PATH);
  if (!remote) await Deno.mkdir(dirname(settings.KV_PATH!), { recursive: true });
  // What is in memory alone is another database in each handle.
  const oneHandle = remote || settings.KV_PATH === ":memory:";
  const letGo = oneHandle ? () => {} : await holdOrExit(settings.KV_PATH!);
  const kv = await Deno.openKv(settings.KV_PATH);
  const reader = oneHandle ? kv : await Deno.openKv(settings.KV_PATH);
  const ids = systemIds();
  const entries = new Entries(kv, { log, exclusive: !remote, reader });
  // A remote database is where there is no disk that lasts: words go into the database.
  const embedded = remote ? null : openEmbeddedIndex({ path: indexPath(settings.KV_PATH!) });
  const searchIndex = embedded ?? createKvIndex(entries);
  const semantic = await openSemantic(settings, embedded?.vectors ?? null);
  const plans = planTable(settings.PLAN_OVERRIDES ?? {}, settings.FREE_MAX_CUSTOM_DOMAINS);
  const access = { entries, clock: systemClock, log, settings, plans };
  const service: Service = {
    entries,
    jobs: new Jobs(ids, systemClock),
    clock: systemClock,
    ids,
    settings,
    plans,
    log,
    searchIndex,
    semantic,
    mailer: await openMailer(settings),
    payments: await openPayments(settings),
    credentials: new Credentials(access),
    loginGuard: new LoginGuard(access),
    rateLimiter: new RateLimiter(access),
    traffic: new Traffic(),
    parsing: createParsePool(),
    dns: systemDns({ server: settings.DNS_SERVER }),
    webhookTarget: httpsTarget({
      allowInsecure: settings.WEBHOOK_ALLOW_INSECURE,
      ownHost: hostWithPort(new URL(settings.BASE_URL)),
    }),
    startedAt: Date.now(),
    version,
  };
  const close = async () => {
    await Promise.all([service.credentials.flush(), service.rateLimiter.close()]);
    await service.entries.settled();
    service.parsing.close();
    await searchIndex.close();
    service.mailer.close();
    await closePasswords();
    if (reader !== kv) reader.close();
    kv.close();
    letGo();
  };
  return { service, close };
}

/** The database file has one process: two would not see what the other writes, and run the same jobs. */
async function holdOrExit(path: string): Promise<() => void> {
  const letGo = await holdFile(path, handoverMs);
  if (letGo) return letGo;
  console.error(`another process has ${path} open: stop it first, or set another KV_PATH`);
  Deno.exit(1);
}

/** Without a relay, the outbox (DECISIONS.md 2). */
async function openMailer(settings: Settings): Promise<Mailer> {
  if (!settings.SMTP_URL) return createOutboxMailer();
  const { createSmtpMailer } = await import("./domain/ports/mailer/smtp.ts");
  return createSmtpMailer(settings.SMTP_URL);
}

/** Without a key billing is off (DECISIONS.md 2). */
async function openPayments(settings: Settings): Promise<Payments | null> {
  if (!settings.STRIPE_SECRET_KEY) return null;
  const { stripePayments } = await import("./domain/ports/payments/stripe.ts");
  return stripePayments({
    secretKey: settings.STRIPE_SECRET_KEY,
    webhookSecret: settings.STRIPE_WEBHOOK_SECRET,
    prices: { pro: settings.STRIPE_PRICE_PRO, enterprise: settings.STRIPE_PRICE_ENTERPRISE },
    apiBase: settings.STRIPE_API_BASE,
  });
}

/** Search by meaning, where an embedding service is set: OpenAI's, or any with its interface. */
async function openSemantic(
  settings: Settings,
  embedded: VectorIndex | null,
): Promise<Semantic | null> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = settings;
  if (!apiKey && !baseUrl) return null;
  const { UPSTASH_VECTOR_REST_URL: url, UPSTASH_VECTOR_REST_TOKEN: token } = settings;
  const vectors = url && token
    ? (await import("./domain/ports/vector_index/upstash.ts")).createUpstashIndex({ url, token })
    : embedded;
  // Vectors need a disk or Upstash.
  if (!vectors) return null;
  const { createOpenAiEmbedder } = await import("./domain/ports/embeddings/openai.ts");
  return {
    embedder: createOpenAiEmbedder({
      apiKey,
      baseUrl,
      model: settings.EMBEDDING_MODEL,
      dimensions: settings.EMBEDDING_DIMENSIONS,
    }),
    vectors,
    outage: new Outage(),
  };
}

/** The index lies beside the database: `letterbox.sqlite` has `letterbox.index.sqlite`. */
function indexPath(kvPath: string): string | null {
  if (kvPath === ":memory:") return null;
  return kvPath.replace(/(\.[^./\\]+)?$/, ".index$1");
}

async function serve(mode: Mode): Promise<void> {
  const settings = settingsOrExit(mode);
  const { service, close } = await openService(settings);
  const { log } = service;
  const demonstration = mode === "dev" ? await prepareDemonstration(service) : null;
  const dispatcher = new Dispatcher(service, workers);
  await sweepAtStart(service);
  await dispatcher.start();
  await followModel(service);
  const app = createApp(service);
  running.resolve(dispatcher);
  const server = serveOrExit(settings, {
    onListen: ({ hostname, port }) =>
      log.info("service.listening", { url: settings.BASE_URL, hostname, port, mode, version }),
    onError: (error) => {
      log.error("http.failed", { error: describeError(error) });
      return new Response(null, { status: 500 });
    },
  }, (request, info) => app.fetch(request, info));
  const smtp = await openSmtp(service);
  if (mode === "start" && !settings.SMTP_URL) {
    log.warn("mailer.outbox", {
      meaning: "SMTP_URL is not set: outgoing mail stays in the outbox",
    });
  }
  service.mailer.check().then((ready) => {
    if (!ready) {
      log.warn("mailer.unreachable", {
        meaning: "the relay of SMTP_URL does not answer, or refuses: outgoing mail waits for it",
      });
    }
  });
  if (demonstration) console.log(demonstration);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    log.info("service.stopping");
    const grace = setTimeout(() => Deno.exit(1), graceMs);
    // What a Worker is busy with is tried again after the next start: nothing waits for it.
    service.parsing.close();
    await Promise.all([server.shutdown(), smtp?.close(), dispatcher.stop(jobGraceMs)]);
    await close();
    clearTimeout(grace);
    log.info("service.stopped");
    Deno.exit(0);
  };
  if (onDeploy()) return;
  Deno.addSignalListener("SIGINT", stop);
  Deno.addSignalListener("SIGTERM", stop);
}

/** On Deno Deploy, which says itself where it listens, without an address. */
function serveOrExit(
  { HOST, PORT }: Settings,
  options: Pick<Deno.ServeTcpOptions, "onListen" | "onError">,
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve(
      { ...options, ...(onDeploy() ? {} : { hostname: HOST, port: PORT }) },
      handler,
    );
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    console.error(`port ${PORT} of ${HOST} is in use: set another PORT`);
    Deno.exit(1);
  }
}

/** The SMTP listener of the settings. In dev another service may have the port: then it goes without. */
async function openSmtp(service: Service): Promise<SmtpListener | null> {
  const { SMTP_LISTEN_PORT: port, SMTP_LISTEN_TLS_KEY, SMTP_LISTEN_TLS_CERT, HOST, mode } =
    service.settings;
  if (port === undefined) return null;
  try {
    const tls = SMTP_LISTEN_TLS_KEY && SMTP_LISTEN_TLS_CERT
      ? {
        key: await Deno.readTextFile(SMTP_LISTEN_TLS_KEY),
        cert: await Deno.readTextFile(SMTP_LISTEN_TLS_CERT),
      }
      : undefined;
    const { listenSmtp } = await import("./routes/inbound/smtp.ts");
    const listener = await listenSmtp(service, { hostname: HOST, port, tls });
    service.log.info("smtp.listening", { hostname: HOST, port: listener.port, tls: Boolean(tls) });
    return listener;
  } catch (error) {
    if (mode === "start") throw error;
    service.log.warn("smtp.not_listening", { port, error: describeError(error) });
    return null;
  }
}

function settingsOrExit(mode: Mode): Settings {
  try {
    return readSettings(mode);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(error.message);
    Deno.exit(2);
  }
}

async function runReindex(): Promise<void> {
  const { service, close } = await openService(settingsOrExit("dev"));
  const done = await reindex(
    service,
    (count) => Deno.stdout.writeSync(new TextEncoder().encode(`\r${count} emails`)),
  );
  console.log(`\r${done} emails indexed`);
  await close();
}

async function runAccount([action, email, plan]: string[]): Promise<void> {
  const settings = settingsOrExit("dev");
  if (action !== "set-plan" || !email || !plan) {
    console.error(
      "usage: deno task account set-plan EMAIL free|pro|enterprise   (OPERATOR_TOKEN and BASE_URL of the running service)",
    );
    Deno.exit(2);
  }
  if (!settings.OPERATOR_TOKEN) {
    console.error("OPERATOR_TOKEN is not set: the service needs one, and this command the same.");
    Deno.exit(1);
  }
  const answer = await fetch(`${settings.BASE_URL}/operator/accounts/plan`, {
    method: "PUT",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${settings.OPERATOR_TOKEN}`,
    },
    body: JSON.stringify({ email, plan }),
  }).catch((error) => {
    console.error(`${settings.BASE_URL} does not answer: ${describeError(error)}`);
    Deno.exit(1);
  });
  console.log(await answer.text());
  if (!answer.ok) Deno.exit(1);
}

/** Clients of a running service; loaded only when asked for. */
async function runClient(name: "import" | "export", args: string[]): Promise<void> {
  const { runCommand } = await import("./commands/commands.ts");
  await runCommand(name, settingsOrExit("dev"), args);
}

if (import.meta.main) {
  const [command = onDeploy() ? "start" : "dev", ...rest] = Deno.args;
  const commands: Record<string, () => Promise<void>> = {
    dev: () => serve("dev"),
    start: () => serve("start"),
    reindex: runReindex,
    account: () => runAccount(rest),
    import: () => runClient("import", rest),
    export: () => runClient("export", rest),
  };
  if (!Object.hasOwn(commands, command)) {
    console.error(`unknown command ${command}: one of ${Object.keys(commands).join(", ")}`);
    Deno.exit(2);
  }
  await commands[command]();
}
