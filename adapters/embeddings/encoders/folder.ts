import { join } from "node:path";
import type { EncoderSource } from "./encoder.ts";
import { mostModelBytes, sumOf } from "./checked_files.ts";
import { type EncoderSet, modelName } from "./encoder_set.ts";
import { readInterface } from "./graph_interface.ts";
import { type Pooling, poolings } from "./pooling.ts";

const modelNames = ["model.onnx", "onnx/model_quantized.onnx"];
const knownInputs = ["input_ids", "attention_mask", "token_type_ids"];
const neededInputs = knownInputs.slice(0, 2);
/** Kinds of `model.type` of a tokenizer that the library has. */
const tokenizerKinds = ["WordPiece", "BPE", "Unigram"];

/**
 * The encoder in a folder, in the form of sentence-transformers: `model.onnx` or `onnx/model_quantized.onnx`,
 * `tokenizer.json`, and where they exist `1_Pooling/config.json` and `config_sentence_transformers.json`. Reads its files
 * once and loads nothing.
 *
 * @throws Error whose message is a sentence about the file that is missing or cannot be used, and what to do.
 */
export async function folderEncoder(folder: string): Promise<EncoderSet> {
  const path = (name: string) => join(folder, name);
  const there = await Promise.all(modelNames.map((name) => exists(path(name))));
  const name = modelNames.find((_, n) => there[n]);
  if (!name) {
    throw new Error(`${folder} has neither ${modelNames.join(" nor ")}: export the model as ONNX`);
  }
  checkInputs(path(name));
  if (!await exists(path("tokenizer.json"))) {
    throw new Error(`${path("tokenizer.json")} is missing: save the tokenizer of the model there`);
  }
  const tokenizer = await readJson(path("tokenizer.json"));
  const kind = (tokenizer?.model as { type?: unknown } | undefined)?.type;
  if (!tokenizerKinds.includes(String(kind))) {
    throw new Error(
      `${path("tokenizer.json")} has a tokenizer of the kind ${kind}: ` +
        `only ${tokenizerKinds.join(", ")} can be read`,
    );
  }
  const source: EncoderSource = {
    model: path(name),
    tokenizer: path("tokenizer.json"),
    hasRows: false,
    pooling: poolingOf(
      await readJson(path("1_Pooling/config.json")),
      path("1_Pooling/config.json"),
    ),
    prompts: promptsOf(await readJson(path("config_sentence_transformers.json"))),
    sums: {},
  };
  const { size } = await Deno.stat(source.model);
  // One that cannot be loaded makes no vectors.
  const sum = size > mostModelBytes ? String(size) : await sumOf(source.model);
  const sums = [sum, await sumOf(source.tokenizer)];
  return { model: modelName("folder", [source], sums), sources: [source] };
}

function checkInputs(path: string): void {
  const { inputs, outputs } = because(path, () => readInterface(path));
  const unknown = inputs.filter((input) => !knownInputs.includes(input));
  const missing = neededInputs.filter((input) => !inputs.includes(input));
  if (unknown.length > 0 || missing.length > 0 || outputs.length === 0) {
    throw new Error(
      `${path} takes ${inputs.join(", ") || "nothing"} and gives ${
        outputs.join(", ") || "nothing"
      }: ` +
        `an encoder takes input_ids, attention_mask and at most token_type_ids; export it for feature extraction`,
    );
  }
}

/** The modes that a `Pooling` of sentence-transformers has on, in its order; the mean without a file. */
function poolingOf(config: Json | null, path: string): Pooling[] {
  if (!config) return ["mean"];
  const named = [config.pooling_mode ?? []].flat().map(String);
  const on = Object.keys(config).filter((key) => config[key] === true)
    .flatMap((key) => /^pooling_mode_(\w+)$/.exec(key)?.[1] ?? [])
    .map((mode) => mode.replace(/_tokens?$/, "").replace(/^mean_sqrt_len$/, "mean_sqrt_len"));
  const wanted = named.length > 0 ? named : on;
  const found = poolings.filter((mode) => wanted.includes(mode));
  if (found.length === 0 || found.length < wanted.length) {
    throw new Error(
      `${path} asks for the pooling ${wanted.join(", ") || "of nothing"}: ` +
        `only ${poolings.join(", ")} are known`,
    );
  }
  return found;
}

function promptsOf(config: Json | null): EncoderSource["prompts"] {
  const prompts = (config?.prompts ?? {}) as Json;
  const usual = prompts[String(config?.default_prompt_name)];
  const first = (...names: string[]) =>
    String([...names.map((name) => prompts[name]), usual].find((each) => each !== undefined) ?? "");
  return { question: first("query"), passage: first("document", "passage", "corpus") };
}

type Json = Record<string, unknown>;

/** null if there is no such file. */
async function readJson(path: string): Promise<Json | null> {
  if (!await exists(path)) return null;
  const text = await Deno.readTextFile(path).catch((error) => refuse(path, error));
  const value = because(path, () => JSON.parse(text));
  if (typeof value === "object" && value !== null) return value;
  throw new Error(`${path} holds no JSON object`);
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || isNoFolder(error)) return false;
    return refuse(path, error);
  }
}

/** A part of the path is a file. */
function isNoFolder(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOTDIR";
}

function because<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    return refuse(path, error);
  }
}

function refuse(path: string, error: unknown): never {
  if (error instanceof Deno.errors.NotCapable) {
    throw new Error(
      `this process has no permission to read ${path}: ` +
        `put the folder under the service's own or /etc/letterbox, or start with --allow-read`,
    );
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    throw new Error(`${path} cannot be read by this user: change its owner or its mode`);
  }
  throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
}
