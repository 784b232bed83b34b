/** A file to attach, instead of the API's `{filename, content_type, content}`. */
export type AttachmentInput =
  | { filename: string; content_type?: string; content: string | Uint8Array }
  /** A file of the browser or of `node:fs.openAsBlob`. */
  | Blob
  /** A path; only in Node, Deno and Bun. */
  | string
  | { path: string; filename?: string; content_type?: string };

/** The fields of a message, with its attachments in the API's form: bytes in base64. */
export async function withAttachments(
  fields: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (!Array.isArray(fields.attachments)) return fields;
  return { ...fields, attachments: await Promise.all(fields.attachments.map(attachment)) };
}

async function attachment(given: AttachmentInput): Promise<unknown> {
  if (typeof given === "string") given = { path: given };
  if (given instanceof Blob) {
    const { name = "attachment", type } = given as File;
    const content = base64(new Uint8Array(await given.arrayBuffer()));
    return { filename: name, content_type: type || undefined, content };
  }
  if ("path" in given) {
    const { path, ...rest } = given;
    // A computed name, because bundlers for browsers look for modules that are named in the text.
    const name = "node:fs/promises";
    const { readFile } = await import(name);
    const filename = path.split(/[\\/]/).pop();
    return { filename, ...rest, content: base64(await readFile(path)) };
  }
  const { content } = given;
  return content instanceof Uint8Array ? { ...given, content: base64(content) } : given;
}

/** In steps, because the number of arguments of a call is limited. */
function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}
