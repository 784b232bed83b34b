import assert from "node:assert/strict";
import { readSettings } from "../../../domain/core/settings.ts";
import { embeddingsOf } from "../../../domain/core/settings/embeddings.ts";

const gibibyte = 2 ** 30;
const chosen = (env: Record<string, string>, memory = gibibyte) =>
  embeddingsOf(readSettings("dev", env), memory);

// SPEC: settings.embeddings
Deno.test("unset: the service of OPENAI_*, else the built-in encoders with a lasting disk and 1 GiB of memory", () => {
  assert.deepEqual(chosen({}), { by: "builtin" });
  assert.deepEqual(chosen({ OPENAI_API_KEY: "key" }), { by: "service" });
  assert.deepEqual(chosen({ OPENAI_BASE_URL: "http://localhost:1/v1" }), { by: "service" });
  const words = (env: Record<string, string>, because: RegExp, memory?: number) => {
    const found = chosen(env, memory);
    assert.ok(found.by === "words" && because.test(found.because ?? ""), JSON.stringify(found));
  };
  words({ KV_PATH: "https://kv.example/databases/1" }, /no lasting disk/);
  words({ DENO_DEPLOYMENT_ID: "d1" }, /no lasting disk/);
  words({}, /this machine has 512 MiB of memory: EMBEDDINGS=builtin/, gibibyte / 2);
  assert.deepEqual(chosen({ KV_PATH: ":memory:" }), { by: "words" });
});

Deno.test("off is words alone, also beside OPENAI_*; builtin and a path hold whatever the memory is", () => {
  assert.deepEqual(chosen({ EMBEDDINGS: "off" }), { by: "words" });
  assert.deepEqual(chosen({ EMBEDDINGS: "off", OPENAI_API_KEY: "key" }), { by: "words" });
  assert.deepEqual(chosen({ EMBEDDINGS: "builtin" }, 1), { by: "builtin" });
  for (const path of ["/opt/model", "./model", "model/", "C:\\model"]) {
    assert.deepEqual(chosen({ EMBEDDINGS: path }, 1), { by: "folder", path });
  }
});

Deno.test("any other word, and encoders here together with what keeps vectors elsewhere, do not start", () => {
  const refused = (env: Record<string, string>, message: RegExp) =>
    assert.throws(() => readSettings("dev", env), message);
  refused({ EMBEDDINGS: "on" }, /EMBEDDINGS is not valid: must be off, builtin, or the path/);
  const upstash = {
    UPSTASH_VECTOR_REST_URL: "http://localhost:1",
    UPSTASH_VECTOR_REST_TOKEN: "token",
  };
  for (const EMBEDDINGS of ["builtin", "./model"]) {
    const with_ = (env: Record<string, string>, message: string) =>
      refused({ EMBEDDINGS, ...env }, new RegExp(`EMBEDDINGS=${EMBEDDINGS} ${message}`));
    with_({ OPENAI_API_KEY: "key" }, "and OPENAI_API_KEY or OPENAI_BASE_URL exclude each other");
    with_({ OPENAI_BASE_URL: "http://localhost:1/v1" }, "and OPENAI_API_KEY or");
    with_(upstash, "and UPSTASH_VECTOR_REST_URL exclude each other");
    with_({ KV_PATH: "http://127.0.0.1:4512" }, "needs a KV_PATH that is a file");
    with_({ DENO_DEPLOYMENT_ID: "d1" }, "does not run on Deno Deploy");
  }
  for (const env of [upstash, { ...upstash, EMBEDDINGS: "off" }]) {
    refused(env, /UPSTASH_VECTOR_REST_URL needs embeddings: set OPENAI_API_KEY or OPENAI_BASE_URL/);
  }
});
