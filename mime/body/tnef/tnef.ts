import { decodeCharset } from "../../text/charset.ts";
import { MapiProperties, withoutNul } from "./mapi_properties.ts";

const signature = 0x223e9f78;
const levels = { message: 1, file: 2 };
const headBytes = 9, checksumBytes = 2;
/** The lower halves of the ids of attributes ([MS-OXTNEF], section 2.1.3); the upper ones are types. */
const attributes = {
  ...{ subject: 0x8004, body: 0x800c, recipients: 0x9004, properties: 0x9003, codePage: 0x9007 },
  ...{ newFile: 0x9002, fileProperties: 0x9005, fileTitle: 0x8010, fileData: 0x800f },
};
const latin = 1252;
const maxRecipients = 200;

export interface TnefFile {
  title: string;
  data: Uint8Array | null;
  properties: MapiProperties;
}

/** What a file `winmail.dat` has. */
export interface Tnef {
  subject: string;
  body: string;
  codePage: number;
  properties: MapiProperties;
  recipients: MapiProperties[];
  files: TnefFile[];
}

/**
 * Reads the Transport Neutral Encapsulation Format of Outlook ([MS-OXTNEF]), at most `maxFiles` files; null for anything
 * else. Checksums are not verified; of a file that is cut off what can be read. Linear time; files are views.
 */
export function readTnef(bytes: Uint8Array, maxFiles: number): Tnef | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 6 || view.getUint32(0, true) !== signature) return null;
  const none = new MapiProperties(new Uint8Array(4), latin);
  const found: Tnef = {
    ...{ subject: "", body: "", codePage: latin, properties: none, recipients: [], files: [] },
  };
  const text = (value: Uint8Array) => withoutNul(decodeCharset(value, `cp${found.codePage}`));
  for (let at = 6; at + headBytes <= bytes.length;) {
    const level = bytes[at];
    const id = view.getUint16(at + 1, true);
    const start = at + headBytes, end = start + view.getUint32(at + 5, true);
    const value = bytes.subarray(start, end);
    at = end + checksumBytes;
    if (level === levels.message) {
      if (id === attributes.codePage && value.length >= 4) found.codePage = codePageOf(value);
      else if (id === attributes.subject) found.subject = text(value);
      else if (id === attributes.body) found.body = text(value);
      else if (id === attributes.properties) {
        found.properties = new MapiProperties(value, found.codePage);
      } else if (id === attributes.recipients) {
        found.recipients = recipientsIn(value, found.codePage);
      }
    } else if (level === levels.file) {
      if (id === attributes.newFile) {
        if (found.files.length >= maxFiles) break;
        found.files.push({ title: "", data: null, properties: none });
      }
      const file = found.files.at(-1);
      if (file && id === attributes.fileTitle) file.title = text(value);
      else if (file && id === attributes.fileData) file.data = value;
      else if (file && id === attributes.fileProperties) {
        file.properties = new MapiProperties(value, found.codePage);
      }
    } else break;
  }
  return found;
}

function codePageOf(value: Uint8Array): number {
  const page = new DataView(value.buffer, value.byteOffset).getUint32(0, true);
  return page > 0 && page < 0x10000 ? page : latin;
}

function recipientsIn(value: Uint8Array, codePage: number): MapiProperties[] {
  if (value.length < 4) return [];
  const count = new DataView(value.buffer, value.byteOffset).getUint32(0, true);
  const found: MapiProperties[] = [];
  for (let at = 4; found.length < Math.min(count, maxRecipients) && at < value.length;) {
    const row = new MapiProperties(value, codePage, at);
    found.push(row);
    at = row.end;
  }
  return found;
}
