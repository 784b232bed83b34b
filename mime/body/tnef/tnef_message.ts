import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { oneLine } from "../../headers/encoded_words.ts";
import { decodeText } from "../../text/charset_of_text.ts";
import { cutText } from "../../text/cut_text.ts";
import type { MapiProperties } from "./mapi_properties.ts";
import { decompressedRtf } from "./rtf_compression.ts";
import { readRtf } from "../rtf.ts";
import { readTnef, type Tnef, type TnefFile } from "./tnef.ts";

/** Ids of properties ([MS-OXPROPS]). */
const ids = {
  ...{
    subject: 0x0037,
    submitted: 0x0039,
    delivered: 0x0e06,
    displayTo: 0x0e04,
    messageId: 0x1035,
  },
  ...{ senderName: 0x0c1a, senderAddress: 0x0c1f, senderSmtp: 0x5d01, recipientType: 0x0c15 },
  ...{ body: 0x1000, rtf: 0x1009, html: 0x1013, htmlCodePage: 0x3fde },
  ...{ displayName: 0x3001, address: 0x3003, smtp: 0x39fe },
  ...{ data: 0x3701, method: 0x3705, shortName: 0x3704, longName: 0x3707 },
  ...{ mimeType: 0x370e, contentId: 0x3712 },
};
const embeddedMessage = 5;
/** Before the bytes of an object stands the id of its interface. */
const interfaceBytes = 16;
const messageInterface = "0703020000000000c000000000000046";

/** Messages in messages; RTF of all of them, which may be nine times as long as in the file. */
const maxDepth = 10, maxRtfBytes = 4 * 1024 * 1024;

interface Budget {
  files: number;
  rtfBytes: number;
}

/** Whether a part may be `winmail.dat`, by its type or by a name such as `ATT00001.dat`; its content decides. */
export function isTnef(contentType: string, filename: () => string | null): boolean {
  return /^application\/(?:x-|vnd\.)?(?:ms-)?tnef$/.test(contentType) ||
    contentType === "application/octet-stream" && /\.dat$/i.test(filename() ?? "");
}

/**
 * A message in MIME with the header, the text and the files of a TNEF file, at most `maxFiles`; null for anything else.
 * The files stand in it as they are. The same bytes give the same message. Linear time and memory.
 */
export function messageOfTnef(bytes: Uint8Array, maxFiles: number): Uint8Array | null {
  return messageOf(bytes, { files: maxFiles, rtfBytes: maxRtfBytes }, 0);
}

function messageOf(bytes: Uint8Array, budget: Budget, depth: number): Uint8Array | null {
  const tnef = readTnef(bytes, budget.files);
  if (tnef === null) return null;
  budget.files -= tnef.files.length;
  // A sender cannot write a file that has the hash of the whole: no file ends early.
  const boundary = createHash("sha256").update(bytes).digest("hex");
  const pieces: Uint8Array[] = [];
  const add = (...texts: string[]) => pieces.push(Buffer.from(texts.join("\r\n")));
  const part = (fields: string[], content: Uint8Array) => {
    add("", `--${boundary}`, ...fields, "", "");
    pieces.push(content);
  };
  add(...headerOf(tnef), `Content-Type: multipart/mixed; boundary=${boundary}`, "", "");
  const { text, html } = textsOf(tnef, budget);
  // Of two texts the plain one is shown: they are one unit, as in multipart/alternative.
  const inner = `${boundary}t`;
  if (text !== "" || html !== "") {
    add("", `--${boundary}`, `Content-Type: multipart/alternative; boundary=${inner}`, "", "");
    for (const [type, content] of [["plain", text], ["html", html]]) {
      if (content === "") continue;
      add("", `--${inner}`, `Content-Type: text/${type}; charset=utf-8`, "", content);
    }
    add("", `--${inner}--`, "");
  }
  for (const file of tnef.files) {
    const embedded = embeddedIn(file);
    const message = embedded && depth < maxDepth ? messageOf(embedded, budget, depth + 1) : null;
    const name = file.properties.text(ids.displayName) || nameOf(file) || "message";
    if (message) part(fieldsOf(`${name}.eml`, "message/rfc822", ""), message);
    else part(fileFields(file), dataOf(file));
  }
  add("", `--${boundary}--`, "");
  return Buffer.concat(pieces);
}

function headerOf({ subject, properties, recipients }: Tnef): string[] {
  const to = recipients.filter((each) => (each.number(ids.recipientType) ?? 1) === 1).map(personOf);
  const sent = properties.time(ids.submitted, ids.delivered);
  const fields: [name: string, value: string][] = [
    ["From", person(properties, ids.senderName, ids.senderSmtp, ids.senderAddress)],
    ["To", to.filter((each) => each !== "").join(", ") || properties.text(ids.displayTo)],
    ["Subject", subject || properties.text(ids.subject)],
    ["Date", sent === null ? "" : new Date(sent).toUTCString().replace("GMT", "+0000")],
    ["Message-ID", properties.text(ids.messageId)],
  ];
  return ["MIME-Version: 1.0"].concat(
    fields.map(([name, value]) => `${name}: ${oneLine(value)}`).filter((field) =>
      !field.endsWith(": ")
    ),
  );
}

const personOf = (recipient: MapiProperties) =>
  person(recipient, ids.displayName, ids.smtp, ids.address);

function person(properties: MapiProperties, name: number, ...addresses: number[]): string {
  const address = addresses.map((id) => properties.text(id)).find((each) => each.includes("@"));
  const shown = properties.text(name).replace(/["\\]/g, "");
  if (address === undefined) return shown === "" ? "" : `"${shown}"`;
  return shown === "" || shown === address ? address : `"${shown}" <${address}>`;
}

/** The text, and the HTML: that of the message, or of its RTF, which may hold one or the other. */
function textsOf(
  { body, properties, codePage }: Tnef,
  budget: Budget,
): { text: string; html: string } {
  const text = body || properties.text(ids.body);
  const bytes = properties.bytes(ids.html);
  const html = properties.isText(ids.html)
    ? properties.text(ids.html)
    : bytes && decodeText(bytes, {
      declared: `cp${properties.number(ids.htmlCodePage) ?? codePage}`,
      isHtml: true,
    });
  if (html) return { text, html };
  const compressed = properties.bytes(ids.rtf);
  const rtf = compressed && decompressedRtf(compressed, budget.rtfBytes);
  if (!rtf) return { text, html: "" };
  budget.rtfBytes -= rtf.length;
  try {
    const read = readRtf(rtf);
    return read.isHtml ? { text, html: read.text } : { text: text || read.text.trim(), html: "" };
  } catch {
    return { text, html: "" };
  }
}

function embeddedIn({ properties }: TnefFile): Uint8Array | null {
  const object = properties.bytes(ids.data);
  if (properties.number(ids.method) !== embeddedMessage || object === null) return null;
  const id = Buffer.from(object.subarray(0, interfaceBytes)).toString("hex");
  return id === messageInterface ? object.subarray(interfaceBytes) : null;
}

const oleInterface = "0b00000000000000c000000000000046";

/** The bytes of a file; of an object of OLE its storage. */
function dataOf({ data, properties }: TnefFile): Uint8Array {
  const object = properties.bytes(ids.data);
  if (object === null) return data ?? new Uint8Array();
  const id = Buffer.from(object.subarray(0, interfaceBytes)).toString("hex");
  return id === oleInterface ? object.subarray(interfaceBytes) : object;
}

function nameOf({ title, properties }: TnefFile): string {
  return properties.text(ids.longName) || title ||
    properties.text(ids.shortName, ids.displayName);
}

function fileFields(file: TnefFile): string[] {
  const type = file.properties.text(ids.mimeType).toLowerCase();
  const isType = /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64}$/.test(type) &&
    !type.startsWith("multipart/");
  return fieldsOf(
    nameOf(file),
    isType ? type : "application/octet-stream",
    file.properties.text(ids.contentId),
  );
}

function fieldsOf(name: string, type: string, contentId: string): string[] {
  const isShown = contentId !== "" && type.startsWith("image/");
  const named = name === ""
    ? ""
    : `; filename*=utf-8''${encodeURIComponent(cutText(name, 255).toWellFormed())}`;
  return [
    `Content-Type: ${type}`,
    `Content-Disposition: ${isShown ? "inline" : "attachment"}${named}`,
    ...contentId === "" ? [] : [`Content-ID: <${oneLine(cutText(contentId, 500))}>`],
  ];
}
