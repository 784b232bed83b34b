import { z } from "zod";
import type { MessageBody } from "../../../mime/body/parse_body.ts";
import { type AnsweringText, answersIn, isAboveWhole } from "../../../mime/segments/answers.ts";
import { shortenUrls } from "../../../mime/verification/mail_links.ts";
import type { Call } from "../../core/operation.ts";
import type { Reads } from "./reads.ts";
import { storedMessage } from "./parsing/stored_message.ts";
import type { Email } from "../record/email.ts";
import { answeredText } from "./answered_text.ts";
import { linksOf } from "./links_of.ts";
import { readBody } from "./parsing/parsed_bodies.ts";

/** docs/mail-in.md "Whose words". */
export const segmentRecord = z.object({
  origin: z.enum(["new", "quoted", "forwarded", "signature", "disclaimer", "hidden"]).describe(
    "Who wrote it: new is what the sender wrote in this mail; hidden is what the HTML does not show",
  ),
  text: z.string(),
}).meta({ id: "EmailSegment", description: "A part of an email's text, by its origin" });

type SegmentRecord = z.output<typeof segmentRecord>;

/** A body as an answer shows it. */
export interface ShownBody extends MessageBody {
  /** Present if requested. The texts of all segments except `hidden`, joined, are `text`. */
  segments?: SegmentRecord[];
}

export interface Showing extends Pick<Call, "longUrls"> {
  /** True: with the segments of the text. */
  segments?: boolean;
  /** True: `newText` is shown. */
  newText?: boolean;
}

/**
 * The parsed body of an email; if requested with its segments, and with the long URLs of its texts shortened. In a mail
 * whose answered mail the mailbox has, answers inside the quote are new.
 */
export async function readShownBody(
  service: Reads,
  email: Email,
  { segments, newText, longUrls }: Showing,
): Promise<ShownBody> {
  const body = await readBody(service, email);
  const answering = segments || newText ? await answersOf(service, email, body) : null;
  const all = segments && !answering ? await segmentsOf(service, email, body) : [];
  const whole = {
    ...body,
    ...answering && { newText: answering.newText },
    ...segments && { segments: answering?.segments ?? all },
  };
  return longUrls === "short" ? await withShortUrls(service, email, whole) : whole;
}

/** The text of a received email with the answers inside its quote; null if there are none. */
async function answersOf(
  service: Reads,
  email: Email,
  body: MessageBody,
): Promise<AnsweringText | null> {
  const { plainQuotes } = service.parsedBodies;
  const hasQuote = body.newText.length < body.text.trim().length;
  if (email.direction === "outbound" || !hasQuote || plainQuotes.has(email.emailId)) return null;
  const answered = await answeredText(service, email);
  if (answered === null) return null;
  const all = isAboveWhole(body.text, body.newText, answered.text)
    ? null
    : await segmentsOf(service, email, body);
  const found = all && answersIn(all, answered.text);
  // Segments that were not found in time have no quote.
  const isCompared = all?.some(({ origin }) => origin === "quoted") ?? true;
  if (!found && isCompared && answered.isNamed) plainQuotes.set(email.emailId, { answers: 0 });
  return found;
}

/**
 * Nothing is stored: the message is parsed again, a large one in a Worker. If that takes too long, the whole text is one
 * `new` segment.
 */
async function segmentsOf(
  service: Reads,
  email: Email,
  { text, problem }: MessageBody,
): Promise<SegmentRecord[]> {
  if (problem !== null) return [];
  const found = await service.parsing.segments(storedMessage(service, email), email.subject);
  return found ?? [{ origin: "new", text }];
}

async function withShortUrls(
  service: Reads,
  email: Email,
  body: ShownBody,
): Promise<ShownBody> {
  const { text, newText, segments } = body;
  const texts = [text, ...(segments ?? []).map((each) => each.text)];
  if (!texts.some((each) => /:\/\/\S{100}/.test(each))) return body;
  const links = await linksOf(service, email, body);
  return {
    ...body,
    text: shortenUrls(text, links),
    newText: shortenUrls(newText, links),
    // Segments end at the end of a line, and no URL crosses it.
    ...segments && {
      segments: segments.map((each) => ({ ...each, text: shortenUrls(each.text, links) })),
    },
  };
}

/**
 * The segments of the text from position `offset` on. The position is in the joined texts of all segments except
 * `hidden`; hidden ones stay whole.
 */
export function segmentsFrom(segments: readonly SegmentRecord[], offset: number): SegmentRecord[] {
  let skip = offset;
  return segments.flatMap((each) => {
    if (each.origin === "hidden") return [each];
    const text = each.text.slice(skip);
    skip = Math.max(0, skip - each.text.length);
    return text === "" ? [] : [{ ...each, text }];
  });
}
