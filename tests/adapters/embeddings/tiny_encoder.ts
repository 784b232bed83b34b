// Makes an encoder in the form of sentence-transformers that is small enough for a test: a vector for each word.
import { join } from "node:path";

export interface TinyEncoder {
  /** The vector of each word; all of one length. Other words are unknown, and have zeros. */
  words: Record<string, readonly number[]>;
  /** True: the graph takes `token_type_ids`, whose type 0 adds nothing and whose type 1 adds 100. */
  types?: boolean;
  /** Another name for `input_ids`. */
  ids?: string;
  /** Written beside it, by path: an object as JSON. */
  files?: Record<string, unknown>;
  /** Where the graph is. */
  name?: string;
}

const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];

/** Writes the encoder into a folder. */
export async function writeTinyEncoder(folder: string, tiny: TinyEncoder): Promise<void> {
  const { words, files = {}, name = "model.onnx" } = tiny;
  const width = Object.values(words)[0].length;
  const vocabulary = [...special, ...Object.keys(words)];
  const rows = vocabulary.map((word) => words[word] ?? new Array(width).fill(0));
  const all: Record<string, unknown> = { "tokenizer.json": tokenizerOf(vocabulary), ...files };
  await Deno.mkdir(join(folder, "onnx"), { recursive: true });
  await Deno.mkdir(join(folder, "1_Pooling"), { recursive: true });
  await Deno.writeFile(join(folder, name), graphOf(rows, tiny));
  for (const [path, value] of Object.entries(all)) {
    await Deno.writeTextFile(join(folder, path), JSON.stringify(value));
  }
}

function tokenizerOf(vocabulary: string[]) {
  const token = (content: string) => ({ id: content, type_id: 0 });
  const one = (content: string) => {
    const id = vocabulary.indexOf(content);
    return { id: content, ids: [id], tokens: [content] };
  };
  return {
    version: "1.0",
    added_tokens: special.map((content, id) => ({ id, content, special: true, normalized: false })),
    normalizer: { type: "BertNormalizer", lowercase: true },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [
        { SpecialToken: token("[CLS]") },
        { Sequence: token("A") },
        { SpecialToken: token("[SEP]") },
      ],
      pair: [],
      special_tokens: { "[CLS]": one("[CLS]"), "[SEP]": one("[SEP]") },
    },
    decoder: null,
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
    },
  };
}

/** `last_hidden_state` [B,S,width] = the rows of the ids. */
function graphOf(rows: readonly (readonly number[])[], { types, ids = "input_ids" }: TinyEncoder) {
  const width = rows[0].length;
  const zerosAndHundreds = [0, 100].map((value) => new Array(width).fill(value));
  const nodes = types
    ? [
      node("Gather", ["table", ids], "words"),
      node("Gather", ["types", "token_type_ids"], "kinds"),
      node("Add", ["words", "kinds"], "last_hidden_state"),
    ]
    : [node("Gather", ["table", ids], "last_hidden_state")];
  const inputs = [ids, "attention_mask", ...types ? ["token_type_ids"] : []];
  const graph = message(
    ...nodes.map((each) => field(1, each)),
    field(2, text("tiny")),
    field(5, tensor("table", rows)),
    field(5, tensor("types", zerosAndHundreds)),
    ...inputs.map((name) => field(11, value(name, int64, ["b", "s"]))),
    field(12, value("last_hidden_state", float, ["b", "s", width])),
  );
  return message(
    number(1, 8),
    field(7, graph),
    field(8, message(field(1, text("")), number(2, 13))),
  );
}

// onnx.proto3, TensorProto.DataType.
const float = 1, int64 = 7;

function node(kind: string, inputs: string[], output: string): Uint8Array {
  return message(
    ...inputs.map((each) => field(1, text(each))),
    field(2, text(output)),
    field(4, text(kind)),
  );
}

function tensor(name: string, rows: readonly (readonly number[])[]): Uint8Array {
  const numbers = Float32Array.from(rows.flat());
  return message(
    number(1, rows.length),
    number(1, rows[0].length),
    number(2, float),
    field(8, text(name)),
    field(9, new Uint8Array(numbers.buffer)),
  );
}

function value(name: string, kind: number, shape: (string | number)[]): Uint8Array {
  const dimensions = shape.map((each) =>
    field(1, typeof each === "number" ? number(1, each) : field(2, text(each)))
  );
  const type = field(1, message(number(1, kind), field(2, message(...dimensions))));
  return message(field(1, text(name)), field(2, type));
}

const text = (value: string) => new TextEncoder().encode(value);
const field = (id: number, bytes: Uint8Array) =>
  message(varint(id * 8 + 2), varint(bytes.length), bytes);
const number = (id: number, value: number) => message(varint(id * 8), varint(value));

function message(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push(value % 128 + 128);
  return Uint8Array.from([...bytes, value]);
}
