import assert from "node:assert/strict";
import { shortUrl } from "../../dashboard/format.ts";

Deno.test("a long URL keeps its host whole, and a short one is whole", () => {
  const short = "https://example.net/a";
  assert.equal(shortUrl(short), short);
  const long = shortUrl(`https://example.net/${"a".repeat(300)}`);
  assert.ok(long.startsWith("https://example.net/aaa") && long.endsWith("…"), long);
  assert.equal(long.length, 60);
  const host = `https://${"sub.".repeat(20)}example.net`;
  assert.equal(shortUrl(`${host}/${"a".repeat(90)}`), `${host}/…`);
  assert.equal(shortUrl(`${host}?q=${"a".repeat(90)}`), `${host}?…`);
});
