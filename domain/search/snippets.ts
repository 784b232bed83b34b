import { describeError } from "../core/log.ts";
import { readBody } from "../mail/read/parsing/parsed_bodies.ts";
import { nullIfDeleted } from "../mail/read/parsing/stored_message.ts";
import type { EmailRow } from "../mail/record/email_row.ts";
import { storedEmail } from "../mail/record/read_email.ts";
import type { Service } from "../core/service.ts";
import type { SearchHit } from "../ports/search_index.ts";
import { bestPassage, wantedWords } from "../../fulltext/analysis/best_passage.ts";
import { isSmallWord } from "../../fulltext/analysis/term_weights.ts";
import { within } from "../core/work/within.ts";

/** The longest time that a search waits for its snippets. */
const maxPassageMs = 400;
/** The weight of a word if no index knows how rare it is. */
const identifierWeight = 10;
const smallWeight = 0.1;

/** The snippets of the hits on the page. The index makes them all in one call. */
export async function snippetsOf(
  service: Service,
  userId: string,
  text: string,
  shown: { hit: SearchHit; row: EmailRow }[],
): Promise<string[]> {
  const asked = shown.filter(({ hit }) => !hit.passage).map(({ hit }) => hit.emailId);
  const made = asked.length === 0 ? [] : await within(
    service.clock,
    service.searchIndex.passages({ userId, text, emailIds: asked }),
    maxPassageMs,
  ).catch((error) => {
    service.log.warn("search.degraded", { part: "snippets", error: describeError(error) });
    return null;
  });
  return await Promise.all(shown.map(async ({ hit, row }) => {
    if (hit.passage) return hit.passage;
    if (!made) return row.parsed?.snippet ?? "";
    return made[asked.indexOf(hit.emailId)] || await passageOf(service, userId, row, text);
  }));
}

/** The passage of a hit from the email itself, for an index that stores no texts. */
async function passageOf(
  service: Service,
  userId: string,
  row: EmailRow,
  query: string,
): Promise<string> {
  const email = await storedEmail(service.database, userId, row.emailId);
  if (!email) return row.parsed?.snippet ?? "";
  const body = await nullIfDeleted(readBody(service, email));
  if (!body) return row.parsed?.snippet ?? "";
  return bestPassage(
    body.text,
    wantedWords(
      query,
      ({ text, identifier }) => identifier ? identifierWeight : isSmallWord(text) ? smallWeight : 1,
    ),
  );
}
