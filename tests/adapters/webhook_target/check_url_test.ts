import assert from "node:assert/strict";
import { checkTargetUrl, maxTargetUrlLength } from "../../../adapters/webhook_target/check_url.ts";

const production = { allowInsecure: false, ownHost: "letterbox.example.com:443" };
const development = { allowInsecure: true, ownHost: "localhost:8000" };

const refused: [url: string, reason: string][] = [
  ["", "The URL is not a URL."],
  ["example.com/hook", "The URL is not a URL."],
  ["https://example.com:65536/", "The URL is not a URL."],
  ["http://example.com/hook", "The URL must begin with https://."],
  ["ftp://example.com/hook", "The URL must begin with https://."],
  ["file:///etc/passwd", "The URL must begin with https://."],
  ["javascript:alert(1)", "The URL must begin with https://."],
  ["https://user@127.0.0.1/", "The URL must not carry a user name or password."],
  ["https://example.com@127.0.0.1/", "The URL must not carry a user name or password."],
  ["https://:secret@example.com/", "The URL must not carry a user name or password."],
  ["https://example.com/a b", "The URL has a space or control character in it."],
  ["https://exam\tple.com/", "The URL has a space or control character in it."],
  ["https://example.com/\r\nX-Evil: 1", "The URL has a space or control character in it."],
  ["https://example.com:0/", "The URL has port 0."],
  ["https://example.com:22/", "The URL has port 22, which is not allowed."],
  ["https://example.com:25/", "The URL has port 25, which is not allowed."],
  ["https://example.com:6379/", "The URL has port 6379, which is not allowed."],
  ["https://letterbox.example.com/inbound/raw", "The URL is this service itself."],
  ["https://LETTERBOX.example.com:443/", "The URL is this service itself."],
  ["https://letterbox.example.com./", "The URL is this service itself."],
  ["https://ｌetterbox.example.com.:443/", "The URL is this service itself."],
  ["https://intranet/", "The URL is not a public host name."],
  ["https://localhost/", "The URL is not a public host name."],
  ["https://localhost./", "The URL is not a public host name."],
  ["https://LOCALHOST/", "The URL is not a public host name."],
  ["https://ｌocalhost/", "The URL is not a public host name."],
  ["https://x.localhost/", "The URL is not a public host name."],
  ["https://printer.local/", "The URL is not a public host name."],
  ["https://metadata.google.internal/", "The URL is not a public host name."],
  ["https://nas.home.arpa/", "The URL is not a public host name."],
  ["https://127.0.0.1.nip.io/", "The URL spells an address that is not public."],
  ["https://app-10-0-0-1.sslip.io/", "The URL spells an address that is not public."],
  [
    `https://example.com/${"a".repeat(maxTargetUrlLength)}`,
    "The URL is longer than 2048 characters.",
  ],
];

const literals = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0177.0.0.1",
  "0x7f.1",
  "0",
  "0.0.0.0",
  "①②⑦.0.0.1",
  "[::]",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:a9fe:a9fe]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "[fe80::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "192.0.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "127.0.0.1\\@example.com",
];

const allowed = [
  "https://example.com/hook",
  "https://example.com./hook",
  "https://example.com:443/",
  "https://example.com:8443/hook?key=1",
  "https://sub.letterbox.example.com/",
  "https://letterbox.example.com:8443/",
  "https://internal.example.com/",
  "https://8.8.8.8.nip.io/",
  "https://172.15.0.1/",
  "https://172.32.0.1/",
  "https://100.63.0.1/",
  "https://11.0.0.1/",
  "https://[2606:4700::1111]/",
];

Deno.test("checkTargetUrl() refuses what cannot be a public HTTPS receiver, and says why", () => {
  for (const [url, reason] of refused) {
    assert.deepEqual(checkTargetUrl(url, production), { ok: false, reason }, url);
  }
});

Deno.test("checkTargetUrl() refuses every spelling of an address that is not public", () => {
  for (const host of literals) {
    const verdict = checkTargetUrl(`https://${host}/`, production);
    assert.deepEqual(verdict, { ok: false, reason: "The URL is not a public address." }, host);
  }
});

Deno.test("checkTargetUrl() allows public names and addresses", () => {
  for (const url of allowed) assert.deepEqual(checkTargetUrl(url, production), { ok: true }, url);
});

Deno.test("checkTargetUrl() allows http and private addresses in development, credentials never", () => {
  for (const url of ["http://localhost:3000/hook", "http://10.0.0.1:6379/", "https://[::1]/"]) {
    assert.deepEqual(checkTargetUrl(url, development), { ok: true }, url);
  }
  for (const url of ["http://a:b@localhost/", "ftp://localhost/", "http://localhost:0/"]) {
    assert.equal(checkTargetUrl(url, development).ok, false, url);
  }
});
