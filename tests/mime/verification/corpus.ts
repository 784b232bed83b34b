import { Buffer } from "node:buffer";

/** A mail written for the corpus: its form on the wire, and its codes and links. */
export interface Case {
  id: string;
  language: string;
  /** `text`, `html`, `alt` (both) or `mixed` (a text and a file), a hyphen, `8bit`, `qp` or `b64`. */
  shape: string;
  from: string;
  subject: string;
  text: string | null;
  html: string | null;
  codes: { code: string; written: string }[];
  /** Links with a kind; all others are `other`. */
  links: { kind: string; url: string }[];
}

const folder = new URL("../../fixtures/codes/", import.meta.url);

/** The mails of one file of tests/fixtures/codes, in the format that its README.md describes. */
export function casesOf(name: string): Case[] {
  return Deno.readTextFileSync(new URL(`${name}.txt`, folder)).split(/^%%\n/m).map(caseOf);
}

function caseOf(source: string): Case {
  const lines = source.trimEnd().split("\n");
  const found: Case = {
    id: "",
    language: "",
    shape: "",
    from: "",
    subject: "",
    text: null,
    html: null,
    codes: [],
    links: [],
  };
  let layout = "";
  let section: "text" | "html" | null = null;
  for (const line of lines) {
    const [, name, value] = /^(id|from|subject|code|link|text|html): ?(.*)$/.exec(line) ?? [];
    if (name === "text" || name === "html") {
      section = name;
      if (name === "html") layout = value;
      found[name] = "";
    } else if (section !== null) found[section] += `${line}\n`;
    else if (name === "id") [found.id, found.language, found.shape] = value.split(" ");
    else if (name === "code") {
      const [written, code = written] = value.split(" => ");
      found.codes.push({ written, code });
    } else if (name === "link") {
      const [kind, url] = value.split(" ");
      found.links.push({ kind, url });
    } else if (name === "from" || name === "subject") found[name] = value;
    else throw new Error(`${found.id}: ${line}`);
  }
  if (found.html !== null) found.html = layouts[layout](found.html, found);
  return found;
}

const paragraphs = (body: string): string => body.split("\n").filter(Boolean).map(macro).join("\n");

/** `[code 123456]`, `[cells 123456]`, `[button URL|text]`, `[h text]`, `[hidden text]`; the rest are paragraphs. */
function macro(line: string): string {
  const [, name, value] = /^\[(code|cells|button|h|hidden) (.*)\]$/.exec(line) ?? [];
  if (name === "code") {
    return `<tr><td align="center"><div style="font-size:32px;letter-spacing:6px;font-weight:700;color:#112233">${value}</div></td></tr>`;
  }
  if (name === "cells") {
    const cells = [...value].map((one) =>
      `<td style="border:1px solid #cccccc;padding:8px;font-size:24px"><p style="margin:0">${one}</p></td>`
    );
    return `<tr><td><table role="presentation"><tr>${cells.join("\n")}</tr></table></td></tr>`;
  }
  if (name === "button") {
    const [url, text] = value.split("|");
    return `<tr><td class="btn" align="center"><a class="btn" href="${url}" style="color:#ffffff;text-decoration:none">${text}</a></td></tr>`;
  }
  if (name === "h") return `<tr><td><h1 style="color:#1a2b3c">${value}</h1></td></tr>`;
  if (name === "hidden") {
    return `<tr><td><div style="display:none;max-height:0;overflow:hidden">${value}&#847;&zwnj;&nbsp;</div></td></tr>`;
  }
  return `<tr><td style="font:16px/24px Arial;color:#333333"><p>${line}</p></td></tr>`;
}

const styles = `<style>
body{margin:0;background:#f4f4f7} .btn{background:#ff00aa;border-radius:4px}
a.btn:hover{background:#cc0088} .muted{color:#999999}
@media (max-width:600px){.wide{display:none}}
</style>`;

const layouts: Record<string, (body: string, one: Case) => string> = {
  plain: (body) => `<html><body>\n${body}</body></html>\n`,
  card: (body, { from }) =>
    `<!doctype html><html><head><meta charset="utf-8"><title>100200</title>${styles}</head><body>
<table width="100%" bgcolor="#f4f4f7"><tr><td align="center"><table class="wide" width="600" bgcolor="#ffffff">
${paragraphs(body)}
<tr><td class="muted" style="font-size:12px">© 2026 ${
      nameOf(from)
    }, 548 Market St 94104, San Francisco, CA 94104 · +1 415 555 0134</td></tr>
</table></td></tr></table><img src="https://o.track.example/o/20261122/883311.gif" width="1" height="1" alt=""></body></html>
`,
  mso: (body, { from }) =>
    `<html xmlns:v="urn:schemas-microsoft-com:vml"><head>${styles}</head><body class="body" id="id-482001">
<!--[if mso]><table><tr><td>445566</td></tr></table><![endif]-->
<![if !mso]><span></span><![endif]>
<table>${paragraphs(body)}
<tr><td><font color="#aa00ff" size="1">${
      nameOf(from)
    } GmbH, Hauptstr. 2021, 10115 Berlin, Tel. 030 5550 1234, HRB 204418</font></td></tr></table></body></html>
`,
};

const nameOf = (from: string): string => from.slice(0, from.indexOf(" <"));

/** The mail as bytes, with CRLF. */
export function messageOf(one: Case): Uint8Array {
  const [kind, encoding] = one.shape.split("-");
  const head = [
    `From: ${addressField(one.from)}`,
    "To: agent@mail.example",
    `Subject: ${headerText(one.subject)}`,
    "Date: Sun, 22 Nov 2026 10:00:00 +0000",
    `Message-ID: <20261122.${one.id}@corpus.example>`,
    "MIME-Version: 1.0",
  ];
  const text = partOf("text/plain", one.text ?? "", encoding);
  const html = partOf("text/html", one.html ?? "", encoding);
  const file =
    "Content-Type: text/csv; name=log.csv\nContent-Disposition: attachment\n\nid,code\n1,998877\n";
  const body = kind === "text"
    ? text
    : kind === "html"
    ? html
    : kind === "alt"
    ? multipart("alternative", [text, html])
    : multipart("mixed", [one.html === null ? text : html, file]);
  const whole = [...head, body].join("\n").replaceAll("\n", "\r\n");
  return new TextEncoder().encode(whole);
}

const multipart = (type: string, parts: string[]): string =>
  `Content-Type: multipart/${type}; boundary="=_b1"\n\n` +
  parts.map((part) => `--=_b1\n${part}\n`).join("") + "--=_b1--\n";

function partOf(type: string, content: string, encoding: string): string {
  const fields = (name: string) =>
    `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: ${name}\n\n`;
  if (encoding === "8bit") return fields("8bit") + content;
  const bytes = Buffer.from(content);
  if (encoding === "b64") {
    return fields("base64") + bytes.toString("base64").replace(/.{76}/g, "$&\n");
  }
  return fields("quoted-printable") + quotedPrintable(bytes);
}

function quotedPrintable(bytes: Uint8Array): string {
  const lines = [""];
  for (const byte of bytes) {
    if (byte === 0x0a) {
      lines.push("");
      continue;
    }
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x3d;
    const one = plain
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    if (lines.at(-1)!.length + one.length > 75) {
      lines[lines.length - 1] += "=";
      lines.push("");
    }
    lines[lines.length - 1] += one;
  }
  return lines.map((line) => line.replace(/ $/, "=20")).join("\n");
}

/** RFC 2047, twelve characters in a word. */
function headerText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const words = [...text].reduce((all, one, n) => {
    if (n % 12 === 0) all.push("");
    all[all.length - 1] += one;
    return all;
  }, [] as string[]);
  return words.map((word) => `=?utf-8?B?${Buffer.from(word).toString("base64")}?=`).join("\n ");
}

function addressField(from: string): string {
  const at = from.indexOf(" <");
  return `${headerText(from.slice(0, at))}${from.slice(at)}`;
}
