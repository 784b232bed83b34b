/** Words that mean the same to the fake model; any other word is its own meaning. */
const meanings = [
  ["car", "automobile", "vehicle", "sedan"],
  ["broken", "defect", "faulty", "damaged"],
  ["package", "order", "parcel"],
  ["sent", "shipped"],
  ["password", "passphrase"],
  ["meeting", "meet"],
  ["three", "3"],
  ["bill", "invoice"],
  ["pay", "due"],
];

/** Words of related meaning. */
const topics = [
  ["order", "parcel", "package", "shipped", "sent", "item", "bought", "return"],
  ["password", "link", "account", "device", "signed"],
  ["meeting", "meet", "call", "notes"],
  ["invoice", "bill", "pay", "prices", "month", "january"],
];

export type EmbeddingFault =
  | null
  | "down"
  | "slow"
  | "429"
  | "400"
  | "short"
  | "nan"
  | "html"
  | "empty"
  | "huge";

export interface FakeEmbeddings {
  /** For `OPENAI_BASE_URL`. */
  url: string;
  fault: EmbeddingFault;
  /** Numbers a vector. */
  dimensions: number;
  /** Longer texts are refused. */
  maxChars: number;
  /** Texts of each request, in order. */
  requests: { model: string; input: string[]; dimensions?: number; encoding: string }[];
  close(): Promise<void>;
}

/** An embedding service with OpenAI's interface on loopback, whose model knows a few synonyms. */
export function startFakeEmbeddings(): FakeEmbeddings {
  const abort = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {}, signal: abort.signal },
    async (request) => {
      const body = await request.json();
      const input: string[] = [body.input].flat();
      const { model, dimensions, encoding_format: encoding } = body;
      fake.requests.push({ model, input, dimensions, encoding });
      if (new URL(request.url).pathname !== "/v1/embeddings") {
        return new Response("not found", { status: 404 });
      }
      switch (fake.fault) {
        case "down":
          return Response.json({ error: { message: "down" } }, { status: 500 });
        case "429":
          return Response.json({ error: { message: "slow down" } }, {
            status: 429,
            headers: { "retry-after": "3" },
          });
        case "slow":
          // Until the test changes it, or nobody waits any more.
          while (fake.fault === "slow" && !request.signal.aborted && !abort.signal.aborted) {
            await new Promise((done) => setTimeout(done, 20));
          }
          return new Response(null, { status: 503 });
        case "html":
          return new Response("<h1>It works!</h1>", { headers: { "content-type": "text/html" } });
        case "huge":
          return new Response("[".repeat(20_000_000), {
            headers: { "content-type": "application/json" },
          });
      }
      const isRefused = (text: string) =>
        text.includes("unembeddable") || text.length > fake.maxChars || !text.isWellFormed();
      if (fake.fault === "400" || input.some(isRefused)) {
        return Response.json({ error: { message: "bad input" } }, { status: 400 });
      }
      const data = input.map((text, index) => {
        const embedding: (number | null)[] = meaningOf(text, fake.dimensions);
        if (fake.fault === "short") embedding.pop();
        if (fake.fault === "nan") embedding[1] = null;
        return { object: "embedding", index, embedding };
      });
      if (fake.fault === "empty") data.pop();
      return Response.json({ object: "list", data, model });
    },
  );
  const fake: FakeEmbeddings = {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    fault: null,
    dimensions: 96,
    maxChars: Infinity,
    requests: [],
    async close() {
      abort.abort();
      await server.finished;
    },
  };
  return fake;
}

/** A vector with one direction for each meaning: texts are near if they share meanings. */
function meaningOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  vector[0] = 0.5;
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    if (word.length < 3 && !/\d/.test(word) || small.has(word)) continue;
    const meaning = meanings.findIndex((words) => words.includes(word));
    let hash = meaning < 0 ? 7 : 1000 * (meaning + 1);
    if (meaning < 0) { for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0; }
    vector[1 + hash % (dimensions - 5)] += 1;
    const topic = topics.findIndex((words) => words.includes(word));
    if (topic >= 0) vector[dimensions - 1 - topic] += 0.7;
  }
  return vector;
}

const small = new Set(
  "the and with for was has been you your our its this that are will from".split(" "),
);
