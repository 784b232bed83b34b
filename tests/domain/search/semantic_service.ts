import { createOpenAiEmbedder } from "../../../adapters/embeddings/openai.ts";
import { indexOfTest } from "../../idle_index.ts";
import { createUpstashIndex } from "../../../adapters/vector_index/upstash.ts";
import { Semantic } from "../../../domain/search/semantic.ts";
import {
  type TestAccount,
  type TestOptions,
  type TestService,
  testService,
} from "../../service.ts";
import {
  type FakeEmbeddings,
  startFakeEmbeddings,
} from "../../adapters/embeddings/fake_embeddings.ts";
import { type FakeUpstash, startFakeUpstash } from "../../adapters/vector_index/fake_upstash.ts";

export interface SemanticService extends AsyncDisposable {
  test: TestService;
  embeddings: FakeEmbeddings;
  upstash: FakeUpstash;
}

/** A whole service that searches by meaning, with the vectors in Upstash or in the index of words. */
export async function semanticService(
  vectors: "upstash" | "embedded",
  { model = "fake-1", ...options }: TestOptions & { model?: string } = {},
): Promise<SemanticService> {
  const embeddings = startFakeEmbeddings();
  const upstash = startFakeUpstash();
  const searchIndex = await indexOfTest();
  const test = await testService({
    ...options,
    parts: { searchIndex, ...options.parts },
    ownParts: (own) => ({
      semantic: new Semantic(
        createOpenAiEmbedder({ baseUrl: embeddings.url, model }),
        vectors === "upstash"
          ? createUpstashIndex({ url: upstash.url, token: upstash.token })
          : searchIndex.vectors,
      ),
      ...options.ownParts?.(own),
    }),
  });
  return {
    test,
    embeddings,
    upstash,
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await embeddings.close();
      await upstash.close();
    },
  };
}

export interface SearchAnswer {
  results: {
    email_id: string;
    subject: string;
    snippet: string;
    score: number;
    found_by: string[];
  }[];
  total: number;
  pending: number;
  degraded?: boolean;
}

export async function searchFor(
  test: TestService,
  owner: TestAccount,
  query: string,
  more: Record<string, unknown> = {},
): Promise<SearchAnswer> {
  const answer = await test.request("/v1/api/search", {
    json: { query, ...more },
    token: owner.key,
  });
  const body = await answer.json();
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(body)}`);
  return body;
}
