import { postOurs, untilProcessed } from "../arrivals.ts";
import type { Figure } from "../figure.ts";
import type { BenchOptions } from "../options.ts";
import { prepare, type Server, startService } from "../process.ts";
import { type HostileFile, hostileFiles } from "./hostile_files.ts";

export const description = "The texts of hostile files";
export const comparable = true;

/** A small read is sent this long after the one before it has been answered. */
const betweenReadsMs = 15;

/**
 * Sends each hostile file in a mail of its own, and asks for its text once the mail is processed. Measures the answer,
 * and by how much the process grew at most: while the mail was processed, and while the text was read.
 */
export async function run({ compare, say }: BenchOptions): Promise<Figure[]> {
  const ours = await texts(undefined, say);
  const others = compare === undefined ? null : await texts(compare, say);
  return ours.map((figure, n) => ({ ...figure, bare: others?.[n].ours }));
}

async function texts(checkout: string | undefined, say: BenchOptions["say"]): Promise<Figure[]> {
  await using server = await startService({}, undefined, checkout);
  const { key, address } = await prepare(server);
  const small = await postOurs(
    server,
    address,
    encode("From: a@example.net\r\n\r\nsmall\r\n"),
    "0",
  );
  const get = async (path: string) => {
    const answer = await fetch(`${server.base}/v1/api/emails/${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return { status: answer.status, body: await answer.json() };
  };
  // The first file of each kind would be measured with its library.
  for (const kind of ["pdf", "docx"]) {
    const id = await postOurs(server, address, mailWith({ name: `a.${kind}`, make: none }), kind);
    await get(`${id}/attachments/att_2?format=text`);
  }
  const grown: number[] = [], processed: number[] = [], times: number[] = [], reads: number[] = [];
  for (const file of hostileFiles) {
    const raw = mailWith(file);
    await quiet(server);
    const atArrival = grow(server);
    const id = await postOurs(server, address, raw, file.name);
    await untilProcessed(server, key);
    await quiet(server);
    processed.push(atArrival());
    const growth = grow(server);
    const startedAt = performance.now();
    let answered = false;
    const meanwhile = (async () => {
      while (!answered) {
        const readAt = performance.now();
        await get(small);
        reads.push(performance.now() - readAt);
        await new Promise((done) => setTimeout(done, betweenReadsMs));
      }
    })();
    const { status, body } = await get(`${id}/attachments/att_2?format=text`);
    times.push((performance.now() - startedAt) / 1_000);
    answered = true;
    await meanwhile;
    grown.push(growth());
    say(
      `${file.name}: ${status} ${
        body.error?.code ?? `${body.data.text.length} characters`
      } after ` +
        `${times.at(-1)!.toFixed(1)} s; grew by ${
          grown.at(-1)!.toFixed(0)
        } MB, while processed by ` +
        `${processed.at(-1)!.toFixed(0)} MB`,
    );
  }
  const most = (name: string, values: number[], unit: string): Figure => {
    const greatest = Math.max(...values);
    const at = hostileFiles[values.indexOf(greatest)]?.name;
    return { name, ours: greatest, unit, note: at };
  };
  reads.sort((a, b) => a - b);
  return [
    most("the text of a hostile file, longest until answered", times, "s"),
    most("the process grew by at most, while a text was read", grown, "MB"),
    most("the same while a mail was processed", processed, "MB"),
    {
      name: "small reads meanwhile, p99",
      ours: reads[Math.floor(reads.length * 0.99)],
      unit: "ms",
      note: `greatest ${reads.at(-1)!.toFixed(0)} ms, ${reads.length} asked`,
    },
  ];
}

/** Waits until the process uses little of a processor, at most ten seconds: a bomb may go on inflating. */
async function quiet(server: Server): Promise<void> {
  for (let n = 0; n < 40; n++) {
    const before = server.cpuSeconds();
    await new Promise((done) => setTimeout(done, 250));
    if (server.cpuSeconds() - before < 0.03) return;
  }
}

/** Returns a function that tells by how much the process grew at most since, in MB. */
function grow(server: Server): () => number {
  const before = server.residentMB();
  // proc(5): the peak begins anew.
  Deno.writeTextFileSync(`/proc/${server.pid}/clear_refs`, "5");
  return () => server.peakMB() - before;
}

const encode = (text: string) => new TextEncoder().encode(text);
const none = () => new Uint8Array(new ArrayBuffer(0));

/** A mail whose second part is the file, in base64. */
function mailWith({ name, make }: HostileFile): Uint8Array<ArrayBuffer> {
  const base64 = make().toBase64();
  const lines: string[] = [];
  for (let at = 0; at < base64.length; at += 76) lines.push(base64.slice(at, at + 76));
  return encode(
    "From: a@example.net\r\nSubject: a file\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
      `--b\r\n\r\nSee the file.\r\n--b\r\nContent-Type: application/octet-stream; name="${name}"\r\n` +
      "Content-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
      `${lines.join("\r\n")}\r\n--b--\r\n`,
  );
}
