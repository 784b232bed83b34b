import assert from "node:assert/strict";
import type { Dns } from "../../../domain/ports/dns.ts";

export interface DnsUnderTest extends AsyncDisposable {
  dns: Dns;
  /** `mx` are exchanges of preference 10, in any case, with or without a final dot. */
  publish(name: string, records: { txt?: string[]; mx?: string[] }): void;
  /** From now on the DNS does not answer for `name`. */
  fail(name: string): void;
}

/** The guarantees of every `Dns`, for the fake of the tests and for the resolver. */
export function dnsSuite(title: string, start: () => Promise<DnsUnderTest>): void {
  Deno.test(`${title}: txt() and mx() answer the records of a name`, async () => {
    await using test = await start();
    test.publish("own.example", {
      txt: ["v=spf1 -all", "letterbox-verify=abc"],
      mx: ["mx.example"],
    });
    assert.deepEqual(await test.dns.txt("own.example"), {
      kind: "records",
      records: ["v=spf1 -all", "letterbox-verify=abc"],
    });
    assert.deepEqual(await test.dns.mx("own.example"), {
      kind: "records",
      records: [{ preference: 10, exchange: "mx.example" }],
    });
  });

  Deno.test(`${title}: a type that a name does not have is none`, async () => {
    await using test = await start();
    test.publish("mx-only.example", { mx: ["mx.example"] });
    test.publish("txt-only.example", { txt: ["text"] });
    assert.deepEqual(await test.dns.txt("mx-only.example"), { kind: "none" });
    assert.deepEqual(await test.dns.mx("txt-only.example"), { kind: "none" });
  });

  Deno.test(`${title}: a name that does not exist is none`, async () => {
    await using test = await start();
    assert.deepEqual(await test.dns.txt("nobody.example"), { kind: "none" });
    assert.deepEqual(await test.dns.mx("nobody.example"), { kind: "none" });
  });

  Deno.test(`${title}: a failure to learn is unavailable, never none`, async () => {
    await using test = await start();
    test.publish("down.example", { txt: ["text"], mx: ["mx.example"] });
    test.fail("down.example");
    assert.equal((await test.dns.txt("down.example")).kind, "unavailable");
    assert.equal((await test.dns.mx("down.example")).kind, "unavailable");
  });
}
