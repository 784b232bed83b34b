import type { Resolver } from "./message_lookups.ts";

/** The parts of mailauth that are used. Its own types have only its main module, which loads all of it. */
export interface MailauthParts {
  spf(options: SpfOptions): Promise<{ domain: string; status: { result: string } }>;
  DkimVerifier: new (options: DkimOptions) => DkimVerifier;
  evaluateDmarc(options: DmarcOptions): Promise<{
    response: false | { status: { result: string } };
  }>;
  getAuthorDomain(addresses: string[], fields?: number): { authorDomain?: string; reason?: string };
  /** False if none is aligned. */
  getAlignment(from: string, domains: string[], strict?: boolean): unknown;
}

export interface SpfOptions {
  sender: string;
  ip: string;
  helo: string;
  /** The name of this server, for macros. */
  mta: string;
  resolver: Resolver;
  strict: true;
}

export interface DkimOptions {
  resolver: Resolver;
  strict: true;
  sender: string;
  /** ms since 1970. */
  curTime: Date;
}

export interface DmarcOptions {
  headerFrom: string[];
  fromFields: number;
  spfDomains: string[];
  dkimDomains: { domain: string }[];
  resolver: Resolver;
  strict: true;
}

/** A writable stream that takes a message. */
export interface DkimVerifier {
  write(bytes: Uint8Array, done: (error?: Error | null) => void): boolean;
  end(done: () => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  /** Splits bytes so that each line ends in CRLF, byte by byte. */
  ensureLinebreaks(bytes: Uint8Array): Iterable<Uint8Array>;
  /** Takes bytes of the message. Finds the end of the header byte by byte, which takes long. */
  processChunk(bytes: Uint8Array): Promise<void>;
  state: "header" | "body";
  /** Takes the header as a whole; the bytes after it are the body. */
  emitHeaders(header: Uint8Array): Promise<void>;
  /** Called once with the header; the default prepares the signatures. */
  messageHeaders(headers: ParsedHeaders): Promise<void>;
  headers: ParsedHeaders | false;
  /** The hashes of the body that signatures need. */
  bodyHashes: Map<string, unknown>;
  /** Known once the header is read. */
  signatureHeaders: SignatureHeader[];
  /** Asks for the key of a signature, once. */
  keyCache: {
    get(
      type: string,
      name: string,
      minBitLength: number | undefined,
      options: { strict: boolean; hashAlgo?: string },
    ): Promise<unknown>;
  };
  minBitLength?: number;
  headerFrom: string[];
  fromFields: number;
  results: DkimResult[];
}

export interface SignatureHeader {
  type: string;
  skip?: boolean;
  invalid?: unknown;
  selector?: string;
  signingDomain?: string;
  hashAlgo?: string;
}

export interface ParsedHeaders {
  parsed: { key: string; casedKey: string; line: Uint8Array }[];
}

export interface DkimResult {
  signingDomain?: string;
  status: { result: string; underSized?: number };
}

let parts: Promise<MailauthParts> | null = null;

/** Loads the parts, once; that takes 150 ms. After a failure, as without free descriptors, the next call tries again. */
export function loadMailauth(): Promise<MailauthParts> {
  parts ??= load().catch((error) => {
    parts = null;
    throw error;
  });
  return parts;
}

async function load(): Promise<MailauthParts> {
  const [spf, dkim, dmarc, author, tools] = await Promise.all([
    import("mailauth/lib/spf/index.js"),
    import("mailauth/lib/dkim/dkim-verifier.js"),
    import("mailauth/lib/dmarc/verify.js"),
    import("mailauth/lib/dmarc/author-domain.js"),
    import("mailauth/lib/tools.js"),
  ]);
  return {
    spf: spf.default.spf,
    DkimVerifier: dkim.default.DkimVerifier,
    evaluateDmarc: dmarc.default.evaluateDmarc,
    getAuthorDomain: author.default.getAuthorDomain,
    getAlignment: tools.default.getAlignment,
  } as unknown as MailauthParts;
}
