import assert from "node:assert/strict";
import { argon2Dummy } from "../../../domain/accounts/hashing/argon2.ts";
import { Passwords } from "../../../domain/accounts/passwords.ts";
import { scryptDummy, scryptHash } from "../../../domain/accounts/hashing/scrypt.ts";
import { systemIds } from "../../../domain/core/ids.ts";
import { FakeClock } from "../../service.ts";

const ids = systemIds();

function passwordsWith(clock = new FakeClock()) {
  const passwords = new Passwords({ clock, ids });
  return Object.assign(passwords, { [Symbol.asyncDispose]: () => passwords.close() });
}

Deno.test("hash() makes argon2id of 19 MiB, two passes, one lane, with a new salt each time", async () => {
  await using passwords = passwordsWith();
  const [first, second] = await Promise.all([
    passwords.hash("pass word"),
    passwords.hash("pass word"),
  ]);
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.notEqual(first, second);
});

Deno.test("verify() accepts only the right password, to the last of 1,024 characters", async () => {
  await using passwords = passwordsWith();
  const long = "p".repeat(1023);
  const hash = await passwords.hash(long + "a");
  assert.equal(await passwords.verify(long + "a", hash), true);
  assert.equal(await passwords.verify(long + "b", hash), false);
  assert.equal(await passwords.verify(long, hash), false);
});

Deno.test("verify() reads hashes made by scrypt", async () => {
  await using passwords = passwordsWith();
  const hash = await scryptHash("correct horse", ids.bytes(16));
  assert.match(hash, /^\$scrypt\$ln=15,r=8,p=3\$/);
  assert.equal(await passwords.verify("correct horse", hash), true);
  assert.equal(await passwords.verify("battery staple", hash), false);
});

Deno.test("a password is the same however its accents are typed", async () => {
  await using passwords = passwordsWith();
  const composed = "caf\u00e9 cr\u00e8me", decomposed = composed.normalize("NFD");
  for (const password of [composed, decomposed]) {
    const hash = await passwords.hash(password);
    assert.equal(await passwords.verify(composed, hash), true);
    assert.equal(await passwords.verify(decomposed, hash), true);
    assert.equal(await passwords.verify("cafe creme", hash), false);
  }
});

Deno.test("verify() of an unknown account does as much work as of a known one", async () => {
  await using passwords = passwordsWith();
  const hash = await passwords.hash("some password");
  const known: number[] = [], unknown: number[] = [];
  for (let n = 0; n < 7; n++) {
    known.push(await timed(() => passwords.verify("wrong password", hash)));
    unknown.push(await timed(() => passwords.verify("wrong password", null)));
  }
  // Other tests share the machine: wide bounds still show whether the work was done at all. The costs are compared exactly.
  const ratio = fastest(unknown) / fastest(known);
  assert.ok(ratio > 0.15 && ratio < 7, `unknown / known = ${ratio.toFixed(2)}`);
  const shape = (encoded: string) =>
    encoded.split("$").map((part, n, all) => n < all.length - 2 ? part : part.length);
  assert.deepEqual(shape(argon2Dummy), shape(hash));
  assert.deepEqual(shape(scryptDummy), shape(await scryptHash("some password", ids.bytes(16))));
});

Deno.test("hashing leaves the main thread free", async () => {
  await using passwords = passwordsWith();
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  await Promise.all([1, 2, 3].map(() => passwords.hash("pass word")));
  clearInterval(timer);
  assert.ok(ticks >= 5, `${ticks} ticks`);
});

Deno.test("close() rejects waiting calls, and the next call works", async () => {
  await using passwords = passwordsWith();
  const last = passwords.hash("pass word").then(() => null, (error: Error) => error);
  await passwords.close();
  assert.match(String(await last), /closed/);
  assert.equal(await passwords.verify("pass word", await passwords.hash("pass word")), true);
});

Deno.test("the thread ends 1 s after the last password, and the next password starts another", async () => {
  const clock = new FakeClock();
  await using passwords = passwordsWith(clock);
  const alarms: number[] = [];
  const wakeAt = clock.wakeAt.bind(clock);
  clock.wakeAt = (at, wake) => (alarms.push(at - clock.now()), wakeAt(at, wake));
  const hash = await passwords.hash("pass word");
  assert.deepEqual(alarms, [1_000]);
  clock.advance(1_000);
  assert.equal(await passwords.verify("pass word", hash), true);
});

Deno.test("an idle thread keeps no process alive", async () => {
  const path = JSON.stringify(
    new URL("../../../domain/accounts/passwords.ts", import.meta.url).href,
  );
  const script = `
    import { Passwords } from ${path};
    const clock = { now: () => 0, wakeAt: () => () => {} };
    const passwords = new Passwords({ clock, ids: { bytes: (n) => new Uint8Array(n) } });
    console.log((await passwords.hash("pass word")).slice(0, 9));`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--ext=ts", script],
    cwd: new URL("../../..", import.meta.url),
  });
  const { code, stdout } = await child.output();
  assert.deepEqual([code, new TextDecoder().decode(stdout).trim()], [0, "$argon2id"]);
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const fastest = (times: number[]) => Math.min(...times);
