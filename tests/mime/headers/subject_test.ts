import assert from "node:assert/strict";
import { bareSubject, conversationSubject, subjectPrefix } from "../../../mime/headers/subject.ts";

const replies =
  "Re|RE[2]|Re^2|Aw|Antw.|SV|Réf.|R|RIF|RES|Odp|Vá|Odg|Ats|Atb|ΑΠ|YNT|Отв|Відп|תשובה|رد|Trả lời|Bls|回复|返信|답장";
const forwards = "Fwd|FW|WG|TR|RV|ENC|I|VB|VL|PD|Redir.|İLT|ΠΡΘ|Пер|转发|轉寄|転送|전달";

Deno.test("every prefix of a reply or a forward is known, with and without the mark of a gateway", () => {
  for (const before of ["", "[EXTERNAL] ", "*EXT* ", "\u200f"]) {
    for (const prefix of replies.split("|")) {
      assert.equal(subjectPrefix(`${before}${prefix}: Chairs`), "reply", prefix);
      assert.equal(conversationSubject(`${before}${prefix}: Chairs`), "chairs", prefix);
    }
    for (const prefix of forwards.split("|")) {
      assert.equal(subjectPrefix(`${before}${prefix} : Chairs`), "forward", prefix);
      assert.equal(bareSubject(`${before}${prefix} : Chairs`), "chairs", prefix);
    }
  }
  assert.equal(subjectPrefix("VS: Chairs"), "either");
});

Deno.test("a subject that only begins like a prefix has none, and a forward is its own conversation", () => {
  for (
    const subject of ["Rental: two chairs", "Re chairs", "R&D: chairs", "Resale: x", "[list] x"]
  ) {
    assert.equal(subjectPrefix(subject), null);
    assert.equal(conversationSubject(subject), subject.toLowerCase());
  }
  assert.equal(conversationSubject("Re: Fwd: Chairs"), "fwd: chairs");
  assert.equal(conversationSubject("[EXT] AW: Re: Chairs"), "chairs");
});
