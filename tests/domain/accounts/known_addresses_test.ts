import assert from "node:assert/strict";
import {
  isKnown,
  type KnownAddress,
  knownForMs,
  withAddress,
} from "../../../domain/accounts/login_guard.ts";

const email = "ada@example.com";
const dayMs = 86_400_000;

Deno.test("an address is known for 90 days after its last login, also if the account logs in from others", () => {
  let known: readonly KnownAddress[] = [];
  const login = (from: string, day: number) => {
    known = withAddress(known, { email, from, now: day * dayMs }) ?? known;
  };
  const sees = (from: string, day: number) => isKnown(known, { email, from, now: day * dayMs });
  login("192.0.2.1", 0);
  login("192.0.2.2", 60);
  assert.equal(sees("192.0.2.1", 89), true);
  assert.equal(sees("192.0.2.1", 91), false);
  assert.equal(sees("192.0.2.2", 91), true);
  login("192.0.2.2", 91);
  assert.equal(known.length, 1, "the row does not keep it either");
  login("192.0.2.1", 92);
  assert.equal(sees("192.0.2.1", 92 + knownForMs / dayMs - 1), true);
});
