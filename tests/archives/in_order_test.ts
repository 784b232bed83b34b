import assert from "node:assert/strict";
import { conversationOf, keepOrder } from "../../archives/in_order.ts";

const of = (head: string) => conversationOf(new TextEncoder().encode(`${head}\r\n\r\nText`));

// SPEC: export.round_trip
Deno.test("messages of one subject keep their order, unless both name the messages before them", () => {
  const first = of("Subject: Lunch");
  const answer = of("Subject: Re: Lunch");
  const named = of("SUBJECT: RE:\r\n LUNCH\r\nReferences: <1@x.example>");
  const encoded = of("Subject: =?utf-8?Q?AW=3A_Lunch?=\r\nIn-Reply-To: <1@x.example>");
  const other = of("Subject: Re: Dinner"), none = of("Subject: Re:");
  assert.ok(keepOrder(first, answer) && keepOrder(answer, named) && keepOrder(encoded, first));
  assert.ok(!keepOrder(named, encoded) && !keepOrder(first, other));
  assert.ok(!keepOrder(none, none) && !keepOrder(of("From: a@x.example"), of("To: b@x.example")));
});
