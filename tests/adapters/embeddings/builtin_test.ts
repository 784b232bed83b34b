import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { builtinEncoders } from "../../../adapters/embeddings/encoders/builtin.ts";
import { createLocalEmbedder } from "../../../adapters/embeddings/local_embedder.ts";
import { openEncoders } from "../../../adapters/embeddings/encoders/encoder.ts";
import { openTokenizer } from "../../../adapters/embeddings/encoders/tokenizer.ts";
import { cosine } from "../../../domain/search/closeness.ts";
import { patientClock } from "./patient_clock.ts";

/** Fourteen texts with what other implementations make of them; see the file beside it. */
interface Reference {
  text: string;
  use_ids: number[];
  minilm_ids: number[];
  use: number[];
  minilm: number[];
}

const reference: Reference[] = JSON.parse(
  await Deno.readTextFile(new URL("./reference/vectors.json", import.meta.url)),
);

Deno.test("the tokenizers of the built-in encoders give the ids of the reference", async () => {
  const [use, minilm] = await Promise.all(
    builtinEncoders().sources.map(async ({ tokenizer }) =>
      openTokenizer(await Deno.readFile(tokenizer))
    ),
  );
  for (const { text, use_ids, minilm_ids } of reference) {
    assert.deepEqual(use(text, 128).ids, use_ids, text);
    assert.deepEqual(minilm(text, 128).ids, minilm_ids, text);
  }
});

// SPEC: search.own_encoders
Deno.test("the vectors of the built-in encoders are those of the reference, one after another, each of length 1", async () => {
  const embedder = createLocalEmbedder(builtinEncoders(), { clock: patientClock });
  assert.deepEqual(embedder.parts, [512, 384]);
  const vectors = await embedder.embed(reference.map(({ text }) => text), { timeoutMs: 300_000 });
  for (const [n, { text, use, minilm }] of reference.entries()) {
    const vector = vectors[n];
    assert.equal(vector.length, 896);
    for (const [part, expected] of [[vector.slice(0, 512), use], [vector.slice(512), minilm]]) {
      const near = cosine(Float32Array.from(part), Float32Array.from(expected));
      assert.ok(near > 0.99, `${text}: ${near}`);
      assert.ok(Math.abs(Math.hypot(...part) - 1) < 1e-5);
    }
  }
  embedder.close();
});

// SPEC: search.own_encoders
Deno.test("the thread of the built-in encoders puts mail nearer to a question in another language than other mail", async () => {
  const embedder = createLocalEmbedder(builtinEncoders(), { clock: patientClock });
  const [question] = await embedder.embed(["Wann kommt mein Paket an?"], {
    userId: "a",
    timeoutMs: 120_000,
  });
  const mail = await embedder.embed(
    ["Your parcel will be delivered on Friday.", "The choir sings on Friday."],
    { timeoutMs: 120_000 },
  );
  const [parcel, choir] = mail.map((each) => cosine(question.slice(0, 512), each.slice(0, 512)));
  assert.ok(parcel > choir + 0.1, `${parcel} and ${choir}`);
  embedder.close();
});

// SPEC: search.encoders_damaged
Deno.test("a built-in file that is damaged or missing is named before anything is loaded", async () => {
  const folder = await Deno.makeTempDir();
  const { sources: [use, minilm] } = builtinEncoders();
  const models = dirname(dirname(use.model));
  await Deno.copyFile(join(models, "SHA256SUMS"), join(folder, "SHA256SUMS"));
  for (const path of [...Object.keys(use.sums), ...Object.keys(minilm.sums)]) {
    const copy = join(folder, path.slice(models.length));
    await Deno.mkdir(dirname(copy), { recursive: true });
    await Deno.copyFile(path, copy);
  }
  const { sources } = builtinEncoders(folder);
  using file = await Deno.open(sources[0].model.replace("rows.int8.onnx", "rows.u4"), {
    write: true,
  });
  await file.seek(1_000_000, Deno.SeekMode.Start);
  await file.write(Uint8Array.of(1, 2, 3));
  await assert.rejects(
    () => openEncoders(sources),
    /damaged or missing: .*rows.u4; take the files/,
  );
  await Deno.remove(sources[1].tokenizer);
  await assert.rejects(
    () => openEncoders([sources[1]]),
    /damaged or missing: .*minilm-l6-v2.tokenizer.json/,
  );
  await Deno.remove(folder, { recursive: true });
});
