import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers";
import type { Clock } from "../../domain/core/clock.ts";
import { FieldNames } from "../../mime/headers/field_names.ts";
import { messageHeaderLimits, readHeader } from "../../mime/headers/header_fields.ts";
import type {
  DkimOptions,
  DkimResult,
  MailauthParts,
  ParsedHeaders,
  SignatureHeader,
} from "./mailauth_parts.ts";

/**
 * Limits of the headers whose signatures are verified: mailauth's work grows with the square of the lines, and with the
 * names in `h=` times the fields. The headers of ordinary mail have 20 KiB.
 */
const maxHeaderBytes = 64 * 1024;
const maxHeaderLines = 2_000;
/** RFC 6376 section 6.1 allows a limit. Each signature may need another hash of the body. */
const maxSignatures = 8;
const maxSignatureBytes = 8 * 1024;
/** For signatures of a part of the body (`l=`): each needs another hash. */
const maxPartial = 2;
const partial = /[;\s]l\s*=/i;
/** mailauth's work grows with the square of a line; RFC 5322 allows 998 bytes. */
const maxLineBytes = 256 * 1024;
/** After this many ms of a body, other work of the process gets its turn. */
const sliceMs = 5;

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** A message whose header is read. */
export interface MessageReader {
  /** The addresses of all From fields. */
  authors: string[];
  fromFields: number;
  /** False if the message surely has no signature. */
  isSigned: boolean;
  /** Reads the body if a signature needs it, ends the reading, and asks for the keys. */
  signatures(): Promise<DkimResult[]>;
}

/**
 * Reads the header of a message. If the header is above the limits only the authors are read, and signatures count as
 * `policy`: not acceptable here.
 */
export async function readMessage(
  { DkimVerifier }: Pick<MailauthParts, "DkimVerifier">,
  pieces: AsyncIterator<Uint8Array>,
  options: DkimOptions,
  clock: Pick<Clock, "elapsed">,
): Promise<MessageReader> {
  const front = await readFront(pieces, clock);
  const verifier = new (withLimits(DkimVerifier))(options);
  let failure: Error | null = null;
  verifier.on("error", (error) => failure = error);
  const write = (bytes: Uint8Array) =>
    new Promise<void>((done, fail) => {
      verifier.write(bytes, (error) => error ? fail(error) : done());
    });
  await write(front.isWhole ? front.header : onlyAuthors(front.header));
  const end = async () => {
    if (!failure) await new Promise<void>((done) => verifier.end(done));
    if (failure) throw failure;
  };
  if (!front.isWhole) await end();
  return {
    authors: verifier.headerFrom,
    fromFields: verifier.fromFields,
    isSigned: true,
    async signatures() {
      const unacceptable = [{ status: { result: "policy" } }];
      try {
        if (!front.isWhole) return unacceptable;
        if (verifier.bodyHashes.size > 0) {
          const body = { pieces, first: front.body, last: front.last };
          if (!await writeBody(body, write, clock)) return unacceptable;
        }
      } finally {
        // The bytes of a large message are read in a turn, which must not wait for the DNS.
        await pieces.return?.();
      }
      await end();
      return verifier.results.filter(({ status }) => status.result !== "none");
    },
  };
}

interface Front {
  /** To the empty line, with CRLF; of a header that is too long its first 2 MiB. */
  header: Uint8Array;
  body: Uint8Array;
  /** The last byte that was read. */
  last: number;
  isWhole: boolean;
}

async function readFront(
  pieces: AsyncIterator<Uint8Array>,
  clock: Pick<Clock, "elapsed">,
): Promise<Front> {
  let bytes: Uint8Array = new Uint8Array();
  let last = 0;
  for (;;) {
    const next = await pieces.next();
    if (!next.done) {
      const piece = withCrlf(next.value, last);
      last = piece.at(-1) ?? last;
      bytes = joined(bytes, piece);
    }
    const end = headerEnd(bytes);
    const size = end ?? bytes.length;
    if (size > maxHeaderBytes || linesIn(bytes.subarray(0, size)) > maxHeaderLines) {
      const header = end === null ? await longHeader(bytes, pieces, clock) : bytes;
      return { header, body: new Uint8Array(), last, isWhole: false };
    }
    if (end !== null) {
      return { header: bytes.subarray(0, end), body: bytes.subarray(end), last, isWhole: true };
    }
    if (next.done) return { header: bytes, body: new Uint8Array(), last, isWhole: true };
  }
}

/** A header that continues after `front`, to its end or to 2 MiB. Each byte is read once. */
async function longHeader(
  front: Uint8Array,
  pieces: AsyncIterator<Uint8Array>,
  clock: Pick<Clock, "elapsed">,
): Promise<Uint8Array> {
  const parts = [front];
  let size = front.length;
  let begunAt = clock.elapsed();
  while (size < messageHeaderLimits.scanBytes) {
    const more = await pieces.next();
    if (more.done) break;
    // The empty line may begin in the piece before.
    const before = parts[parts.length - 1].subarray(-3);
    parts.push(more.value);
    size += more.value.length;
    if (emptyLineEnd(joined(before, more.value)) !== null) break;
    if (clock.elapsed() - begunAt >= sliceMs) {
      await new Promise<void>((done) => void setImmediate(done));
      begunAt = clock.elapsed();
    }
  }
  return Buffer.concat(parts);
}

/** Writes the body. Returns false if one of its lines is too long: then not all of it is written. */
async function writeBody(
  { pieces, first, last }: { pieces: AsyncIterator<Uint8Array>; first: Uint8Array; last: number },
  write: (bytes: Uint8Array) => Promise<void>,
  clock: Pick<Clock, "elapsed">,
): Promise<boolean> {
  let begunAt = clock.elapsed();
  let lineBytes = 0;
  for (let piece = first;;) {
    const lineEnd = piece.lastIndexOf(lineFeed);
    const longest = lineEnd < 0 ? lineBytes + piece.length : lineBytes + piece.indexOf(lineFeed);
    if (longest > maxLineBytes) return false;
    lineBytes = lineEnd < 0 ? longest : piece.length - lineEnd - 1;
    await write(piece);
    if (clock.elapsed() - begunAt >= sliceMs) {
      await new Promise<void>((done) => void setImmediate(done));
      begunAt = clock.elapsed();
    }
    const next = await pieces.next();
    if (next.done) return true;
    piece = withCrlf(next.value, last);
    last = piece.at(-1) ?? last;
  }
}

const fromField = new FieldNames(["from"]);

/** A header that has only the From fields of another one. */
function onlyAuthors(header: Uint8Array): Uint8Array {
  const { fields } = readHeader(header, 0, header.length, fromField, messageHeaderLimits);
  const lines = fields.slice(0, 2).flatMap(({ bytes }) => [
    new TextEncoder().encode("From:"),
    bytes,
    new Uint8Array([carriageReturn, lineFeed]),
  ]);
  lines.push(new Uint8Array([carriageReturn, lineFeed]));
  return withCrlf(Buffer.concat(lines), 0);
}

/**
 * mailauth's verifier, which ignores the signatures beyond the limits, and ARC: no verdict depends on it, but its newest
 * signature would need a hash of the body and a key. The first bytes that are written are the header, and all lines end
 * in CRLF.
 */
function withLimits(Verifier: MailauthParts["DkimVerifier"]): MailauthParts["DkimVerifier"] {
  return class extends Verifier {
    override *ensureLinebreaks(bytes: Uint8Array): Iterable<Uint8Array> {
      yield bytes;
    }

    override async processChunk(bytes: Uint8Array): Promise<void> {
      if (this.state === "header") await this.emitHeaders(bytes);
      else await super.processChunk(bytes);
    }

    override async messageHeaders(headers: ParsedHeaders): Promise<void> {
      let signatures = 0, partials = 0;
      for (const field of headers.parsed) {
        if (field.key !== "dkim-signature") continue;
        const isTooMuch = field.line.length > maxSignatureBytes || ++signatures > maxSignatures ||
          partial.test(latin1.decode(field.line)) && ++partials > maxPartial;
        if (isTooMuch) field.key = "dkim-signature-beyond-limit";
      }
      const parsed = headers.parsed.filter(({ key }) => !key.startsWith("arc-"));
      await super.messageHeaders({ ...headers, parsed });
      // A DKIM signature may cover fields of ARC.
      this.headers = headers;
      // mailauth asks for one key after another: a stranger's silent DNS would take the time of the author's.
      if (this.signatureHeaders.length > 1) {
        this.signatureHeaders.forEach((each) => this.askKey(each));
      }
    }

    private askKey({ type, skip, invalid, selector, signingDomain, hashAlgo }: SignatureHeader) {
      if (skip || invalid) return;
      const name = `${selector}._domainkey.${signingDomain}`;
      const options = { strict: true, hashAlgo };
      this.keyCache.get(type, name, this.minBitLength, options).catch(() => {});
    }
  };
}

const latin1 = new TextDecoder("latin1");

/** Where the empty line after the header ends; null if there is none. All line ends are CRLF. */
function headerEnd(bytes: Uint8Array): number | null {
  return bytes[0] === carriageReturn && bytes[1] === lineFeed ? 2 : emptyLineEnd(bytes);
}

/** Where the first empty line after a line ends; null if there is none. */
function emptyLineEnd(bytes: Uint8Array): number | null {
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at + 1] === carriageReturn && bytes[at + 2] === lineFeed) return at + 3;
    if (bytes[at + 1] === lineFeed) return at + 2;
  }
  return null;
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines++;
  return lines;
}

/** The piece with CRLF in place of each single LF; mailauth would cut a piece at each. */
export function withCrlf(piece: Uint8Array, before: number): Uint8Array {
  let bare = 0;
  for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) {
    if ((at === 0 ? before : piece[at - 1]) !== carriageReturn) bare++;
  }
  if (bare === 0) return piece;
  const out = new Uint8Array(piece.length + bare);
  let to = 0, from = 0;
  for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) {
    if ((at === 0 ? before : piece[at - 1]) === carriageReturn) continue;
    out.set(piece.subarray(from, at), to);
    to += at - from;
    out[to++] = carriageReturn;
    from = at;
  }
  out.set(piece.subarray(from), to);
  return out;
}

const joined = (one: Uint8Array, other: Uint8Array) =>
  one.length === 0 ? other : Buffer.concat([one, other]);
