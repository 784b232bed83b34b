import assert from "node:assert/strict";
import { argon2Dummy } from "../../../domain/accounts/argon2.ts";
import {
  closePasswords,
  hashPassword,
  verifyPassword,
} from "../../../domain/accounts/passwords.ts";
import { scryptDummy, scryptHash } from "../../../domain/accounts/scrypt.ts";

Deno.test("hashPassword() makes argon2id of 19 MiB, two passes, one lane, with a new salt each time", async () => {
  const [first, second] = await Promise.all([hashPassword("pass word"), hashPassword("pass word")]);
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.notEqual(first, second);
});

Deno.test("verifyPassword() takes the right password alone, to the last of 1,024 characters", async () => {
  const long = "p".repeat(1023);
  const hash = await hashPassword(long + "a");
  assert.equal(await verifyPassword(long + "a", hash), true);
  assert.equal(await verifyPassword(long + "b", hash), false);
  assert.equal(await verifyPassword(long, hash), false);
});

Deno.test("verifyPassword() knows hashes made by scrypt", async () => {
  const hash = await scryptHash("correct horse");
  assert.match(hash, /^\$scrypt\$ln=15,r=8,p=3\$/);
  assert.equal(await verifyPassword("correct horse", hash), true);
  assert.equal(await verifyPassword("battery staple", hash), false);
});

Deno.test("verifyPassword() of an account that is not there does as much work as of one that is", async () => {
  const hash = await hashPassword("some password");
  const known: number[] = [], unknown: number[] = [];
  for (let n = 0; n < 7; n++) {
    known.push(await timed(() => verifyPassword("wrong password", hash)));
    unknown.push(await timed(() => verifyPassword("wrong password", null)));
  }
  // Other tests share the machine: the bounds tell work done from work left out, the costs being equal is exact.
  const ratio = fastest(unknown) / fastest(known);
  assert.ok(ratio > 0.15 && ratio < 7, `unknown / known = ${ratio.toFixed(2)}`);
  const shape = (encoded: string) =>
    encoded.split("$").map((part, n, all) => n < all.length - 2 ? part : part.length);
  assert.deepEqual(shape(argon2Dummy), shape(hash));
  assert.deepEqual(shape(scryptDummy), shape(await scryptHash("some password")));
});

Deno.test("hashing leaves the main thread free", async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  await Promise.all([1, 2, 3].map(() => hashPassword("pass word")));
  clearInterval(timer);
  assert.ok(ticks >= 5, `${ticks} ticks`);
});

Deno.test("closePasswords() ends passwords that wait, and the next one is looked at", async () => {
  const last = hashPassword("pass word").then(() => null, (error: Error) => error);
  await closePasswords();
  assert.match(String(await last), /closed/);
  assert.equal(await verifyPassword("pass word", await hashPassword("pass word")), true);
});

Deno.test("an idle thread keeps no process alive", async () => {
  const script = `
    import { hashPassword } from ${
    JSON.stringify(new URL("../../../domain/accounts/passwords.ts", import.meta.url).href)
  };
    console.log((await hashPassword("pass word")).slice(0, 9));`;
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
