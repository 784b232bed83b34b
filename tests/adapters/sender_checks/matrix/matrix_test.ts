import assert from "node:assert/strict";
import { mailauthChecks } from "../../../../adapters/sender_checks/mailauth.ts";
import { systemDns } from "../../../../adapters/dns/system.ts";
import { systemClock } from "../../../../domain/core/clock.ts";
import { startDnsServer, type Zone } from "../../dns/dns_server.ts";
import { isNight } from "../../../nightly.ts";
import matrix from "./sender_matrix.json" with { type: "json" };

/** The path of a message: the reverse path, the peer and its HELO. */
interface Path {
  sender: string;
  peer: string | null;
  helo: string;
}

const encoder = new TextEncoder();

/** The checks over a DNS server on loopback that has the zone of the matrix. */
async function checksOverDns() {
  const zones = Object.entries(matrix.zone as unknown as Record<string, Zone & { txt?: string[] }>)
    .map(([name, { txt, ...others }]): [string, Zone] => [
      name,
      { ...others, ...(txt ? { txt: txt.map(strings) } : {}) },
    ]);
  const server = await startDnsServer(new Map(zones));
  const dns = systemDns({ server: server.address });
  const checks = mailauthChecks({ dns, clock: systemClock, mta: "mx.agents.test" });
  /** `verdict spf dkim dmarc`; dkim only has the words that all programs use. */
  const wordsOf = async (mail: string, { sender, peer, helo }: Path) => {
    const { verdict, spf, dkim, dmarc } = await checks.check({
      userId: "user",
      facts: peer === null ? {} : { peer: { ip: peer, helo } },
      reversePath: sender,
      from: /^From: .*<(.*)>/m.exec(mail)![1],
      until: Date.now() + 10_000,
      async *raw() {
        yield encoder.encode(mail);
      },
    });
    const kind = ["pass", "none", "temperror"].includes(dkim) ? dkim : "fail";
    return [verdict, spf, kind, dmarc].join(" ");
  };
  return { wordsOf, server };
}

/** A TXT record is strings of at most 255 bytes. */
const strings = (text: string): string[] => text.match(/.{1,255}/gs) ?? [""];

const { words, table, paths, mails, arc } = matrix as unknown as {
  /** The `verdict spf dkim dmarc` of each letter of the table. */
  words: Record<string, string>;
  /** By mail a letter for each path, in their order. */
  table: Record<string, string>;
  /** By organisation and kind. */
  paths: Record<string, Record<string, Path>>;
  mails: Record<string, string>;
  arc: Record<string, { mail: string; path: Path; chain: string; expected: string }>;
};

// SPEC: auth.verdicts
Deno.test("combinations of SPF, DKIM and DMARC get the verdict of independent programs: 1,560 at night, a fifth by day", async () => {
  const { wordsOf, server } = await checksOverDns();
  await using _server = server;
  const wrong: string[] = [];
  let compared = 0;
  const step = isNight ? 1 : 5;
  for (const [row, [name, letters]] of Object.entries(table).entries()) {
    const author = name.split(" / ")[0];
    const org = author.split(".").slice(-2).join(".");
    await Promise.all(
      Object.entries(paths[org]).map(async ([kind, path], n) => {
        if ((row + n) % step > 0) return;
        const found = await wordsOf(mails[name], path);
        const expected = words[letters[n]];
        compared++;
        if (found !== expected) wrong.push(`${name} / ${kind}: ${found}, not ${expected}`);
      }),
    );
  }
  assert.deepEqual(wrong, []);
  assert.ok(compared >= 1_560 / step - 20, String(compared));
});

// SPEC: auth.verdicts
Deno.test("a valid ARC chain changes no verdict, and its keys are not asked for", async () => {
  const { wordsOf, server } = await checksOverDns();
  await using _server = server;
  for (const [name, { mail, path, chain, expected }] of Object.entries(arc)) {
    assert.equal(chain, "pass", name);
    assert.equal(await wordsOf(mail, path), expected, name);
  }
  assert.deepEqual(server.asked.filter((each) => each.startsWith("k1._domainkey.list.")), []);
});
