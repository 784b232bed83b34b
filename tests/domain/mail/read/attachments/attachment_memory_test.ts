import assert from "node:assert/strict";
import { eventually } from "../../../../eventually.ts";
import { freePort, openAccount, postMail, startProcess } from "../../../../service_process.ts";
import { nightly } from "../../../../nightly.ts";

const mebibyte = 2 ** 20;
const fileBytes = 35 * mebibyte;
/** When each file was decoded as a whole, and messages were copied, it grew by 390 MB; now by 140. */
const maxGrowth = 200 * mebibyte;

/** Bytes of a process; null on a system without `/proc`. */
function memoryOf(pid: number, field: "VmRSS" | "VmHWM"): number | null {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    const found = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status);
    return found && Number(found[1]) * 1024;
  } catch {
    return null;
  }
}

nightly(
  "the text of a table of 35 MB is read, and the process grows by less than 200 MB",
  async () => {
    const dir = await Deno.makeTempDir();
    let service = startProcess({ dir, port: freePort() });
    try {
      assert.ok(await service.up);
      const { key, mailboxes: [{ email_address }] } = await openAccount(service.base, "large", 1);
      const read = async (path: string) => {
        const answer = await fetch(`${service.base}/v1/api/emails/${path}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        return (await answer.json()).data;
      };
      const row = new TextEncoder().encode(`number;${"word ".repeat(9)};\r\n`).subarray(0, 57);
      const line = `${row.toBase64()}\r\n`;
      const raw = "From: a@example.net\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
        "--b\r\n\r\nSee the table.\r\n--b\r\nContent-Type: text/csv; name=a.csv\r\n" +
        "Content-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
        `${line.repeat(Math.ceil(fileBytes / row.length))}\r\n--b--\r\n`;
      const posted = await postMail(service.base, email_address, raw);
      const { data: { results: [{ email_id }] } } = await posted.json();
      const size = await eventually(
        "the mail is processed",
        async () => (await read(email_id)).attachments[0]?.size,
      );
      assert.ok(size >= fileBytes, String(size));

      // A new process: the one that received the mail may still have its bytes.
      await service.stop();
      service = startProcess({ dir, port: freePort() });
      assert.ok(await service.up);
      const before = memoryOf(service.pid, "VmRSS")!;
      const { text } = await read(`${email_id}/attachments/att_2?format=text`);
      assert.ok(text.length > 990_000, String(text.length));
      const growth = memoryOf(service.pid, "VmHWM")! - before;
      assert.ok(growth < maxGrowth, `${Math.round(growth / mebibyte)} MB`);
    } finally {
      await service.kill();
      await Deno.remove(dir, { recursive: true });
    }
  },
  memoryOf(Deno.pid, "VmHWM") === null,
);
