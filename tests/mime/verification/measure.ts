import { parseBody } from "../../../mime/body/parse_body.ts";
import { parseHead } from "../../../mime/headers/parse_head.ts";
import { findVerification, type Verification } from "../../../mime/verification/verification.ts";
import { listLinks } from "../../../mime/verification/mail_links.ts";
import type { ReadMail } from "../../../mime/verification/read_mail.ts";
import { type Case, messageOf } from "./corpus.ts";

/** A message in bytes as the input of mime/verification. */
export function readMail(raw: Uint8Array): ReadMail {
  const { subject, from } = parseHead(raw);
  const { text, html } = parseBody(raw);
  return { subject, text, html, senderDomain: from?.address.split("@")[1] ?? null };
}

/** Counts of found, expected and correct items. */
export interface Score {
  found: number;
  wanted: number;
  right: number;
}

export const precision = ({ found, right }: Score): number => found === 0 ? 1 : right / found;
export const recall = ({ wanted, right }: Score): number => wanted === 0 ? 1 : right / wanted;
export const shown = (score: Score): string =>
  `precision ${precision(score).toFixed(3)}, recall ${recall(score).toFixed(3)} ` +
  `(${score.right} of ${score.found} found, of ${score.wanted} wanted)`;

/** The counts for codes, kinds of links and the best of both over all cases, with the mistakes in words. */
export function measure(cases: readonly Case[]) {
  const codes: Score = { found: 0, wanted: 0, right: 0 };
  const links: Score = { found: 0, wanted: 0, right: 0 };
  const mistakes: string[] = [];
  for (const one of cases) {
    const mail = readMail(messageOf(one));
    const verification = findVerification(mail);
    add(codes, verification.codes.map(({ code }) => code), one.codes.map(({ code }) => code));
    const kinds = listLinks(mail).filter(({ kind }) => kind !== "other");
    add(links, kinds.map(nameOf), one.links.map(nameOf));
    mistakes.push(...mistakesIn(one, verification, kinds.map(nameOf)));
  }
  return { codes, links, mistakes };
}

const nameOf = ({ kind, url }: { kind: string; url: string }) => `${kind} ${url}`;

function add(score: Score, found: string[], wanted: string[]): void {
  score.found += found.length;
  score.wanted += wanted.length;
  score.right += found.filter((one) => wanted.includes(one)).length;
}

function mistakesIn(one: Case, verification: Verification, kinds: string[]): string[] {
  const { codes, best_code, best_link } = verification;
  const found = codes.map(({ code, as_written, confidence }) =>
    `${code} (${as_written}, ${confidence})`
  );
  const wanted = one.codes.map(({ code }) => code);
  const wantedLinks = one.links.map(nameOf);
  const proof = one.links.find(({ kind }) => kind !== "unsubscribe")?.url ?? null;
  const wrong: string[] = [];
  if (codes.map(({ code }) => code).join() !== wanted.join() || best_code !== (wanted[0] ?? null)) {
    wrong.push(`codes: found ${found.join(", ") || "none"}, wanted ${wanted.join(", ") || "none"}`);
  } else if (one.codes.some(({ written }, n) => codes[n].as_written !== written)) {
    wrong.push(`as written: ${codes.map(({ as_written }) => as_written)}`);
  }
  if (kinds.toSorted().join() !== wantedLinks.toSorted().join()) {
    wrong.push(
      `links: found ${kinds.join(", ") || "none"}, wanted ${wantedLinks.join(", ") || "none"}`,
    );
  }
  if (best_link !== proof) wrong.push(`best link: found ${best_link}, wanted ${proof}`);
  return wrong.map((text) => `${one.id}: ${text}`);
}
