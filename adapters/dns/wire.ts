import { type Answer, decode, encode, type Packet, RECURSION_DESIRED } from "dns-packet";
import { Buffer } from "node:buffer";
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect } from "node:net";
import type { LookupType } from "../../domain/ports/dns.ts";
import type { ResolverAddress } from "../../domain/ports/resolver_address.ts";

export interface Question {
  name: string;
  type: LookupType;
}

export type Asked =
  | { kind: "answers"; answers: Answer[]; emptyTtlSeconds: number }
  /** `ttlSeconds`: of the SOA record (RFC 2308); 0 if there is none. */
  | { kind: "none"; ttlSeconds: number }
  | { kind: "unavailable"; reason: string };

/** RFC 1035 section 4.1.1; 4.2.2: over TCP two octets of length go before the message. */
const rcodeNxdomain = 3;
const rcodes = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"];
const headerBytes = 12;

/**
 * Asks one server one question over UDP, and again over TCP if the answer is truncated (RFC 7766).
 * Pending until there is an answer or `signal` aborts, which frees the socket. Never rejects.
 */
export async function ask(
  question: Question,
  server: ResolverAddress,
  signal: AbortSignal,
): Promise<Asked> {
  try {
    const id = randomInt(0x10000);
    const request = encode({
      type: "query",
      id,
      flags: RECURSION_DESIRED,
      questions: [{ ...question, class: "IN" }],
    });
    let response = await overUdp(request, server, signal);
    if (isCutOff(response)) response = await overTcp(request, server, signal);
    return read(response, request, question);
  } catch (error) {
    return {
      kind: "unavailable",
      reason: error instanceof Error ? error.message : "the question could not be sent",
    };
  }
}

function read(response: Buffer, request: Buffer, question: Question): Asked {
  if (!answersTo(request, response) || isCutOff(response)) {
    return { kind: "unavailable", reason: "the resolver answered something else" };
  }
  const rcode = response[3] & 0x0f;
  if (rcode === rcodeNxdomain) return { kind: "none", ttlSeconds: negativeTtl(response) };
  if (rcode !== 0) {
    return { kind: "unavailable", reason: `the resolver answered ${rcodes[rcode] ?? rcode}` };
  }
  const packet = decode(response);
  const asked = packet.questions?.[0];
  const name = question.name.toLowerCase().replace(/\.$/, "");
  if (asked?.type !== question.type || asked.name.toLowerCase() !== name) {
    return { kind: "unavailable", reason: "the resolver answered another question" };
  }
  const answers = packet.answers ?? [];
  return { kind: "answers", answers, emptyTtlSeconds: answers.length === 0 ? soaTtl(packet) : 0 };
}

function negativeTtl(response: Buffer): number {
  try {
    return soaTtl(decode(response));
  } catch {
    return 0;
  }
}

/** RFC 2308 section 5: the lower one of the SOA's TTL and its minimum. */
function soaTtl({ authorities }: Packet): number {
  for (const record of authorities ?? []) {
    if (record.type === "SOA") return Math.min(record.ttl ?? 0, record.data.minimum ?? 0);
  }
  return 0;
}

/** The first datagram that comes from the server and has the id of the request. */
function overUdp(request: Buffer, server: ResolverAddress, signal: AbortSignal): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = createSocket(server.family === 6 ? "udp6" : "udp4");
  socket.on("message", (message: Buffer, from) => {
    const known = from.address === server.address && from.port === server.port;
    if (known && answersTo(request, message)) resolve(message);
  });
  socket.on("error", reject);
  socket.send(request, server.port, server.address, (error) => {
    if (error !== null) reject(error);
  });
  return closing(promise, reject, signal, () => socket.close());
}

function overTcp(request: Buffer, server: ResolverAddress, signal: AbortSignal): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = connect({ host: server.address, port: server.port }, () => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(request.length);
    socket.write(Buffer.concat([length, request]));
  });
  let received = Buffer.alloc(0);
  socket.on("data", (piece: Buffer) => {
    received = Buffer.concat([received, piece]);
    if (received.length < 2) return;
    const length = received.readUInt16BE(0);
    if (received.length >= 2 + length) resolve(received.subarray(2, 2 + length));
  });
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("the resolver hung up")));
  return closing(promise, reject, signal, () => socket.destroy());
}

async function closing(
  promise: Promise<Buffer>,
  reject: (reason: Error) => void,
  signal: AbortSignal,
  close: () => void,
): Promise<Buffer> {
  const abort = () => reject(new Error("no longer waited for"));
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
    close();
  }
}

function answersTo(request: Buffer, response: Buffer): boolean {
  const isResponse = response.length >= headerBytes && (response[2] & 0x80) !== 0;
  return isResponse && response.readUInt16BE(0) === request.readUInt16BE(0);
}

function isCutOff(response: Buffer): boolean {
  return (response[2] & 0x02) !== 0;
}
