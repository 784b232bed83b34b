import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What the programs of README.md need of a service. */
export interface Where {
  base: string;
  key: string;
  inboundToken: string;
}

export type Language = "ts" | "python";

/** The program that README.md shows in a language, under the heading of the SDKs. */
async function shown(language: Language): Promise<string> {
  const readme = await Deno.readTextFile(`${root}README.md`);
  const [, section] = /\n### With TypeScript or Python\n(.*?)\n## /s.exec(readme)!;
  const [, program] = new RegExp("```" + language + "\n(.*?)```", "s").exec(section)!;
  const lines = program.split("\n").filter((line) => line.trim() !== "");
  assert.ok(lines.length <= 10, `${lines.length} lines`);
  return program;
}

const mail =
  "From: no-reply@shop.example\\r\\nSubject: Welcome\\r\\n\\r\\nYour code is 482913.\\r\\n";

/** What the programs use from elsewhere: the website that mails a code. The clock of a test goes in steps of 50 ms. */
const signUp: Record<Language, (where: Where) => string> = {
  ts: ({ base, inboundToken }) =>
    `async function signUp(to) {
  await new Promise((done) => setTimeout(done, 200));
  await (await fetch("${base}/inbound/raw", { method: "POST", body: "${mail}", headers: {
    authorization: "Bearer ${inboundToken}", "content-type": "message/rfc822",
    "x-envelope-from": "no-reply@shop.example", "x-envelope-to": to } })).body?.cancel();
}`,
  python: ({ base, inboundToken }) =>
    `import time, urllib.request
def sign_up(to):
    time.sleep(0.2)
    urllib.request.urlopen(urllib.request.Request("${base}/inbound/raw", data=b"${mail}", headers={
        "authorization": "Bearer ${inboundToken}", "content-type": "message/rfc822",
        "x-envelope-from": "no-reply@shop.example", "x-envelope-to": to})).read()`,
};

/** What a program prints that signed up. */
export const code = "482913\n";

/** The ten lines of README.md with the service and the key filled in, after what they use from elsewhere. */
export async function readmeProgram(language: Language, where: Where): Promise<string> {
  const program = (await shown(language))
    .replace("http://localhost:8000", where.base).replace("lbx_...", where.key);
  assert.ok(program.includes(where.base) && program.includes(where.key));
  return `${signUp[language](where)}\n${program}`;
}
