import type { Clock } from "../../domain/core/clock.ts";
import { normaliseHost, unambiguousHost } from "../../domain/core/host_name.ts";
import type { Dns } from "../../domain/ports/dns.ts";
import type {
  ProviderFindings,
  SenderAuth,
  SenderChecks,
  SenderFacts,
  SenderQuestion,
} from "../../domain/ports/sender_checks.ts";
import { CachedLookups } from "./cached_lookups.ts";
import { loadMailauth, type MailauthParts } from "./mailauth_parts.ts";
import { MessageLookups } from "./message_lookups.ts";
import { type MessageReader, readMessage } from "./message_reader.ts";
import { dkimWord, verdictOf } from "./verdict.ts";

/** How long a check that begins late may take, unless the DNS is down. */
const leastMs = 1_000;

export interface MailauthOptions {
  dns: Dns;
  clock: Clock;
  /** The name of this server, for SPF macros, and to see whether the resolver answers at all. */
  mta: string;
}

/**
 * The checks of the library mailauth, in its strict mode, over the DNS of the service with a cache. ARC is not evaluated,
 * because no verdict depends on it.
 */
export function mailauthChecks({ dns, clock, mta }: MailauthOptions): SenderChecks {
  const lookups = new CachedLookups(dns, clock, mta);
  return {
    // After a failure the next check tries again.
    prepare: () => loadMailauth().then(() => {}, () => {}),
    async check(question) {
      const left = Math.max(question.until - clock.now(), lookups.isDown ? 0 : leastMs);
      const until = clock.elapsed() + left;
      const { userId } = question;
      const messageLookups = new MessageLookups(lookups, clock, { userId, until });
      const parts = await loadMailauth();
      const pieces = question.raw()[Symbol.asyncIterator]();
      try {
        return await checkMessage(parts, messageLookups, { ...question, pieces }, { mta, clock });
      } finally {
        messageLookups.close();
        await pieces.return?.();
      }
    },
  };
}

async function dkimOf(
  { provider }: SenderFacts,
  message: MessageReader,
  pieces: AsyncIterator<Uint8Array>,
): Promise<Voucher[]> {
  if (!provider?.dkim) return (await message.signatures()).map(asVoucher);
  await pieces.return?.();
  return provider.dkim;
}

function plainMessage(author: string): MessageReader {
  return {
    authors: [author],
    fromFields: 1,
    isSigned: false,
    signatures: () => Promise.resolve([]),
  };
}

/** The result of a check for a domain that vouches for a message. */
interface Voucher {
  domain: string | null;
  result: string;
}

async function checkMessage(
  parts: MailauthParts,
  { resolve, resolveKey }: MessageLookups,
  question: SenderQuestion & { pieces: AsyncIterator<Uint8Array> },
  { mta, clock }: Pick<MailauthOptions, "mta" | "clock">,
): Promise<SenderAuth> {
  const { facts, pieces } = question;
  const dkimOptions = {
    resolver: resolveKey,
    strict: true,
    curTime: new Date(clock.now()),
  } as const;
  const message = facts.isPlain ? plainMessage(question.from) : await readMessage(parts, pieces, {
    ...dkimOptions,
    sender: question.reversePath,
  }, clock);
  const { authorDomain, isForged } = authorOf(parts, message, question.from);
  const fromFields = message.fromFields;
  const dmarcOf = (vouchers: { spf: Voucher; dkim: Voucher[] }) =>
    dmarcWord(parts, { authors: message.authors, fromFields, resolver: resolve }, vouchers);
  const nothing = { spf: { domain: null, result: "none" }, dkim: [] };
  // Asked first: the author's records must be there even if another domain's DNS takes all the time.
  const isSlow = facts.peer !== undefined || message.isSigned;
  const early = authorDomain === null || !isSlow ? null : dmarcOf(nothing).catch(() => {});
  const [spf, dkim] = await Promise.all([
    spfOf(parts, facts, { ...question, mta, resolver: resolve }),
    dkimOf(facts, message, pieces),
    early,
  ]);
  const words = { spf: spf.result, source: sourceOf(facts) };
  if (isForged || authorDomain === null) {
    const verdict = isForged ? "fail" : "none";
    const results = dkim.map(({ result }) => ({ result, isAligned: false }));
    return { verdict, ...words, dkim: dkimWord(results), dmarc: verdict, domain: null };
  }
  const aligned = ({ domain, result }: Voucher) => ({
    result,
    isAligned: domain !== null && isOneName(domain) &&
      Boolean(parts.getAlignment(authorDomain, [domain])),
  });
  const results = dkim.map(aligned);
  const { verdict, dmarc } = verdictOf({
    spf: aligned(spf),
    dkim: results,
    dmarc: facts.provider?.dmarc ?? await dmarcOf({ spf, dkim }),
  });
  return { verdict, ...words, dkim: dkimWord(results), dmarc, domain: authorDomain };
}

/**
 * The only author domain; null if there is none. `isForged`: there is more than one From field or author domain, or
 * another one than the service shows or compares: a name that UTS 46 reads differently from the DNS question.
 */
function authorOf(
  { getAuthorDomain }: MailauthParts,
  { authors, fromFields }: { authors: string[]; fromFields: number },
  shown: string,
): { authorDomain: string | null; isForged: boolean } {
  const { authorDomain = null, reason } = getAuthorDomain(authors, fromFields);
  const shownDomain = shown === "" ? null : getAuthorDomain([shown]).authorDomain ?? null;
  const isForged = (authorDomain === null && reason !== "no-author-domain") ||
    authorDomain !== shownDomain ||
    [...authors, shown].some((author) => !isReadAs(author, authorDomain));
  return { authorDomain: isForged ? null : authorDomain, isForged };
}

/** Whether the rest of the service reads the domain of an address as the DNS was asked for it, or as no host name at all. */
function isReadAs(address: string, authorDomain: string | null): boolean {
  if (authorDomain === null) return true;
  const written = address.slice(address.lastIndexOf("@") + 1);
  if (normaliseHost(written) === null) return ascii.test(written);
  return unambiguousHost(written) === authorDomain;
}

/**
 * Whether a domain that vouches is one name to every reader. A provider reports what a stranger wrote, and the alignment
 * would cut `bank.example:1.evil.example` at its colon. SPF names may have underscores.
 */
function isOneName(domain: string): boolean {
  return /^[a-z0-9._-]+$/i.test(domain) || unambiguousHost(domain) !== null;
}

const ascii = /^[ -~]*$/;

async function spfOf(
  { spf }: MailauthParts,
  { peer, provider }: SenderFacts,
  { reversePath, mta, resolver }: {
    reversePath: string;
    mta: string;
    resolver: MessageLookups["resolve"];
  },
): Promise<Voucher> {
  if (provider?.spf !== undefined) {
    const domain = reversePath.slice(reversePath.lastIndexOf("@") + 1).toLowerCase();
    return { domain: domain || null, result: provider.spf };
  }
  if (!peer) return { domain: null, result: "none" };
  const helo = peer.helo ?? `[${peer.ip}]`;
  const options = { sender: reversePath, ip: peer.ip, helo, mta, resolver, strict: true } as const;
  const { domain, status } = await spf(options);
  return { domain, result: status.result };
}

/**
 * A signature that does not cover the end of the body proves nothing about what a reader sees there (RFC 6376 section
 * 8.2).
 */
function asVoucher(
  { signingDomain, status }: { signingDomain?: string; status: DkimStatus },
): Voucher {
  const isOpen = status.result === "pass" && (status.underSized ?? 0) > 0;
  return { domain: signingDomain ?? null, result: isOpen ? "policy" : status.result };
}
type DkimStatus = { result: string; underSized?: number };

async function dmarcWord(
  { evaluateDmarc }: MailauthParts,
  message: { authors: string[]; fromFields: number; resolver: MessageLookups["resolve"] },
  { spf, dkim }: { spf: Voucher; dkim: Voucher[] },
): Promise<string> {
  const passed = (vouchers: Voucher[]) =>
    vouchers.flatMap(({ domain, result }) => result === "pass" && domain !== null ? [domain] : []);
  const { response } = await evaluateDmarc({
    headerFrom: message.authors,
    fromFields: message.fromFields,
    spfDomains: passed([spf]),
    dkimDomains: passed(dkim).map((domain) => ({ domain })),
    resolver: message.resolver,
    strict: true,
  });
  return response ? response.status.result : "none";
}

function sourceOf({ provider }: SenderFacts): SenderAuth["source"] {
  return provider && Object.keys(provider satisfies ProviderFindings).length > 0
    ? "provider"
    : "checked";
}
