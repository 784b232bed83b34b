import assert from "node:assert/strict";
import fc from "fast-check";
import {
  equalSecrets,
  isWellFormedApiKey,
  newAccessToken,
  newApiKey,
  newRefreshToken,
  oneOf,
  sha256Hex,
} from "../../../domain/accounts/secrets.ts";
import { systemIds } from "../../../domain/core/ids.ts";

const ids = systemIds();

// SPEC: key.format, decided.key_checksum
Deno.test("newApiKey() is lbx_, an identifier and a secret of 32 characters and a checksum of 6", () => {
  const { apiKey, keyPrefix } = newApiKey(ids);
  const [prefix, identifier, secret, ...rest] = apiKey.split("_");
  assert.deepEqual([prefix, rest], ["lbx", []]);
  assert.match(identifier, /^[0-9A-Za-z]{12}$/);
  assert.match(secret, /^[0-9A-Za-z]{38}$/);
  assert.equal(keyPrefix, `lbx_${identifier}_${secret.slice(0, 4)}${"*".repeat(34)}`);
  assert.ok(isWellFormedApiKey(apiKey));
});

Deno.test("newApiKey() draws from the given randomness", () => {
  const zeros = (length: number) => new Uint8Array(length);
  assert.deepEqual(newApiKey({ bytes: zeros }), {
    apiKey: "lbx_000000000000_000000000000000000000000000000003pG3Yc",
    keyPrefix: "lbx_000000000000_0000" + "*".repeat(34),
  });
});

// SPEC: decided.key_checksum
Deno.test("isWellFormedApiKey() refuses a key with any one character changed", () => {
  const { apiKey } = newApiKey(ids);
  fc.assert(fc.property(
    fc.nat(apiKey.length - 1),
    fc.constantFrom(..."0aZ9_-* "),
    (at, character) => {
      const changed = apiKey.slice(0, at) + character + apiKey.slice(at + 1);
      assert.equal(isWellFormedApiKey(changed), changed === apiKey);
    },
  ));
});

Deno.test("isWellFormedApiKey() refuses anything else, whatever its length", () => {
  const { apiKey } = newApiKey(ids);
  for (
    const text of ["", "lbx_", apiKey + "0", apiKey.slice(1), apiKey.toUpperCase(), " " + apiKey]
  ) {
    assert.equal(isWellFormedApiKey(text), false, text);
  }
});

Deno.test("tokens differ from each other and from keys, and carry 256 bits and more", () => {
  const tokens = Array.from({ length: 100 }, () => [newAccessToken(ids), newRefreshToken(ids)])
    .flat();
  assert.equal(new Set(tokens).size, 200);
  assert.match(tokens[0], /^lbxa_[0-9A-Za-z]{44}$/);
  assert.match(tokens[1], /^lbxr_[0-9A-Za-z]{44}$/);
  assert.ok(44 * Math.log2(62) >= 256);
});

Deno.test("randomness is evenly distributed over the alphabet", () => {
  let at = 0;
  const everyByteInTurn = () => Uint8Array.of(at++ % 256);
  const counts = new Map<string, number>();
  for (let n = 0; n < 62; n++) {
    for (const character of newAccessToken({ bytes: everyByteInTurn }).slice(5)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  assert.equal(counts.size, 62);
  assert.deepEqual(new Set(counts.values()), new Set([44]));
});

Deno.test("oneOf() accepts each secret of a setting and no other", () => {
  const secrets = ["first", "second"];
  for (const given of secrets) assert.equal(oneOf(secrets)(given), true);
  for (const given of ["", "firs", "firstsecond", "third"]) {
    assert.equal(oneOf(secrets)(given), false);
  }
  assert.equal(oneOf([])(""), false);
});

Deno.test("equalSecrets() compares texts of any length", () => {
  assert.equal(equalSecrets("a", "a"), true);
  assert.equal(equalSecrets("a", "b"), false);
  assert.equal(equalSecrets("a", "aa"), false);
  assert.equal(
    sha256Hex("abc"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
