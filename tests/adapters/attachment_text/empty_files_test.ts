import assert from "node:assert/strict";
import { attachmentTexts } from "../../../adapters/attachment_text/attachment_texts.ts";
import { systemClock } from "../../../domain/core/clock.ts";

Deno.test("empty files have no text, even if they share one buffer", async () => {
  const texts = attachmentTexts(systemClock);
  try {
    const empty = new Uint8Array(0);
    assert.equal(
      await texts.read({ userId: "user", kind: "text", load: () => Promise.resolve(empty) }),
      null,
    );
    assert.equal(
      await texts.read({ userId: "user", kind: "pdf", load: () => Promise.resolve(empty) }),
      null,
    );
  } finally {
    texts.close();
  }
});
