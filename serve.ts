// Runs the service: listens on HTTP and SMTP, runs jobs, handles signals.
import { openService, version } from "./assemble.ts";
import { banner } from "./commands/banner.ts";
import { settingsOrExit } from "./commands/command_line.ts";
import { prepareDemonstration } from "./commands/demonstration.ts";
import { keepInboundToken } from "./commands/inbound_token.ts";
import { refuseWithoutPermission } from "./commands/permissions.ts";
import { tooWide } from "./domain/core/client_address.ts";
import { describeError } from "./domain/core/log.ts";
import type { Service } from "./domain/core/service.ts";
import { type Mode, onDeploy } from "./domain/core/settings.ts";
import { StartError } from "./domain/core/settings/start_error.ts";
import { hasSpareDescriptors } from "./domain/core/work/spare_descriptors.ts";
import { leastWork } from "./domain/core/work/idle_memory.ts";
import { refillEmptied, refillIndex } from "./domain/indexing/rebuild_index.ts";
import { followModel } from "./domain/indexing/reembed.ts";
import type { SmtpListener } from "./routes/inbound/smtp/smtp_server.ts";
import { renewTls } from "./routes/inbound/smtp/renew_tls.ts";
import { readSmtpTls, type TlsPair } from "./routes/inbound/smtp/tls_pair.ts";
import { watchSmtp } from "./routes/inbound/smtp/watch.ts";
import { type HttpListener, listenHttp } from "./routes/listen.ts";
import { Dispatcher } from "./workers/dispatch.ts";
import { sweepRegularly } from "./workers/sweep.ts";
import { workers } from "./workers/workers.ts";

/** The service opens about 30 files, and without 16 more it makes no Worker, so that nobody can log in. */
const leastDescriptors = 48;

/** After this the process exits, whatever is still running. */
const graceMs = 4_000;
/** Request bodies have this long to end; then the answer is 503, and the sender retries. */
const uploadGraceMs = 2_500;
/** Jobs have this long to end; an interrupted one, such as a slow webhook, runs again after the next start. */
const jobGraceMs = 2_500;

/** Resolves with this process's dispatcher of jobs once the process serves. */
const running = Promise.withResolvers<Dispatcher>();

/** Runs the jobs that other instances left, once the process serves. */
export async function runJobsLeftBehind(): Promise<void> {
  const dispatcher = await running.promise;
  await dispatcher.sweep();
  await dispatcher.settled();
}

export async function serve(mode: Mode, { credentials = false } = {}): Promise<void> {
  const settings = settingsOrExit(mode);
  await refuseWithoutPermission(settings);
  if (!hasSpareDescriptors(leastDescriptors)) {
    throw new StartError(
      "too few open files are allowed: raise the limit (ulimit -n, LimitNOFILE) to 1024 or more",
    );
  }
  const tls = await readSmtpTls(settings);
  const { service, embedded, close } = await openService(settings);
  const { log } = service;
  const inboundToken = mode === "dev" ? await keepInboundToken(service) : null;
  const dispatcher = new Dispatcher(service, workers);
  await service.senderChecks.prepare();
  const endSweeps = sweepRegularly(service);
  await dispatcher.start();
  await followModel(service);
  // If the index cannot be opened, as on a full disk, health reports it as down and the service runs without it until it
  // can.
  await refillIndex(service, await embedded?.isEmpty().catch(() => false) ?? false);
  embedded?.whenEmptied(() => void refillEmptied(service));
  running.resolve(dispatcher);
  // Half of the memory after a start is garbage.
  service.idleMemory.note(leastWork);
  const smtp = await openSmtp(service, "SMTP_LISTEN_PORT", tls);
  const submission = await openSmtp(service, "SMTP_SUBMISSION_PORT", tls);
  const http = listen(
    service,
    ({ hostname, port }) =>
      log.info("service.listening", { url: settings.BASE_URL, hostname, port, mode, version }),
  );
  warnOfProxies(service);
  if (mode === "start") warnOfSettings(service);
  if (settings.MCP_OAUTH === undefined) {
    log.warn("oauth.off", {
      meaning: "BASE_URL has a path: apps cannot log in by themselves, and need an API key",
    });
  }
  checkRelay(service);
  // Only once the port is open: a start that fails would make secrets that nobody sees.
  if (inboundToken !== null) {
    const demonstration = await prepareDemonstration(service, { credentials });
    const smtpAddress = smtp ? `localhost:${smtp.port}` : null;
    const text = banner({
      base: settings.BASE_URL,
      smtp: smtpAddress,
      inboundToken,
      demonstration,
    });
    console.log(text);
  }
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    log.info("service.stopping");
    const cancel = service.clock.after(graceMs, () => Deno.exit(1));
    // A message that a Worker is parsing is parsed again after the next start, so nothing waits for it.
    service.parsing.close();
    service.attachmentTexts.close();
    // Requests that wait are answered, and streams end.
    service.waiting.stop();
    await Promise.all([
      http.close(uploadGraceMs),
      smtp?.close(),
      submission?.close(),
      endSweeps(),
      dispatcher.stop(jobGraceMs),
    ]);
    await close();
    cancel();
    log.info("service.stopped");
    Deno.exit(0);
  };
  if (onDeploy()) return;
  Deno.addSignalListener("SIGINT", stop);
  Deno.addSignalListener("SIGTERM", stop);
}

/** Settings that are allowed in production, and that an operator may not want. */
function warnOfSettings({ settings, log }: Service): void {
  if (!settings.SMTP_URL) {
    log.warn("mailer.outbox", {
      meaning: "SMTP_URL is not set: outgoing mail stays in the outbox",
    });
  }
  if (settings.SMTP_URL && settings.REGISTRATION === "open") {
    log.warn("registration.open", {
      meaning: "REGISTRATION is open: anybody can register and send through the relay of SMTP_URL",
    });
  }
}

function warnOfProxies({ settings, log }: Service): void {
  const wide = tooWide(settings.TRUSTED_PROXIES ?? []);
  if (wide.length === 0) return;
  log.warn("proxy.trusts_clients", {
    networks: wide.join(", "),
    meaning:
      "TRUSTED_PROXIES names clients, not only proxies: a client can write any address into " +
      "X-Forwarded-For, and no limit of addresses holds",
  });
}

/** Logs a relay that does not answer. Nothing waits for this. */
function checkRelay({ mailer, metrics, log }: Service): void {
  mailer.check().then((ready) => {
    if (!mailer.isOutbox) metrics.called("relay", ready);
    if (!ready) {
      log.warn("mailer.unreachable", {
        meaning: "the relay of SMTP_URL does not answer or refuses; outgoing mail waits for it",
      });
    }
  });
}

/** Throws StartError. Deno Deploy chooses the address itself. */
function listen(service: Service, onListen: (address: Deno.NetAddr) => void): HttpListener {
  const { HOST, PORT } = service.settings;
  try {
    return listenHttp(service, onDeploy() ? {} : { hostname: HOST, port: PORT }, onListen);
  } catch (error) {
    if (isInUse(error)) {
      throw new StartError(`PORT: port ${PORT} of ${HOST} is in use; set another PORT`);
    }
    throw new StartError(`PORT, HOST: cannot listen on ${HOST}:${PORT}: ${describeError(error)}`);
  }
}

/**
 * Opens a listener of SMTP; null if its setting is unset. If it cannot listen, `dev` runs without it and `start` throws
 * StartError.
 */
async function openSmtp(
  service: Service,
  setting: "SMTP_LISTEN_PORT" | "SMTP_SUBMISSION_PORT",
  tls?: TlsPair,
): Promise<SmtpListener | null> {
  const { [setting]: port, HOST, mode } = service.settings;
  if (port === undefined) return null;
  const isSubmission = setting === "SMTP_SUBMISSION_PORT";
  try {
    const { listenSmtp } = await import("./routes/inbound/smtp/listen_smtp.ts");
    const { listenSubmission, loopbackOf } = await import(
      "./routes/inbound/smtp/listen_submission.ts"
    );
    const hostname = isSubmission && !tls ? loopbackOf(HOST) : HOST;
    const listen = isSubmission ? listenSubmission : listenSmtp;
    const listener = await listen(service, { hostname, port, tls });
    const endWatch = watchSmtp(listener, hostname, service);
    const readTls = () => readSmtpTls(service.settings);
    const endRenewal = tls ? renewTls(listener, tls, readTls, service) : () => {};
    const event = isSubmission ? "submission.listening" : "smtp.listening";
    service.log.info(event, { hostname, port: listener.port, tls: Boolean(tls) });
    return { ...listener, close: () => (endWatch(), endRenewal(), listener.close()) };
  } catch (error) {
    if (mode === "start") {
      if (isInUse(error)) {
        throw new StartError(
          `${setting}: port ${port} of ${HOST} is in use; set another ${setting}`,
        );
      }
      throw new StartError(`${setting}: ${HOST}:${port}: ${describeError(error)}`);
    }
    service.log.warn("smtp.not_listening", { port, error: describeError(error) });
    return null;
  }
}

/** The error of Deno, or of `node:net`, with which SMTP listens. */
function isInUse(error: unknown): boolean {
  return error instanceof Deno.errors.AddrInUse ||
    (error instanceof Error && "code" in error && error.code === "EADDRINUSE");
}
