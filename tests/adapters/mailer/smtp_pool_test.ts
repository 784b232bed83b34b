import assert from "node:assert/strict";
import { createSmtpMailer } from "../../../adapters/mailer/smtp.ts";
import { FairTurns } from "../../../domain/core/work/fair_turns.ts";
import { bounded } from "../../eventually.ts";
import { seeded } from "../../torture/seeded.ts";
import { message } from "./mailer_suite.ts";
import { type PlainScript, startPlainRelay, type Turn, usual } from "./plain_relay.ts";
import { startSmtpRelay } from "./smtp_relay.ts";

const names = (count: number) => Array.from({ length: count }, (_, n) => `r${n}@one.example`);

/** Sends one message to `count` recipients over one connection; returns `outcome response` of each. */
async function sentOver(extensions: string[], count: number, script: PlainScript) {
  using relay = startPlainRelay(extensions, script);
  const mailer = createSmtpMailer(`${relay.url}?maxConnections=1`, "mx.agents.example");
  // If the relay waits for something that is never sent, the test would wait until the connection times out.
  const sent = mailer.send(message(...names(count)));
  const { recipients } = await bounded("the relay has answered", sent);
  mailer.close();
  return recipients.map(({ outcome, response }) => `${outcome} ${response}`);
}

/** Counts the messages of a relay's turns, from 0. */
function messages(): (turn: Turn) => number {
  let count = -1;
  return ({ verb }) => verb === "MAIL" ? ++count : count;
}

Deno.test("SMTP pool: without PIPELINING nothing is sent before its turn", async () => {
  const nth = messages();
  const outcomes = await sentOver([], 4, (turn) => {
    assert.deepEqual(turn.behind, []);
    const n = nth(turn);
    if (turn.verb === "RCPT" && n === 1) return "550 5.1.1 nobody";
    return turn.verb === "." ? `250 took ${n}` : usual(turn);
  });
  assert.deepEqual(outcomes, [
    ...["sent 250 took 0", "permanent 550 5.1.1 nobody"],
    ...["sent 250 took 2", "sent 250 took 3"],
  ]);
});

Deno.test("SMTP pool: a refusal at any command is for its own recipient, in any order", async () => {
  const random = seeded(20);
  const ways = ["take", "rcpt450", "rcpt550", "data451", "data554"];
  const to = names(300).map((each) => `${ways[Math.floor(random() * ways.length)]}.${each}`);
  const codeOf = (address: string, step: string) =>
    address.startsWith(step) ? Number(address.slice(4, 7)) : "take";
  for (const hidePIPELINING of [false, true]) {
    await using relay = await startSmtpRelay({
      rcptTo: (address) => codeOf(address, "rcpt"),
      data: ({ to: [address] }) => codeOf(address, "data"),
    }, { hidePIPELINING });
    const mailer = createSmtpMailer(relay.url, "mx.agents.example");
    const { recipients, fault } = await mailer.send(message(...to));
    mailer.close();
    assert.equal(fault, undefined);
    for (const [n, { recipient, outcome, response }] of recipients.entries()) {
      const way = to[n].split(".")[0];
      const code = way.slice(4);
      assert.equal(recipient, to[n]);
      assert.equal(outcome, way === "take" ? "sent" : code < "5" ? "temporary" : "permanent", way);
      if (way !== "take") assert.match(response, new RegExp(`^${code} `));
    }
    const taken = relay.taken.map(({ to }) => to[0]).sort();
    assert.deepEqual(taken, to.filter((each) => each.startsWith("take")).sort());
  }
});

Deno.test("SMTP pool: if a connection is lost after a message, its outcome is unknown; the next ones are sent over another", async () => {
  const taken: string[] = [];
  let recipient = "";
  const outcomes = await sentOver(["PIPELINING"], 4, (turn) => {
    if (turn.verb === "RCPT") recipient = turn.line.slice(9, -1);
    if (turn.verb !== ".") return usual(turn);
    taken.push(recipient);
    return taken.length === 2 ? null : "250 took it";
  });
  assert.deepEqual(outcomes, [
    ...["sent 250 took it", "temporary the connection to the relay failed"],
    ...["sent 250 took it", "sent 250 took it"],
  ]);
  assert.deepEqual(taken, names(4));
});

Deno.test("SMTP pool: a relay that ends a connection after two messages, with 421 or without a reply, gets all of them once", async () => {
  for (const farewell of ["421 4.7.0 enough", null]) {
    const taken: string[] = [], of = new Map<number, number>();
    let recipient = "";
    const outcomes = await sentOver(["PIPELINING"], 9, (turn) => {
      const { verb, connection, line } = turn;
      const before = of.get(connection) ?? 0;
      if (verb === "MAIL" && before === 2) return farewell;
      if (verb === "RCPT") recipient = line.slice(9, -1);
      if (verb !== ".") return usual(turn);
      of.set(connection, before + 1);
      taken.push(recipient);
      return "250 took it";
    });
    assert.deepEqual(outcomes, names(9).map(() => "sent 250 took it"));
    assert.deepEqual(taken.sort(), names(9));
  }
});

Deno.test("SMTP pool: a relay that is not there is tried once for all messages that wait", async () => {
  await using relay = await startSmtpRelay();
  await relay.close();
  const mailer = createSmtpMailer(`${relay.url}?maxConnections=2`, "mx.agents.example");
  const { recipients, fault } = await mailer.send(message(...names(60)));
  mailer.close();
  assert.equal(recipients.filter(({ outcome }) => outcome === "temporary").length, 60);
  assert.match(fault ?? "", /ECONNREFUSED/);
});

Deno.test("SMTP pool: a relay that accepts only three connections gets everything over these", async () => {
  await using relay = await startSmtpRelay({}, { maxClients: 3 });
  const mailer = createSmtpMailer(relay.url, "mx.agents.example");
  await mailer.send(message(...names(3)));
  const { recipients, fault } = await mailer.send(message(...names(60)));
  mailer.close();
  assert.deepEqual(recipients.filter(({ outcome }) => outcome !== "sent"), []);
  assert.equal(fault, undefined);
  assert.equal(relay.taken.length, 63);
});

Deno.test("SMTP: a message with another form is sent in the one that the relay takes, and is refused if it has none", async () => {
  const raw = new TextEncoder().encode("Subject: one\r\n\r\nGrüße\r\n");
  const mail = async (extensions: string[], form: string | null) => {
    const lines: string[] = [], asked: boolean[] = [];
    using relay = startPlainRelay(extensions, (turn) => {
      if (turn.verb === "MAIL" || turn.verb === ".") lines.push(turn.line);
      return usual(turn);
    });
    const mailer = createSmtpMailer(relay.url, "mx.agents.example");
    const formFor = ({ eightBit }: { eightBit: boolean }) => {
      asked.push(eightBit);
      const bytes = form === null ? null : new TextEncoder().encode(form);
      return Promise.resolve(eightBit ? raw : bytes);
    };
    const whole = { ...message("a@one.example", "b@one.example"), raw, formFor };
    const { recipients, fault } = await bounded("it is sent", mailer.send(whole));
    mailer.close();
    assert.equal(fault, undefined);
    return { lines: lines.length, first: lines[0] ?? "", asked, recipients };
  };
  const eight = await mail(["SIZE", "8BITMIME"], null);
  assert.deepEqual([eight.lines, eight.asked], [4, [true]]);
  assert.match(eight.first, /BODY=8BITMIME$/);
  const seven = await mail(["SIZE"], "Subject: one\r\n\r\nx\r\n");
  assert.deepEqual([seven.lines, seven.asked], [4, [false]]);
  assert.deepEqual(seven.recipients.map(({ outcome }) => outcome), ["sent", "sent"]);
  const none = await mail(["SIZE"], null);
  assert.equal(none.lines, 0);
  for (const { outcome, response } of none.recipients) {
    assert.equal(outcome, "permanent");
    assert.match(response, /^554 5\.6\.3 .*7 bits/);
  }
});

Deno.test("SMTP: whether a relay takes 8 bits is asked after STARTTLS", async () => {
  const asked: boolean[] = [];
  await using relay = await startSmtpRelay({}, { disabledCommands: [], logger: false });
  const url = `${relay.url}?tls.rejectUnauthorized=false`;
  const mailer = createSmtpMailer(url, "mx.agents.example");
  const formFor = ({ eightBit }: { eightBit: boolean }) => {
    asked.push(eightBit);
    return Promise.resolve(message().raw);
  };
  await bounded("it is sent", mailer.send({ ...message("a@one.example"), formFor }));
  mailer.close();
  assert.deepEqual([asked, relay.taken[0].secure], [[true], true]);
});

Deno.test("SMTP: a relay that ends the connection in the middle of a message got none of it: temporary, for all of its recipients", async () => {
  for (const ending of ["421 4.3.2 going down\r\n", ""]) {
    let times = 0;
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const serving = (async () => {
      for await (const socket of listener) void breakOff(socket, ending, () => times++);
    })().catch(() => {});
    const { port } = listener.addr as Deno.NetAddr;
    const mailer = createSmtpMailer(`smtp://127.0.0.1:${port}`, "mx.agents.example");
    const from = "bounce+all@agents.example";
    const envelopes = ["a@one.example", "b@one.example"].map((to) => ({ from, to }));
    const raw = new TextEncoder().encode(
      `Subject: s\r\n\r\n${`${"x".repeat(76)}\r\n`.repeat(60_000)}`,
    );
    const { recipients, fault } = await bounded(
      "it ends",
      mailer.send({ owner: "an account", envelopes, raw }),
    );
    assert.deepEqual(recipients.map(({ outcome }) => outcome), ["temporary", "temporary"]);
    assert.ok(ending !== "" || fault);
    mailer.close();
    listener.close();
    await serving;
    assert.equal(times, 1, "it is not repeated by itself");
  }
});

/** Takes commands, and some of a message; then says the last words and ends the connection. */
async function breakOff(socket: Deno.Conn, lastWords: string, seen: () => void) {
  const say = (text: string) => socket.write(new TextEncoder().encode(text)).catch(() => {});
  const buffer = new Uint8Array(4_096);
  let taken = 0, inData = false;
  await say("220 relay\r\n");
  try {
    for (;;) {
      const count = await socket.read(buffer);
      if (count === null) return;
      if (inData) {
        taken += count;
        if (taken < 100_000) continue;
        await say(lastWords);
        return;
      }
      const said = new TextDecoder().decode(buffer.subarray(0, count));
      inData = said.startsWith("DATA");
      if (inData) seen();
      await say(inData ? "354 go on\r\n" : "250 ok\r\n");
    }
  } catch {
    /* the client has gone */
  } finally {
    socket.close();
  }
}

Deno.test("SMTP: a message with another form waits if the relay cannot be asked, and the last answer to EHLO counts", async () => {
  const asked: boolean[] = [];
  const formFor = ({ eightBit }: { eightBit: boolean }) => {
    asked.push(eightBit);
    return Promise.resolve(message().raw);
  };
  const mail = { ...message("a@one.example"), formFor };
  const extensions = ["8BITMIME"];
  using relay = startPlainRelay(extensions, (turn) => turn.verb === "RSET" ? null : usual(turn));
  const away = createSmtpMailer("smtp://127.0.0.1:1", "mx.agents.example");
  const waits = await bounded("it ends", away.send(mail));
  away.close();
  assert.deepEqual([waits.recipients[0].outcome, asked], ["temporary", []]);
  assert.match(waits.fault ?? "", /ECONNREFUSED/);
  const mailer = createSmtpMailer(`${relay.url}?maxMessages=1`, "mx.agents.example");
  await bounded("it is sent", mailer.send(mail));
  extensions.pop();
  await bounded("it is sent", mailer.send(message("a@one.example")));
  await bounded("it is sent", mailer.send(mail));
  mailer.close();
  assert.deepEqual(asked, [true, false]);
});

Deno.test("SMTP: a message with bytes above 127 is declared as 8BITMIME, if the relay takes it", async () => {
  const mail = async (extensions: string[], text: string) => {
    const lines: string[] = [];
    using relay = startPlainRelay(extensions, (turn) => {
      if (turn.verb === "MAIL") lines.push(turn.line);
      return usual(turn);
    });
    const mailer = createSmtpMailer(relay.url, "mx.agents.example");
    const raw = new TextEncoder().encode(`Subject: one\r\n\r\n${text}\r\n`);
    await bounded("it is sent", mailer.send({ ...message("r@one.example"), raw }));
    mailer.close();
    return lines.map((line) => line.split(" ").slice(1));
  };
  const from = "FROM:<bounce+0@agents.example>";
  assert.deepEqual(await mail(["8BITMIME"], "Grüße"), [[from, "BODY=8BITMIME"]]);
  assert.deepEqual(await mail(["8BITMIME"], "text"), [[from]]);
  assert.deepEqual(await mail([], "Grüße"), [[from]]);
});

Deno.test("SMTP: an account with 1,000 transactions that wait delays another's by no more than those that have begun", async () => {
  const senders: string[] = [];
  let now = 0, isSent = false;
  using relay = startPlainRelay([], (turn) => {
    now += 10;
    if (turn.verb === "MAIL") senders.push(turn.line.includes("<one@") ? "one" : "many");
    // The other account's mail comes when the connections are busy.
    if (!isSent && senders.length === 20) {
      isSent = true;
      one = mailer.send({ ...message("x@one.example"), ...from("one", "one@agents.example", 1) });
    }
    return usual(turn);
  });
  const from = (owner: string, sender: string, count: number) => ({
    owner,
    envelopes: names(count).map((to, n) => ({ from: n ? `${n}.${sender}` : sender, to })),
  });
  const turnsOf = (slots: number) =>
    new FairTurns(slots, { elapsed: () => now }, { slotsOfOwner: slots });
  const mailer = createSmtpMailer(
    `${relay.url}?maxConnections=2`,
    "mx.agents.example",
    turnsOf,
  );
  let one: Promise<unknown> | null = null;
  const many = Array.from(
    { length: 20 },
    (_, n) => mailer.send({ ...message(), ...from("many", `${n}.many@agents.example`, 50) }),
  );
  await bounded("the relay has answered", Promise.all(many));
  await one;
  mailer.close();
  assert.equal(senders.length, 1_001);
  const position = senders.indexOf("one");
  assert.equal(position >= 20 && position < 20 + 8, true, String(position));
});
