import assert from "node:assert/strict";
import {
  type AccountFailures,
  type AddressFailures,
  guessWindowMs,
  judgeGuess,
  kept,
  withFailure,
  withoutFailuresOf,
} from "../../../domain/accounts/guessing.ts";

const guesser = "203.0.113.9", owner = "198.51.100.7";

function failures(count: number, from = guesser, everyMs = 1000) {
  let account: AccountFailures = [], address: AddressFailures = [];
  for (let n = 0; n < count; n++) {
    account = failed(account, from, n * everyMs);
    address = withFailure(address, n * everyMs, kept.address);
  }
  return { account, address };
}

/** The failures of an account with one more. */
function failed(account: AccountFailures, from: string, at: number) {
  return withFailure(account, { at, from }, kept.account);
}

Deno.test("guessing is not slowed before 20 failures of an account", () => {
  const { account, address } = failures(19);
  assert.deepEqual(judgeGuess(account, address, guesser, 19_000), { kind: "open" });
});

Deno.test("failures of a clock that was set back by more than the window do not count", () => {
  const { account, address } = failures(20);
  assert.equal(judgeGuess(account, address, guesser, -60_000).kind, "refused");
  assert.deepEqual(judgeGuess(account, address, guesser, -guessWindowMs), { kind: "open" });
});

Deno.test("after 20 failures the guesser's address is refused until the oldest is 15 minutes old", () => {
  const { account, address } = failures(20);
  assert.deepEqual(judgeGuess(account, address, guesser, 20_000), {
    kind: "refused",
    limit: 20,
    retryAfterSeconds: 880,
  });
  assert.deepEqual(judgeGuess(account, address, guesser, guessWindowMs), { kind: "open" });
});

Deno.test("after 20 failures a right password from another address passes, a wrong one is 429", () => {
  const { account } = failures(20);
  assert.deepEqual(judgeGuess(account, [], owner, 20_000), {
    kind: "right_only",
    retryAfterSeconds: 880,
  });
});

Deno.test("an address with four failures during guessing is not a guesser, with five it is", () => {
  let { account } = failures(20);
  for (let n = 0; n < 4; n++) account = failed(account, owner, 20_000);
  assert.equal(judgeGuess(account, [], owner, 20_000).kind, "right_only");
  account = failed(account, owner, 20_000);
  assert.equal(judgeGuess(account, [], owner, 20_000).kind, "refused");
});

Deno.test("after 100 failures an address is refused for every account", () => {
  const { address } = failures(99);
  assert.equal(judgeGuess([], address, guesser, 99_000).kind, "open");
  assert.deepEqual(judgeGuess([], failures(100).address, guesser, 100_000), {
    kind: "refused",
    limit: 100,
    retryAfterSeconds: 800,
  });
});

Deno.test("a right password clears only the failures of its own address", () => {
  const { account } = failures(3);
  const both = failed(account, owner, 3000);
  assert.deepEqual(withoutFailuresOf(both, owner), account);
});

Deno.test("rows stay small however long the guessing lasts, and drop old failures", () => {
  const { account, address } = failures(5000, guesser, 10);
  assert.equal(account.length, 150);
  assert.equal(address.length, 100);
  const later = 3 * guessWindowMs;
  assert.deepEqual(failed(account, guesser, later), [{ at: later, from: guesser }]);
  assert.deepEqual(withFailure(address, later, kept.address), [later]);
});
