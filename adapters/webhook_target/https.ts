import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import net, { type Socket } from "node:net";
import tls, { type SecureContext } from "node:tls";
import { Buffer } from "node:buffer";
import dns from "node:dns/promises";
import type {
  WebhookAnswer,
  WebhookFailure,
  WebhookTarget,
} from "../../domain/ports/webhook_target.ts";
import { isPublicAddress, literalAddress } from "./address.ts";
import { checkTargetUrl, type TargetRules } from "./check_url.ts";
import { failureMessage, RefusedAddressError } from "./failure.ts";

export interface Resolved {
  address: string;
  family: number;
}

export interface HttpsTargetOptions extends TargetRules {
  /** All addresses of a name; rejects if there are none. Default: the system's resolver. */
  resolve?: (hostname: string) => Promise<Resolved[]>;
  /** PEM of a certificate authority to trust instead of the public ones. */
  ca?: string;
}

/** How many bytes of an answer's body are read: the status decides, and the owner of the webhook sees the beginning. */
const postLimits: AnswerLimits = { maxBytes: 4 * 1024, shownBytes: 1024, mayBeLonger: true };

interface AnswerLimits {
  maxBytes: number;
  shownBytes: number;
  /** Whether an answer of more than `maxBytes` counts: its rest is not read. */
  mayBeLonger: boolean;
}

/** One request with the limits of its answer. */
interface Sent {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  limits: AnswerLimits;
}

/** Node's parser fails on longer header blocks. */
const maxAnswerHeaderBytes = 16 * 1024;

/** When a webhook is created, a name that takes longer counts as one that does not resolve. */
const resolveAtCreationMs = 3_000;

/**
 * Posts over HTTPS to public addresses only. A name is resolved once for each connection, all its
 * addresses must be public, and the connection uses these addresses. So an answer that changes between
 * check and connection (DNS rebinding) has no effect.
 */
export function httpsTarget(options: HttpsTargetOptions): WebhookTarget {
  const resolve = options.resolve ?? ((hostname) => dns.lookup(hostname, { all: true }));
  // All share one, because Deno does not free the context of a failed connection: 0.5 MB each.
  let context: SecureContext | undefined;
  const secureContext = () => context ??= tls.createSecureContext({ ca: options.ca });
  return {
    post: (request) =>
      send(
        { ...request, method: "POST", limits: postLimits },
        { ...options, secureContext },
        resolve,
      ),
    read: async ({ url, timeoutMs, maxBytes }) => {
      const limits = { maxBytes, shownBytes: maxBytes, mayBeLonger: false };
      const sent: Sent = { ...{ method: "GET", url, timeoutMs, limits }, ...documentRequest };
      const got = await send(sent, { ...options, secureContext }, resolve);
      return got.ok ? { ok: true, status: got.status, body: got.answer ?? "" } : got;
    },
    check: async (url) => {
      const verdict = checkTargetUrl(url, options);
      if (!verdict.ok || options.allowInsecure) return verdict;
      const hostname = new URL(url).hostname;
      if (literalAddress(hostname) !== null) return verdict;
      const addresses = await resolveOrNone(resolve, hostname);
      return addresses.every(({ address }) => isPublicAddress(address)) ? verdict : {
        ok: false,
        reason: "The URL's host name leads to an address that is not public.",
      };
    },
  };
}

const documentRequest = { headers: { Accept: "application/json" }, body: "" };

interface Connecting extends HttpsTargetOptions {
  secureContext: () => SecureContext;
}

function send(
  request: Sent,
  options: Connecting,
  resolve: (hostname: string) => Promise<Resolved[]>,
): Promise<WebhookAnswer | WebhookFailure> {
  const startedAt = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedAt);
  // Checked here because an IP address in the URL never reaches `lookup`, and because the rules may be newer than the
  // webhook.
  const verdict = checkTargetUrl(request.url, options);
  if (!verdict.ok) {
    return Promise.resolve({ ok: false, message: verdict.reason, status: null, durationMs: 0 });
  }
  return new Promise((settle) => {
    let status: number | null = null;
    let sent: ClientRequest | undefined;
    let received: IncomingMessage | undefined;
    const ended = new AbortController();
    const end = (outcome: WebhookAnswer | WebhookFailure) => {
      clearTimeout(deadline);
      settle(outcome);
      sent?.destroy();
      ended.abort();
    };
    const answered = (answer: string) =>
      end({ ok: true, status: status ?? 0, durationMs: elapsedMs(), answer });
    const failed = (error: unknown) =>
      end({ ok: false, message: failureMessage(error), status, durationMs: elapsedMs() });
    const deadline = setTimeout(() =>
      end({
        ok: false,
        message: `No complete answer within ${request.timeoutMs / 1000} s.`,
        status,
        durationMs: elapsedMs(),
      }), request.timeoutMs);
    const url = new URL(request.url);
    const connected = (socket: Socket) => {
      sent = open(url, request, options, socket, (answer) => {
        received = answer;
        status = answer.statusCode ?? 0;
        readToEnd(answer, request.limits, answered, failed);
      });
      // Also takes the errors of the socket after it was destroyed, and of bytes behind the whole answer: some receivers
      // write a body after 204, or one longer than their Content-Length.
      sent.on("error", (error) => received?.complete || failed(error));
      sent.end(request.body);
    };
    connect(url, options, resolve, ended.signal).then(connected).catch(failed);
  });
}

/**
 * Connects to a host's addresses. Before the request, because Deno keeps what belongs to a request whose connection failed:
 * 20 KB, or 45 with TLS.
 */
async function connect(
  { hostname, protocol, port }: URL,
  { allowInsecure }: HttpsTargetOptions,
  resolve: (hostname: string) => Promise<Resolved[]>,
  signal: AbortSignal,
): Promise<Socket> {
  const host = hostOf(hostname);
  const addresses = net.isIP(host)
    ? [{ address: host, family: net.isIP(host) }]
    : admit(await resolve(hostname), hostname, allowInsecure);
  signal.throwIfAborted();
  const socket = net.connect({
    host,
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    lookup: (_, how, callback) => {
      if (how.all) callback(null, addresses);
      else callback(null, addresses[0].address, addresses[0].family);
    },
  });
  signal.addEventListener("abort", () => socket.destroy());
  await new Promise((done, refuse) => socket.once("connect", done).once("error", refuse));
  // The request has its own listeners; an error after its end has none.
  return socket.on("error", () => {});
}

function open(
  url: URL,
  request: Sent,
  { secureContext }: Connecting,
  socket: Socket,
  onAnswer: (answer: IncomingMessage) => void,
): ClientRequest {
  const settings: RequestOptions & https.RequestOptions = {
    method: request.method,
    headers: {
      ...request.headers,
      ...(request.method === "POST"
        ? { "Content-Length": String(Buffer.byteLength(request.body)) }
        : {}),
      // A pooled socket would be used again without a look at its addresses.
      "Connection": "close",
    },
    maxHeaderSize: maxAnswerHeaderBytes,
  };
  if (url.protocol === "http:") {
    return http.request(url, { ...settings, createConnection: () => socket }, onAnswer);
  }
  const host = hostOf(url.hostname);
  const servername = net.isIP(host) ? undefined : host;
  const createConnection = () =>
    tls.connect({ socket, host, servername, secureContext: secureContext() });
  return https.request(url, { ...settings, createConnection }, onAnswer);
}

/** The host of a URL as connections take it: an IPv6 address without brackets. */
const hostOf = (hostname: string): string => literalAddress(hostname) ?? hostname;

/** Refuses a name with any address that is not public, because node chooses which one it uses. */
function admit(found: Resolved[], hostname: string, allowInsecure: boolean): Resolved[] {
  if (found.length === 0) {
    throw Object.assign(new Error("no address"), { code: "ENOTFOUND" });
  }
  if (!allowInsecure && !found.every(({ address }) => isPublicAddress(address))) {
    throw new RefusedAddressError(hostname);
  }
  return found;
}

/** An answer counts if it ends or may be longer than its limit, not if it breaks off. `done` gets its beginning as text. */
function readToEnd(
  answer: IncomingMessage,
  { maxBytes, shownBytes, mayBeLonger }: AnswerLimits,
  done: (text: string) => void,
  failed: (error: unknown) => void,
) {
  const begun: Uint8Array[] = [];
  let readBytes = 0;
  // Bytes that are no UTF-8 become U+FFFD; a character that was cut is left out.
  const text = () =>
    new TextDecoder().decode(Buffer.concat(begun).subarray(0, shownBytes), { stream: true });
  answer.on("data", (chunk: Uint8Array) => {
    if (readBytes < shownBytes) begun.push(chunk);
    readBytes += chunk.byteLength;
    if (mayBeLonger && readBytes >= maxBytes) done(text());
    else if (readBytes > maxBytes) {
      failed(Object.assign(new Error("too long"), { code: "ANSWER_TOO_LONG" }));
    }
  });
  answer.on("end", () => done(text()));
  answer.on("error", failed);
  answer.on("aborted", () => failed(Object.assign(new Error("aborted"), { code: "ECONNRESET" })));
}

async function resolveOrNone(
  resolve: (hostname: string) => Promise<Resolved[]>,
  hostname: string,
): Promise<Resolved[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const none = new Promise<Resolved[]>((settle) => {
    timer = setTimeout(() => settle([]), resolveAtCreationMs);
  });
  try {
    return await Promise.race([resolve(hostname), none]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
