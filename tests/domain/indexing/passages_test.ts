import assert from "node:assert/strict";
import { passagesOf } from "../../../domain/indexing/passages.ts";
import { builtinEncoders } from "../../../adapters/embeddings/encoders/builtin.ts";
import { openTokenizer } from "../../../adapters/embeddings/encoders/tokenizer.ts";

const limits = { tokens: 128, ofEmail: 4 };

Deno.test("a short mail is one passage, and one without text too", () => {
  const text = "We meet at three.";
  assert.deepEqual(passagesOf({ subject: "Meeting", text, own: text }, limits), [text]);
  assert.deepEqual(passagesOf({ subject: "Meeting", text: "", own: "" }, limits), [""]);
});

// SPEC: search.passages
Deno.test("a mail's own words come before the quoted ones, wherever they stand, and it has at most four passages", () => {
  const quote = Array.from({ length: 400 }, (_, n) => `> quoted${n}`).join("\n");
  const text = `${quote}\nMine first.\n${quote}\nMine last.`;
  const passages = passagesOf({ subject: "Re: x", text, own: "Mine first.\nMine last." }, limits);
  assert.equal(passages.length, 4);
  assert.match(passages[0], /^Mine first.\nMine last.\n\n> quoted0/);
  assert.equal(passages.join("\n").match(/Mine first/g)!.length, 1);
});

Deno.test("passages are cut between words, and what is between them is nothing but space", () => {
  const words = Array.from({ length: 300 }, (_, n) => `word${n}`);
  const passages = passagesOf({ subject: "", text: words.join(" "), own: "" }, {
    tokens: 128,
    ofEmail: 100,
  });
  assert.deepEqual(passages.flatMap((each) => each.split(" ")), words);
});

Deno.test("texts of English, German, Russian and Japanese are cut to what the encoders read, and not much less", async () => {
  const [use, minilm] = await Promise.all(
    builtinEncoders().sources.map(async ({ tokenizer }) =>
      openTokenizer(await Deno.readFile(tokenizer))
    ),
  );
  const subject = "About the delivery of last week";
  const texts = [
    [minilm, "The delivery of your order is delayed because our supplier has not answered yet. "],
    [use, "The delivery of your order is delayed because our supplier has not answered yet. "],
    [use, "Die Lieferung Ihrer Bestellung verspätet sich, weil unser Lieferant schweigt. "],
    [use, "Доставка вашего заказа задерживается, потому что поставщик ещё не ответил. "],
    [use, "ご注文の商品の配送が遅れています。仕入先からの返事がまだありません。 "],
  ] as const;
  for (const [tokenize, sentence] of texts) {
    const [first] = passagesOf({ subject, text: sentence.repeat(40), own: "" }, limits);
    const tokens = tokenize(`${subject}\n\n${first}`, 1_000).ids.length;
    assert.ok(tokens <= 150 && tokens > 60, `${tokens}: ${sentence}`);
  }
});

Deno.test("a word of 10,000 letters and a subject of 10,000 are passages in linear time", () => {
  const long = "x".repeat(10_000);
  assert.equal(passagesOf({ subject: long, text: `${long} ${long}`, own: "" }, limits).length, 2);
});
