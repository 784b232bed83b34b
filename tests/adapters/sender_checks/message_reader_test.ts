import assert from "node:assert/strict";
import fc from "fast-check";
import { withCrlf } from "../../../adapters/sender_checks/message_reader.ts";

Deno.test("withCrlf() puts a CR before each LF without one, wherever a message is divided", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "\r", "\n") });
  fc.assert(fc.property(texts, fc.nat(20), (text, cut) => {
    const bytes = new TextEncoder().encode(text);
    const [one, other] = [bytes.subarray(0, cut), bytes.subarray(cut)];
    const pieces = [withCrlf(one, 0), withCrlf(other, one.at(-1) ?? 0)];
    const written = pieces.map((piece) => new TextDecoder().decode(piece)).join("");
    assert.equal(written, text.replaceAll(/(?<!\r)\n/g, "\r\n"));
  }));
});
