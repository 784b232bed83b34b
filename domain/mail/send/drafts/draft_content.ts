import { concatBytes } from "../../../core/bytes.ts";
import { notFound } from "../../../core/errors.ts";
import type { Service } from "../../../core/service.ts";
import type { TimeSlices } from "../../../core/work/time_slices.ts";
import type { MailAddress } from "../../../../mime/headers/address_list.ts";
import type { OutgoingAttachment } from "../../../../mime/compose/compose.ts";
import { cutText } from "../../../../mime/text/cut_text.ts";
import type { Mailbox } from "../../../mailboxes/mailbox.ts";
import { BlobWriter, type FinishedBlob, readBlob, readWholeBlob } from "../../../store/blobs.ts";
import * as keys from "../../../store/keys.ts";
import { contentHash, type MessageContent, sha256Of } from "../../record/content_hash.ts";
import type { Answered, Submission, Written } from "../outgoing_message.ts";
import type { Draft } from "../../record/draft.ts";
import { readOf } from "./draft.ts";

/**
 * The content of a draft without the bytes of its attachments and of a written message. Stored as JSON, followed by those
 * bytes in the same blob.
 */
export interface DraftHead extends MessageContent {
  fromName?: string;
  metadata?: Readonly<Record<string, string>>;
  attachments: (Omit<OutgoingAttachment, "content"> & { size: number; sha256: string })[];
  automatic: boolean;
  answers?: Answered;
  written?: Omit<Written, "bytes"> & { size: number };
  /** Of an ended draft: its texts, attachments or names were cut. */
  cut?: true;
}

/** A draft with its content. */
export interface LoadedDraft {
  draft: Draft;
  submission: Submission;
  hash: string;
}

export interface WrittenContent {
  blob: FinishedBlob;
  headBytes: number;
}

/** Writes the content of a submission. Its owner attaches the blob in its commit, or discards it. */
export async function writeContent(
  service: Service,
  submission: Submission,
): Promise<WrittenContent> {
  const head = encodeHead(headOf(submission));
  const writer = new BlobWriter(service);
  try {
    await writer.write(head);
    for (const { content } of submission.attachments) await writer.write(content);
    if (submission.written) await writer.write(submission.written.bytes);
    return { blob: await writer.finish(), headBytes: head.length };
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** How many bytes `writeContent` writes. */
export function contentBytes(submission: Submission): number {
  return submission.attachments.reduce(
    (sum, { content }) => sum + content.length,
    encodeHead(headOf(submission)).length + (submission.written?.bytes.length ?? 0),
  );
}

/** The open draft with all of its content, ready to be sent. Throws StaleRevision if it changes meanwhile. */
export async function loadOpen(service: Service, draft: Draft): Promise<LoadedDraft> {
  const { database } = service;
  const mailbox = await database.get<Mailbox>(keys.mailbox(draft.userId, draft.mailboxId));
  if (!mailbox) throw notFound("draft");
  const { blob, headBytes } = draft.content!;
  const bytes = await readOf(service, draft, () => readWholeBlob(database, blob));
  const { attachments, written, ...head } = decodeHead(bytes.subarray(0, headBytes));
  let offset = headBytes;
  const submission: Submission = {
    ...head,
    mailbox,
    attachments: attachments.map(({ size, sha256: _hash, ...about }) => {
      const content = bytes.subarray(offset, offset += size);
      return { ...about, content };
    }),
    ...written && { written: { ...written, bytes: bytes.subarray(offset, offset + written.size) } },
    idempotencyKey: null,
  };
  const hash = hashOfHead({ ...head, attachments, written }, mailbox.address);
  return { draft, submission, hash };
}

/**
 * The content of a draft, open or ended, decoded in a turn of `slices`: two million characters take 10 ms. Throws
 * StaleRevision if it changes meanwhile.
 */
export async function readHead(
  service: Service,
  draft: Draft,
  slices: TimeSlices,
): Promise<DraftHead> {
  const bytes = await readOf(service, draft, () => headBytesOf(service, draft));
  if (bytes.length > freeBytes) await slices.turn();
  return decodeHead(bytes);
}

/** A shorter content is decoded at once. */
const freeBytes = 64 * 1024;

async function headBytesOf(
  { database }: Pick<Service, "database">,
  draft: Draft,
): Promise<Uint8Array> {
  if (draft.content === null) {
    const ended = await database.get<Uint8Array>(keys.endedDraft(draft.userId, draft.draftId));
    if (ended) return ended;
    throw new Error("the content of an ended draft is missing");
  }
  const { blob, headBytes } = draft.content;
  const pieces: Uint8Array[] = [];
  let read = 0;
  for await (const piece of readBlob(database, blob)) {
    pieces.push(piece);
    read += piece.length;
    if (read >= headBytes) break;
  }
  return concatBytes(pieces, read).subarray(0, headBytes);
}

/** The hash of a draft from a mailbox of this address. */
export function hashOfHead(head: DraftHead, address: string): string {
  const { fromName } = head;
  return contentHash({ ...head, from: { ...(fromName ? { name: fromName } : {}), address } });
}

export function headOf(submission: Submission): DraftHead {
  const { mailbox: _mailbox, idempotencyKey: _key, uploadIds: _ids, ...content } = submission;
  const { attachments, written, ...rest } = content;
  return {
    ...rest,
    ...written && { written: headOfWritten(written) },
    attachments: attachments.map(({ content, ...about }) => ({
      ...about,
      size: content.length,
      sha256: sha256Of(content),
    })),
  };
}

function headOfWritten({ bytes, ...about }: Written): DraftHead["written"] {
  return { ...about, size: bytes.length };
}

/** The content that is kept of an ended draft: a shorter form, without the bytes of its attachments. */
export function endedContent(submission: Submission): Uint8Array {
  return encodeHead(fittingHead(headOf(submission)));
}

/** Below the 64 KiB of a value. */
const maxEndedBytes = 60_000;
/** What a list expects of an ended draft, whose row does not say. A hundred of the largest are 6 MB. */
export const endedBytes = 2_000;
/**
 * Limits for an ended draft that is too large, tried in turn. With the last one the longest head of a hundred addresses
 * fits.
 */
const cuts = [
  { textChars: 5_000, attachments: 20, hasNames: true },
  { textChars: 1_000, attachments: 5, hasNames: false },
] as const;

function fittingHead(head: DraftHead): DraftHead {
  const { answers: _answers, written: _written, ...said } = head;
  const cutHeads = cuts.map((cut) => () => cutHead(said, cut));
  for (const cut of [() => said, ...cutHeads]) {
    const fitting = cut();
    if (encodeHead(fitting).length <= maxEndedBytes) return fitting;
  }
  throw new Error("the head of a draft does not fit into a row");
}

function cutHead(said: DraftHead, { textChars, attachments, hasNames }: typeof cuts[number]) {
  const people = (list: readonly MailAddress[]) =>
    hasNames ? list : list.map(({ address }) => ({ address }));
  return {
    ...said,
    to: people(said.to),
    cc: people(said.cc),
    bcc: people(said.bcc),
    replyTo: people(said.replyTo),
    ...(said.text === undefined ? {} : { text: cutText(said.text, textChars) }),
    ...(said.html === undefined ? {} : { html: "" }),
    attachments: said.attachments.slice(0, attachments),
    ...hasNames ? {} : { metadata: undefined },
    cut: true as const,
  };
}

function encodeHead(head: DraftHead): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(head));
}

function decodeHead(bytes: Uint8Array): DraftHead {
  return JSON.parse(new TextDecoder().decode(bytes));
}
