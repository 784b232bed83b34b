import assert from "node:assert/strict";
import { join } from "node:path";
import { createLocalEmbedder } from "../../../adapters/embeddings/local_embedder.ts";
import { demandRoom } from "../../../adapters/embeddings/encoders/checked_files.ts";
import { folderEncoder } from "../../../adapters/embeddings/encoders/folder.ts";
import { systemClock } from "../../../domain/core/clock.ts";
import { type TinyEncoder, writeTinyEncoder } from "./tiny_encoder.ts";
import { patientClock } from "./patient_clock.ts";

const words = { car: [1, 0, 0], soup: [0, 1, 0], query: [0, 0, 3], passage: [0, 0, 4] };

/** Runs `look` with a folder that has the encoder. */
async function inFolder(
  tiny: Partial<TinyEncoder>,
  look: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await writeTinyEncoder(folder, { words, ...tiny });
    await look(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The vectors of texts as passages, rounded. */
async function vectors(folder: string, texts: string[], isQuestion = false): Promise<number[][]> {
  const embedder = createLocalEmbedder(await folderEncoder(folder), { clock: patientClock });
  const made = await embedder.embed(texts, {
    timeoutMs: 120_000,
    ...isQuestion && { userId: "a" },
  });
  embedder.close();
  return made.map((vector) => [...vector].map((each) => Math.round(each * 100) / 100));
}

// SPEC: search.encoder_folder
Deno.test("an encoder in a folder gives the mean of its tokens, of length 1, also from onnx/model_quantized.onnx", async () => {
  for (const name of ["model.onnx", "onnx/model_quantized.onnx"]) {
    await inFolder({ name }, async (folder) => {
      assert.deepEqual(await vectors(folder, ["Car", "car soup"]), [[1, 0, 0], [0.71, 0.71, 0]]);
    });
  }
});

Deno.test("an encoder that takes token_type_ids gets zeros", async () => {
  await inFolder({ types: true }, async (folder) => {
    assert.deepEqual(await vectors(folder, ["soup"]), [[0, 1, 0]]);
  });
});

Deno.test("1_Pooling/config.json chooses how tokens become one vector", async () => {
  const cases: [Record<string, unknown>, string, number[]][] = [
    [{ pooling_mode_max_tokens: true, pooling_mode_mean_tokens: false }, "car soup", [
      0.71,
      0.71,
      0,
    ]],
    [{ pooling_mode: "max" }, "car car soup", [0.71, 0.71, 0]],
    [{ pooling_mode_mean_tokens: true }, "car car soup", [0.89, 0.45, 0]],
    [{ pooling_mode_weightedmean_tokens: true }, "soup car", [0.83, 0.55, 0]],
  ];
  for (const [config, text, expected] of cases) {
    await inFolder({ files: { "1_Pooling/config.json": config } }, async (folder) => {
      assert.deepEqual(await vectors(folder, [text]), [expected], JSON.stringify(config));
    });
  }
});

Deno.test("the prompts of config_sentence_transformers.json stand before questions and mail", async () => {
  const prompts = { query: "query ", document: "passage " };
  const files = { "config_sentence_transformers.json": { prompts } };
  await inFolder({ files }, async (folder) => {
    assert.deepEqual(await vectors(folder, ["car"], true), [[0.32, 0, 0.95]]);
    assert.deepEqual(await vectors(folder, ["car"]), [[0.24, 0, 0.97]]);
  });
});

Deno.test("a long text is cut to 128 tokens with those at its ends", async () => {
  await inFolder({}, async (folder) => {
    const [vector] = await vectors(folder, [`${"car ".repeat(126)}${"soup ".repeat(100)}`]);
    assert.deepEqual(vector, [1, 0, 0]);
  });
});

// SPEC: search.encoders_model
Deno.test("the model's name changes with its files, its tokenizer, its pooling and its prompts", async () => {
  const names = new Set<string>();
  const others: Partial<TinyEncoder>[] = [
    {},
    { words: { ...words, car: [1, 0, 0.5] } },
    { words: { soup: words.soup, car: words.car } },
    { files: { "1_Pooling/config.json": { pooling_mode: "max" } } },
    { files: { "config_sentence_transformers.json": { prompts: { query: "q: " } } } },
  ];
  for (const tiny of [...others, {}]) {
    await inFolder(tiny, async (folder) => {
      const { model } = await folderEncoder(folder);
      assert.match(model, /^folder-[0-9a-f]{16}$/);
      names.add(model);
    });
  }
  assert.equal(names.size, others.length);
});

// SPEC: search.encoder_refused
Deno.test("a folder that lacks something, has other inputs or cannot be read is refused in a sentence", async () => {
  const refused = async (
    tiny: Partial<TinyEncoder>,
    change: (folder: string) => Promise<void>,
    message: RegExp,
  ) =>
    await inFolder(tiny, async (folder) => {
      await change(folder);
      await assert.rejects(() => folderEncoder(folder), message);
    });
  const nothing = () => Promise.resolve();
  const write = (name: string, text: string) => (folder: string) =>
    Deno.writeTextFile(join(folder, name), text);
  const remove = (name: string) => (folder: string) => Deno.remove(join(folder, name));
  await refused({}, remove("model.onnx"), /neither model.onnx nor onnx.*export the model/);
  await refused({}, remove("tokenizer.json"), /tokenizer.json is missing: save the tokenizer/);
  await refused({ ids: "pixels" }, nothing, /model.onnx takes pixels, attention_mask.*export it/);
  await refused({}, write("model.onnx", "not a model"), /model.onnx cannot be read: it is/);
  await refused({}, write("tokenizer.json", "{"), /tokenizer.json cannot be read/);
  await refused({}, write("tokenizer.json", "{}"), /a tokenizer of the kind undefined: only Word/);
  await refused({}, write("1_Pooling/config.json", "[]"), /asks for the pooling of nothing/);
  const unknown = { "1_Pooling/config.json": { pooling_mode: "attention" } };
  await refused({ files: unknown }, nothing, /asks for the pooling attention: only cls, mean/);
});

// SPEC: search.encoders_failure
Deno.test("a model that does not fit into memory is refused before it is read, and the start is quick", async () => {
  const mebibyte = 2 ** 20;
  demandRoom(100 * mebibyte, 300 * mebibyte);
  assert.throws(
    () => demandRoom(200 * mebibyte, 300 * mebibyte),
    /it needs 500 MB of memory, and 300 are free/,
  );
  await inFolder({}, async (folder) => {
    const path = join(folder, "model.onnx");
    const graph = await Deno.readFile(path);
    // A field of 2 GB that nobody knows, after the graph; the file has holes.
    await Deno.writeFile(path, Uint8Array.of(...graph, 0xa2, 6, 0x80, 0x80, 0x80, 0x80, 8));
    await Deno.truncate(path, graph.length + 7 + 2 ** 31);
    const embedder = createLocalEmbedder(await folderEncoder(folder), { clock: patientClock });
    await assert.rejects(
      () => embedder.embed(["car"], { timeoutMs: 60_000 }),
      /model.onnx cannot be used: it has 2049 MB, and at most 1536 can be loaded/,
    );
    embedder.close();
  });
});

// SPEC: search.encoders_failure
Deno.test("a file that was damaged after the start is named, and words alone are searched until it is mended", async () => {
  await inFolder({}, async (folder) => {
    const failures: string[] = [];
    const failed = (why: string) => failures.push(why);
    const embedder = createLocalEmbedder(await folderEncoder(folder), {
      clock: systemClock,
      failed,
    });
    await Deno.writeTextFile(join(folder, "model.onnx"), "noise");
    const ask = () => embedder.embed(["car"], { userId: "a", timeoutMs: 60_000 });
    await assert.rejects(ask, /model.onnx cannot be used/);
    await assert.rejects(ask, /have just failed/);
    assert.equal(failures.length, 1, failures.join());
    embedder.close();
  });
});

/** Counts the Workers that this test starts; other tests of the process start theirs meanwhile. */
function countWorkers() {
  const { Worker: original } = globalThis;
  const counted = {
    made: 0,
    [Symbol.dispose]() {
      globalThis.Worker = original;
    },
  };
  globalThis.Worker = class extends original {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      counted.made++;
    }
  };
  return counted;
}

/** The nice values of the threads of this process, by their ids (proc(5), field 19 of stat). */
function priorities(): Map<string, number> {
  const threads = [...Deno.readDirSync("/proc/self/task")].map(({ name }) => name);
  return new Map(threads.flatMap((id): [string, number][] => {
    try {
      const text = Deno.readTextFileSync(`/proc/self/task/${id}/stat`);
      return [[id, Number(text.split(") ")[1].split(" ")[16])]];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  }));
}

// SPEC: search.encoders_quiet
Deno.test({
  name: "nothing is loaded before the first text, and the thread has the lowest priority",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await inFolder({}, async (folder) => {
      const before = priorities();
      using workers = countWorkers();
      const embedder = createLocalEmbedder(await folderEncoder(folder), { clock: patientClock });
      assert.equal(workers.made, 0);
      await embedder.embed(["car"], { timeoutMs: 60_000 });
      assert.equal(workers.made, 1);
      const more = [...priorities()].filter(([id]) => !before.has(id));
      assert.ok(more.some(([, nice]) => nice === 19), JSON.stringify(more));
      embedder.close();
    });
  },
});

Deno.test("a folder that the process may not read is named with what to do", async () => {
  await inFolder({}, async (folder) => {
    const module = new URL("../../../adapters/embeddings/encoders/folder.ts", import.meta.url);
    const code = `import { folderEncoder } from "${module}";` +
      `await folderEncoder(${JSON.stringify(folder)}).catch((e) => console.log(e.message));`;
    const file = await Deno.makeTempFile({ suffix: ".ts" });
    await Deno.writeTextFile(file, code);
    const root = new URL("../../../", import.meta.url).pathname;
    const flags = [
      "--no-prompt",
      "--no-check",
      `--allow-read=${root}`,
      "--config",
      `${root}deno.json`,
    ];
    const command = new Deno.Command(Deno.execPath(), { args: ["run", ...flags, file] });
    const { stdout } = await command.output();
    await Deno.remove(file);
    assert.match(
      new TextDecoder().decode(stdout),
      /^this process has no permission to read .*model.onnx: put the folder under/,
    );
  });
});
