import { LetterboxError } from "./errors.ts";

/** A file whose bytes are here. */
export type FileInput =
  | { filename?: string; content_type?: string; content: Uint8Array }
  /** A file of the browser or of `node:fs.openAsBlob`. */
  | Blob
  /** A path; only in Node from 20.16 on, Deno and Bun. */
  | string
  | { path: string; filename?: string; content_type?: string };

/** A file to attach, instead of the API's `{filename, content_type, content}`. */
export type AttachmentInput =
  | Exclude<FileInput, { content: Uint8Array }>
  | { filename: string; content_type?: string; content: string | Uint8Array }
  /** Of `uploadFile`. */
  | { upload_id: string; filename?: string; content_type?: string }
  /** A file of an email. */
  | { email_id: string; attachment_id: string; filename?: string };

/** The fields of a message, with its attachments in the API's form: bytes in base64. */
export async function withAttachments(
  fields: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (!Array.isArray(fields.attachments)) return fields;
  const attachments = fields.attachments.map(async (given: AttachmentInput) => {
    const file = await fileOf(given as FileInput);
    const { content } = file;
    return content instanceof Uint8Array ? { ...file, content: base64(content) } : file;
  });
  return { ...fields, attachments: await Promise.all(attachments) };
}

/** The name, type and bytes of a file; what has another form is returned as it is. */
export async function fileOf(
  given: FileInput,
): Promise<{ filename?: string; content_type?: string; content: Uint8Array<ArrayBuffer> }> {
  if (typeof given === "string") given = { path: given };
  if (given instanceof Blob) {
    const { name = "attachment", type } = given as File;
    const content = new Uint8Array(await given.arrayBuffer());
    return { filename: name, content_type: type || undefined, content };
  }
  if ("path" in given) {
    const { path, ...rest } = given;
    // Not by an import: bundlers would look for the module, or warn, and webpack's import fails on servers.
    const files = (globalThis as Runtime).process?.getBuiltinModule?.("node:fs/promises");
    if (!files) {
      const message = "A path needs Node 20.16, Deno or Bun: give the bytes or a Blob instead.";
      throw new LetterboxError("INVALID_ARGUMENT", message);
    }
    return { filename: path.split(/[\\/]/).pop(), ...rest, content: await files.readFile(path) };
  }
  return given as { content: Uint8Array<ArrayBuffer> };
}

/** What Node, Deno and Bun have of Node's modules. */
interface Runtime {
  process?: {
    getBuiltinModule?(
      name: string,
    ): { readFile(path: string): Promise<Uint8Array<ArrayBuffer>> } | undefined;
  };
}

/** Node's bytes that can be text in base64. */
interface NodeBuffer {
  from(bytes: Uint8Array): { toString(encoding: "base64"): string };
}

/** A multiple of 3, so that the texts join; the number of arguments of a call is limited. */
const chunkBytes = 3 * 0x2000;

function base64(bytes: Uint8Array & { toBase64?(): string }): string {
  // 20 MB block the loop for 0.1 s so, not for 2 s as below. Node has it from version 25 on, and Buffer before.
  if (bytes.toBase64) return bytes.toBase64();
  const { Buffer } = globalThis as { Buffer?: NodeBuffer };
  if (Buffer) return Buffer.from(bytes).toString("base64");
  let text = "";
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes) as unknown as number[];
    text += btoa(String.fromCharCode.apply(null, chunk));
  }
  return text;
}
