import assert from "node:assert/strict";
import { zipSync } from "fflate";
import { packNpm } from "../../../sdk/pack.ts";
import { run } from "../../../sdk/run.ts";
import { assertPackage, filesOf } from "../../release/package_files.ts";
import { serveService } from "../served.ts";

const encoder = new TextEncoder();

/** The largest size of the library without its two programs. */
const mostBytes = 12_288;

/** The program's version as a number; 0 if there is no such program. */
async function majorVersion(program: string): Promise<number> {
  const { stdout } = await new Deno.Command(program, { args: ["--version"] }).output()
    .catch(() => ({ stdout: new Uint8Array() }));
  return Number(/\d+/.exec(new TextDecoder().decode(stdout))?.[0] ?? 0);
}

const node = await majorVersion("node"), npm = await majorVersion("npm");

const program = `
import { inspect } from "node:util";
import { Letterbox, LetterboxError, verifyWebhook } from "letterbox-sdk";
const letterbox = new Letterbox({ baseUrl: process.env.BASE, apiKey: process.env.KEY });
const mailbox = await letterbox.mailboxes.create({ generate: true });
for await (const each of letterbox.mailboxes.list()) {
  if (each.mailbox_id === mailbox.mailbox_id) console.log("made");
}
const sent = await letterbox.emails.send({
  mailbox_id: mailbox.mailbox_id, to: mailbox.email_address, body_text: "Hi", attachments: ["./program.mjs"],
});
console.log(sent.to[0] === mailbox.email_address);
await letterbox.emails.get("none").catch((error) => console.log(error instanceof LetterboxError, error.code));
await verifyWebhook({}, "{}", "whsec_x").catch(({ code }) => console.log(code));
console.log(inspect(new LetterboxError("NOT_FOUND", "nothing")).split("\\n")[0]);
`;

/** TypeScript reads the declarations as a user's project does. */
const typed = `
import { Letterbox, verifyWebhook } from "letterbox-sdk";
const letterbox = new Letterbox({ baseUrl: "https://mail.example.com", apiKey: "lbx_1" });
const { verification } = await letterbox.emails.wait({ mailbox_id: "m1", require: "code" });
const code: string | null | undefined = verification?.best_code;
// @ts-expect-error a field that the API does not have
await letterbox.emails.wait({ mailbox_id: "m1", sinse: "now" });
for await (const email of letterbox.emails.list({ is_read: false })) email.subject.trim();
const sent = await letterbox.emails.send({ mailbox_id: "m1", to: "ann@one.example", body_text: "Hi" });
const waits: boolean = sent.status === "scheduled" || sent.status === "pending_approval";
const id: string | undefined = sent.email_id ?? sent.draft_id;
if (sent.dry_run) sent.would.trim();
if (sent.status === "queued") sent.email_id.trim();
const event = await verifyWebhook({}, "{}", "whsec_x");
if (event.event === "draft.pending_approval") event.data.content_hash.trim();
export { code, id, waits };
`;

// SPEC: files.letterbox
Deno.test({
  name: "the package is small, packs, and runs in Node and Deno from its tarball",
  // Without Node there is no npm; CI has both.
  ignore: node < 20 || npm === 0,
  async fn() {
    const folder = await Deno.makeTempDir();
    const tarball = await packNpm({ out: folder });
    await assertPackage(tarball);
    const library = (await filesOf(tarball)).get("package/dist/index.js")!;
    const { length: size } = encoder.encode(library);
    assert.ok(size <= mostBytes, `${size} bytes`);
    // The paths and headers of an import have the word too.
    const imported = /(?<![/-])\bimport\b(?!:)/.test(library);
    assert.ok(!imported, "bundlers follow imports, or warn of them");
    const offline = { npm_config_cache: `${folder}/npm`, npm_config_offline: "true" };
    const flags = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    const user = `${folder}/user`;
    await Deno.mkdir(user);
    await Deno.writeTextFile(`${user}/package.json`, '{"type": "module"}');
    await Deno.writeTextFile(`${user}/program.mjs`, program);
    await Deno.writeTextFile(`${user}/typed.ts`, typed);
    await run("npm", ["install", tarball, ...flags], { cwd: user, env: offline });

    await using served = await serveService();
    const env = { BASE: served.base, KEY: served.owner.key };
    const expected = "made\ntrue\ntrue NOT_FOUND\nINVALID_SIGNATURE\nLetterboxError: nothing\n";
    assert.equal(await run("node", ["program.mjs"], { cwd: user, env }), expected);
    assert.equal(
      await run(Deno.execPath(), ["run", "-A", "program.mjs"], { cwd: user, env }),
      expected,
    );
    await run(Deno.execPath(), ["check", "typed.ts"], { cwd: user });
    const settings = { LETTERBOX_URL: served.base, LETTERBOX_API_KEY: served.owner.key };
    const options = { cwd: user, env: settings };
    const bin = (name: string) => `node_modules/.bin/${name}`;
    const shown = await run("node", [bin("letterbox"), "mailboxes", "--json"], options);
    assert.equal(JSON.parse(shown.split("\n")[0]).mailbox_id.length > 0, true);
    const inArchive = "From: ada@example.net\nSubject: From a zip\n\nHi\n";
    await Deno.writeFile(`${user}/mail.zip`, zipSync({ "1.eml": encoder.encode(inArchive) }));
    const brought = await run(
      "node",
      [bin("letterbox"), "import", "mail.zip", "--to", served.box.email_address],
      { cwd: user, env: { ...settings, XDG_STATE_HOME: folder } },
    );
    assert.match(brought, /\ntotal: 1 accepted, 0 duplicates, 0 left out, 0 refused\n$/);
    await run("node", [bin("letterbox-mcp")], options);
    await Deno.remove(folder, { recursive: true });
  },
});
