/** Below this memory of the machine or container unset means `off`: the encoders take 0.3 GB while they work. */
const leastMemory = 2 ** 30;

/** Whether a text is a value of EMBEDDINGS. A path has a separator, so that no other word is taken for one. */
export function isEmbeddings(text: string): boolean {
  return text === "off" || text === "builtin" || /[/\\]/.test(text);
}

/** Whether KV_PATH names a database elsewhere; unset, on Deno Deploy, it is attached. */
export function isRemote(kvPath: unknown): boolean {
  return kvPath === undefined || /^https?:/.test(String(kvPath));
}

/** What makes vectors: nothing, the service of `OPENAI_*`, the encoders in `models/`, or one in a folder. */
export type Embeddings =
  | { by: "words"; because?: string }
  | { by: "service" }
  | { by: "builtin" }
  | { by: "folder"; path: string };

/** Encoders on this machine. */
export type OwnEncoders = Extract<Embeddings, { by: "builtin" | "folder" }>;

interface Given {
  EMBEDDINGS?: string;
  OPENAI_API_KEY?: string;
  OPENAI_BASE_URL?: string;
  KV_PATH?: string;
}

/**
 * What EMBEDDINGS says, or what holds without it. `because` is why words alone are searched, if nobody asked for that.
 *
 * @param memory bytes that the process may use.
 */
export function embeddingsOf(settings: Given, memory: number): Embeddings {
  const { EMBEDDINGS: asked, KV_PATH } = settings;
  if (asked === "off") return { by: "words" };
  if (asked === "builtin") return { by: "builtin" };
  if (asked !== undefined) return { by: "folder", path: asked };
  if (settings.OPENAI_API_KEY || settings.OPENAI_BASE_URL) return { by: "service" };
  if (isRemote(KV_PATH)) return { by: "words", because: "there is no lasting disk" };
  if (KV_PATH === ":memory:") return { by: "words" };
  if (memory < leastMemory) {
    const has = `${Math.floor(memory / 2 ** 20)} MiB of memory`;
    return {
      by: "words",
      because: `this machine has ${has}: EMBEDDINGS=builtin searches by meaning nevertheless`,
    };
  }
  return { by: "builtin" };
}
