import assert from "node:assert/strict";
import { watchSmtp } from "../../../routes/inbound/smtp/watch.ts";
import { FakeClock, testService } from "../../service.ts";

Deno.test("a listener listens again after two silent looks in a row, not after one", async () => {
  const clock = new FakeClock();
  await using test = await testService({ parts: { clock } });
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let again = 0;
  const listenAgain = () => Promise.resolve(void again++);
  const close = () => Promise.resolve();
  const watched = { port: listener.addr.port, close, listenAgain };
  const end = watchSmtp(watched, "127.0.0.1", { clock, log: test.service.log });
  const look = async (isGreeted: boolean) => {
    clock.advance(2_000);
    using connection = await listener.accept();
    if (isGreeted) await connection.write(new TextEncoder().encode("220 here\r\n"));
    else await connection.closeWrite();
    await connection.read(new Uint8Array(1));
    for (let turn = 0; turn < 5; turn++) await new Promise((done) => setTimeout(done, 0));
    return again;
  };
  assert.equal(await look(false), 0);
  assert.equal(await look(true), 0);
  assert.equal(await look(false), 0);
  assert.equal(await look(false), 1);
  end();
});
