import { Buffer } from "node:buffer";
import { checkedAddress, parseAddressList } from "../../../mime/headers/address_list.ts";
import { bouncedRecipients } from "../../../mime/body/delivery_report.ts";
import { decodeCharset } from "../../../mime/text/charset.ts";
import { parseDate } from "../../../mime/headers/date_field.ts";
import { decodeHeaderText, foreignWords } from "../../../mime/headers/encoded_words.ts";
import { messageHeaderLimits } from "../../../mime/headers/header_fields.ts";
import { htmlToText } from "../../../mime/body/html_text.ts";
import { idsOfReply, messageIds } from "../../../mime/headers/message_ids.ts";
import { newTextOf } from "../../../mime/body/new_text.ts";
import { isTaken, relayForm } from "../../../mime/compose/relay_form.ts";
import { parseBody } from "../../../mime/body/parse_body.ts";
import { answersIn } from "../../../mime/segments/answers.ts";
import { segmentsOf } from "../../../mime/segments/segments.ts";
import { plainAddresses } from "../../../mime/headers/plain_addresses.ts";
import { plainAuthor } from "../../../mime/headers/plain_author.ts";
import { parseHead } from "../../../mime/headers/parse_head.ts";
import { plainText } from "../../../mime/body/plain_text.ts";
import { parseStructuredField } from "../../../mime/headers/structured_field.ts";
import { normalisedSubject } from "../../../domain/mail/record/threads/subject_threads.ts";
import { readRtf } from "../../../mime/body/rtf.ts";
import { messageOfTnef } from "../../../mime/body/tnef/tnef_message.ts";
import { decodeTransfer } from "../../../mime/body/transfer_encoding.ts";
import { parseEnvelopeAddress, splitEnvelopeList } from "../../../domain/mailboxes/address.ts";
import { listLinks, shortenUrls } from "../../../mime/verification/mail_links.ts";
import { findVerification } from "../../../mime/verification/verification.ts";
import { tokenize } from "../../../fulltext/analysis/tokens.ts";
import type { Grammar } from "./grammar.ts";
import {
  addressGrammar,
  byteGrammar,
  dateGrammar,
  encodedWordGrammar,
  fieldGrammar,
  htmlGrammar,
  messageIdGrammar,
  mimeGrammar,
  plainGrammar,
  reportGrammar,
  rtfGrammar,
  tnefGrammar,
} from "./grammars.ts";

/** A function that reads a stranger's text, and the grammar of that text. */
export interface FuzzTarget {
  name: string;
  grammar: Grammar;
  run: (text: string) => unknown;
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Buffer.from(text, "latin1");
/** The text, cut to the largest header field that is kept. */
const field = (text: string) => text.slice(0, messageHeaderLimits.fieldBytes);
const inField = (name: string) => (text: string) => parseHead(utf8(`${name}: ${text}\r\n\r\n`));

/** Throws the problem of a parser that catches its own exceptions. */
function bodyOf(raw: Uint8Array): void {
  const { problem } = parseBody(raw);
  if (problem !== null) throw new Error(problem);
}

/** It is a failure if the joined segments are not the text. */
function joinedSegments(text: string, html: string | null = null): void {
  const shown = segmentsOf(text, html).filter(({ origin }) => origin !== "hidden");
  if (shown.map((each) => each.text).join("") !== text) throw new Error("segments do not join");
}

/** It is a failure if the joined segments of a quote of a half of the text are not the text. */
function joinedAnswers(text: string): void {
  const found = answersIn([{ origin: "quoted", text }], text.slice(0, text.length / 2));
  if (found && found.segments.map((each) => each.text).join("") !== text) {
    throw new Error("segments do not join");
  }
}

/** A text that is no RTF is refused. */
function rtfOf(text: string): void {
  try {
    readRtf(latin1(text));
  } catch (error) {
    if (!/^(?:no RTF|too deep)$/.test((error as Error).message)) throw error;
  }
}

const flowed = new Map([["format", "flowed"], ["delsp", "yes"]]);
const charsets = [
  ...[
    "utf-7",
    "iso-2022-kr",
    "hz-gb-2312",
    "cp850",
    "iso-2022-jp",
    "gb18030",
    "utf-16le",
    "shift_jis",
    "iso-8859-1",
    "us-ascii",
  ],
];

/** Throws if the form is none that the relay takes. */
function relayFormOf(raw: Uint8Array): void {
  for (const eightBit of [true, false]) {
    const form = relayForm(raw, { eightBit });
    if (form && !isTaken(form, { eightBit })) throw new Error("the relay does not take the form");
  }
}

/** Every pure function from a message's bytes to its text. */
export const fuzzTargets: readonly FuzzTarget[] = [
  { name: "parseBody", grammar: mimeGrammar, run: (text) => bodyOf(utf8(text)) },
  { name: "parseBody, bytes", grammar: mimeGrammar, run: (text) => bodyOf(latin1(text)) },
  {
    name: "parseBody of HTML",
    grammar: htmlGrammar,
    run: (text) => bodyOf(utf8(`Content-Type: text/html\r\n\r\n${text}`)),
  },
  { name: "parseHead", grammar: mimeGrammar, run: (text) => parseHead(utf8(text)) },
  { name: "parseHead, From", grammar: addressGrammar, run: inField("From") },
  { name: "parseHead, To", grammar: addressGrammar, run: inField("To") },
  { name: "parseHead, Subject", grammar: encodedWordGrammar, run: inField("Subject") },
  { name: "parseHead, References", grammar: messageIdGrammar, run: inField("References") },
  { name: "parseHead, Date", grammar: dateGrammar, run: inField("Date") },
  { name: "parseHead, Content-Type", grammar: fieldGrammar, run: inField("Content-Type") },
  { name: "plainAddresses", grammar: addressGrammar, run: (text) => plainAddresses(field(text)) },
  {
    name: "plainAuthor",
    grammar: addressGrammar,
    run: (text) => plainAuthor(utf8(`From: ${text}\r\n\r\n`)),
  },
  { name: "parseAddressList", grammar: addressGrammar, run: parseAddressList },
  { name: "checkedAddress", grammar: addressGrammar, run: (text) => checkedAddress(field(text)) },
  { name: "parseDate", grammar: dateGrammar, run: (text) => parseDate(field(text)) },
  {
    name: "decodeHeaderText",
    grammar: encodedWordGrammar,
    run: (text) => decodeHeaderText(field(text)),
  },
  { name: "foreignWords", grammar: encodedWordGrammar, run: (text) => foreignWords(field(text)) },
  { name: "messageIds", grammar: messageIdGrammar, run: messageIds },
  { name: "idsOfReply", grammar: messageIdGrammar, run: (text) => idsOfReply(field(text)) },
  {
    name: "parseStructuredField",
    grammar: fieldGrammar,
    run: (text) => parseStructuredField(field(text)),
  },
  {
    name: "normalisedSubject",
    grammar: plainGrammar,
    run: (text) => normalisedSubject(field(text)),
  },
  { name: "splitEnvelopeList", grammar: addressGrammar, run: splitEnvelopeList },
  { name: "parseEnvelopeAddress", grammar: addressGrammar, run: parseEnvelopeAddress },
  { name: "tokenize", grammar: plainGrammar, run: tokenize },
  { name: "htmlToText", grammar: htmlGrammar, run: htmlToText },
  { name: "newTextOf", grammar: plainGrammar, run: newTextOf },
  { name: "segmentsOf", grammar: plainGrammar, run: joinedSegments },
  { name: "answersIn", grammar: plainGrammar, run: joinedAnswers },
  {
    name: "segmentsOf, HTML",
    grammar: htmlGrammar,
    run: (text) => joinedSegments(htmlToText(text), text),
  },
  { name: "plainText, flowed", grammar: plainGrammar, run: (text) => plainText(text, flowed) },
  {
    name: "bouncedRecipients",
    grammar: reportGrammar,
    run: (text) => bouncedRecipients(utf8(text)),
  },
  { name: "relayForm", grammar: mimeGrammar, run: (text) => relayFormOf(latin1(text)) },
  {
    name: "findVerification of text",
    grammar: plainGrammar,
    run: (text) => findVerification({ subject: text, text, html: null }),
  },
  {
    name: "findVerification of HTML",
    grammar: htmlGrammar,
    run: (html) => findVerification({ subject: "Your code", text: "", html }),
  },
  {
    name: "shortenUrls",
    grammar: htmlGrammar,
    run: (text) => shortenUrls(text, listLinks({ subject: "", text, html: text })),
  },
  { name: "messageOfTnef", grammar: tnefGrammar, run: (text) => messageOfTnef(latin1(text), 500) },
  { name: "readRtf", grammar: rtfGrammar, run: rtfOf },
  ...["base64", "quoted-printable", "x-uuencode"].map((encoding): FuzzTarget => ({
    name: `decodeTransfer, ${encoding}`,
    grammar: byteGrammar,
    run: (text) => decodeTransfer(latin1(text), encoding),
  })),
  ...charsets.map((charset): FuzzTarget => ({
    name: `decodeCharset, ${charset}`,
    grammar: byteGrammar,
    run: (text) => decodeCharset(latin1(text), charset),
  })),
];
