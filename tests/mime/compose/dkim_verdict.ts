import { createHash, createVerify } from "node:crypto";
import type { DkimKey } from "../../../mime/compose/dkim.ts";

/** An independent verifier, written from RFC 6376 3.4.2 (relaxed) and 3.7, over latin1 text. */
export function dkimVerdict(key: Pick<DkimKey, "publicKey">, message: string) {
  const split = message.indexOf("\r\n\r\n");
  const fields = message.slice(0, split).split(/\r\n(?![ \t])/);
  const body = message.slice(split + 4);
  const own = fields[0];
  const tags = new Map(
    own.slice(own.indexOf(":") + 1).replace(/\s+/g, "").split(";").filter(Boolean).map((tag) => {
      const at = tag.indexOf("=");
      return [tag.slice(0, at), tag.slice(at + 1)] as const;
    }),
  );
  const relaxedBody = body.replace(/[ \t]+/g, " ").replace(/ \r\n/g, "\r\n")
    .replace(/(?:\r\n)+$/, "") + "\r\n";
  const relaxed = (field: string) => {
    const at = field.indexOf(":");
    return `${field.slice(0, at).trim().toLowerCase()}:${
      field.slice(at + 1).replace(/\r\n/g, "").replace(/[ \t]+/g, " ").trim()
    }`;
  };
  // Each name takes the last unused field; without one it adds nothing.
  const left = [...fields].reverse();
  const signedFields = (tags.get("h") ?? "").split(":").flatMap((name) => {
    const at = left.findIndex((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return at < 0 ? [] : left.splice(at, 1).map(relaxed);
  });
  const data = [...signedFields, relaxed(own.replace(/([;\s]b=)[^;]*$/, "$1"))].join("\r\n");
  const publicKey = `-----BEGIN PUBLIC KEY-----\n${key.publicKey}\n-----END PUBLIC KEY-----`;
  return {
    domain: tags.get("d"),
    body: createHash("sha256").update(relaxedBody, "latin1").digest("base64") === tags.get("bh"),
    signature: createVerify("RSA-SHA256").update(data, "latin1")
      .verify(publicKey, tags.get("b") ?? "", "base64"),
  };
}
