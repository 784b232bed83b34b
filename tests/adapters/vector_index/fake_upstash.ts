export type UpstashFault = null | "down" | "slow" | "html" | "foreign";

interface Sparse {
  indices: number[];
  values: number[];
}

/** Both halves in one query would be fused, so the service queries one at a time. */
type Query =
  & { topK: number; filter?: string }
  & ({ vector: number[]; sparseVector?: undefined } | { sparseVector: Sparse; vector?: undefined });

interface Row {
  id: string;
  vector: number[];
  sparseVector?: Sparse;
  metadata: Record<string, string | number>;
}

export interface FakeUpstash {
  /** For `UPSTASH_VECTOR_REST_URL`. */
  url: string;
  token: string;
  /** "foreign" ignores namespace and filter: everybody's vectors come back. */
  fault: UpstashFault;
  /** A hybrid index: each row must have both halves. */
  hybrid: boolean;
  namespaces: Map<string, Map<string, Row>>;
  filters: string[];
  sparseQueries: Sparse[];
  close(): Promise<void>;
}

/** The part of Upstash Vector's REST interface that the service uses, on loopback. */
export function startFakeUpstash(): FakeUpstash {
  const token = "upstash-token";
  const abort = new AbortController();
  const namespaceOf = (name: string) => {
    if (!fake.namespaces.has(name)) fake.namespaces.set(name, new Map());
    return fake.namespaces.get(name)!;
  };
  const run = (operation: string, name: string, body: unknown): unknown => {
    const rows = namespaceOf(name);
    switch (operation) {
      case "upsert":
        for (const row of body as Row[]) {
          if (fake.hybrid !== (row.sparseVector !== undefined)) throw new Error("wrong halves");
          rows.set(row.id, row);
        }
        return "Success";
      case "query": {
        const { vector, sparseVector, topK, filter } = body as Query;
        if (filter !== undefined) fake.filters.push(filter);
        if (sparseVector) fake.sparseQueries.push(sparseVector);
        if (sparseVector && !fake.hybrid) throw new Error("no sparse half");
        const all = fake.fault === "foreign"
          ? [...fake.namespaces.values()].flatMap((each) => [...each.values()])
          : [...rows.values()].filter((row) => matches(row, filter));
        return all.map((row) => ({
          id: row.id,
          score: sparseVector
            ? productOf(sparseVector, row.sparseVector!)
            : (1 + cosineOf(vector!, row.vector)) / 2,
          metadata: row.metadata,
        })).filter(({ score }) => !sparseVector || score > 0).sort((a, b) => b.score - a.score)
          .slice(0, topK);
      }
      case "delete": {
        const { prefix, filter } = body as { prefix?: string; filter?: string };
        let deleted = 0;
        for (const row of [...rows.values()]) {
          const gone = prefix !== undefined ? row.id.startsWith(prefix) : matches(row, filter!);
          if (gone && rows.delete(row.id)) deleted++;
        }
        return { deleted };
      }
      case "reset":
        rows.clear();
        return "Success";
      case "list-namespaces":
        return [...fake.namespaces.keys()];
      case "info":
        return {
          vectorCount: 0,
          dimension: 96,
          similarityFunction: "COSINE",
          denseIndex: { dimension: 96, similarityFunction: "COSINE" },
          ...(fake.hybrid ? { sparseIndex: {} } : {}),
        };
    }
    throw new Error(`the fake does not know ${operation}`);
  };
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {}, signal: abort.signal },
    async (request) => {
      if (request.headers.get("authorization") !== `Bearer ${token}`) {
        return Response.json({ error: "Unauthorized", status: 401 }, { status: 401 });
      }
      if (fake.fault === "down") return Response.json({ error: "down" }, { status: 500 });
      if (fake.fault === "html") return new Response("<h1>Gateway</h1>");
      if (fake.fault === "slow") {
        return await new Promise<Response>((done) => {
          request.signal.addEventListener("abort", () => done(new Response(null)));
          abort.signal.addEventListener("abort", () => done(new Response(null)));
        });
      }
      const [, operation, name = ""] = new URL(request.url).pathname.split("/");
      const text = await request.text();
      return Response.json({ result: run(operation, name, text ? JSON.parse(text) : null) });
    },
  );
  const fake: FakeUpstash = {
    url: `http://127.0.0.1:${server.addr.port}`,
    token,
    fault: null,
    hybrid: false,
    namespaces: new Map(),
    filters: [],
    sparseQueries: [],
    async close() {
      abort.abort();
      await server.finished;
    },
  };
  return fake;
}

/** The filters that the service writes: conditions joined by AND. */
function matches({ metadata }: Row, filter: string | undefined): boolean {
  if (filter === undefined) return true;
  return filter.split(" AND ").every((condition) => {
    const [, field, operator, value] = /^(\w+) (=|>=|<=|GLOB|IN) (.*)$/.exec(condition) ?? [];
    if (!field) throw new Error(`not a condition: ${condition}`);
    const held = metadata[field];
    if (operator === ">=") return Number(held) >= Number(value);
    if (operator === "<=") return Number(held) <= Number(value);
    if (operator === "IN") return value.slice(1, -1).split(", ").includes(`'${held}'`);
    const text = /^'([^']*)'$/.exec(value)?.[1];
    if (text === undefined) throw new Error(`not a string: ${value}`);
    if (operator === "=") return held === text;
    const pattern = text.replace(/[.+^${}()|\\]/g, "\\$&").replaceAll("*", "[^]*").replaceAll(
      "?",
      ".",
    );
    return new RegExp(`^${pattern}$`).test(String(held));
  });
}

function productOf(a: Sparse, b: Sparse): number {
  const values = new Map(b.indices.map((index, n) => [index, b.values[n]]));
  return a.indices.reduce((sum, index, n) => sum + a.values[n] * (values.get(index) ?? 0), 0);
}

function cosineOf(a: number[], b: number[]): number {
  let dot = 0;
  for (let n = 0; n < a.length; n++) dot += a[n] * b[n];
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}
