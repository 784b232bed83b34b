import { passagesOf } from "../../domain/indexing/passages.ts";
import type { Embedder } from "../../domain/ports/embeddings.ts";
import type { IndexedEmail } from "../../domain/ports/search_index.ts";
import { ModelScale, type Scale } from "../../domain/search/closeness.ts";
import { type FoundHit, fuse } from "../../domain/search/fuse.ts";
import { nearHits } from "../../domain/search/semantic_hits.ts";
import { IndexEngine } from "../../fulltext/index/engine.ts";
import type { SearchHit } from "../../fulltext/types.ts";
import type { Figure } from "../figure.ts";
import { mean, ndcg } from "./measures.ts";
import { compared, meanRatio } from "./quality.ts";
import { questionsAbout } from "./questions.ts";
import type { Question, Task } from "./tasks.ts";

const window = 1_000;
const timeoutMs = 600_000;

/**
 * What encoders find beside words: the questions about the corpus, by how many have their mail among ten (MRR in the
 * note), and nDCG@10 of each task. "Compared with" is the order by words alone.
 */
export async function meaning(
  corpus: string | undefined,
  tasks: Task[],
  embedder: Embedder,
  say: (text: string) => void,
): Promise<Figure[]> {
  const scale = await new ModelScale(embedder).measure(timeoutMs);
  const figures: Figure[] = [];
  if (corpus !== undefined) {
    const { emails, own, groups } = await questionsAbout(corpus);
    say(`questions about ${emails.length} mails`);
    using search = await Both.over(emails, own, embedder, scale);
    for (const { name, questions } of groups) {
      const places = await search.ask(questions, (hits, { relevant }) => {
        const place = hits.findIndex(({ emailId }) => relevant.has(emailId)) + 1;
        return { among: place > 0 && place <= 10 ? 1 : 0, reciprocal: place > 0 ? 1 / place : 0 };
      });
      const mrr = places.map((side) => mean(side.map(({ reciprocal }) => reciprocal)).toFixed(2));
      const [ours, bare] = places.map((side) => 100 * mean(side.map(({ among }) => among)));
      const note = `MRR ${mrr[0]}, words alone ${mrr[1]}; ${questions.length} questions`;
      figures.push({ name: `among ten: ${name}`, ours, bare, unit: "of 100", note });
    }
  }
  const gains: number[][][] = [];
  const ratios: Figure[] = [];
  for (const { name, emails, questions } of tasks) {
    say(`${name} with encoders`);
    using search = await Both.over(emails, new Map(), embedder, scale);
    const sides = await search.ask(
      questions,
      (hits, { relevant, asker }) =>
        ndcg(hits.map(({ emailId }) => emailId).filter((each) => each !== asker), relevant),
    );
    gains.push(sides);
    ratios.push(compared(`${name} with encoders, compared with words alone`, sides[0], sides[1]));
  }
  if (tasks.length > 1) {
    const [ours, bare] = [0, 1].map((side) => gains.map((sides) => ({ gains: sides[side] })));
    ratios.push(meanRatio("mean of these ratios", ratios, ours, bare));
  }
  return [...figures, ...ratios];
}

/** An index with words and vectors of emails. */
class Both implements Disposable {
  private constructor(
    private readonly index: IndexEngine,
    private readonly embedder: Embedder,
    private readonly scale: Scale,
  ) {}

  static async over(
    emails: IndexedEmail[],
    own: Map<string, string>,
    embedder: Embedder,
    scale: Scale,
  ): Promise<Both> {
    const index = new IndexEngine(
      null,
      () => performance.now(),
      (numbers) => crypto.getRandomValues(numbers),
    );
    for (let n = 0; n < emails.length; n += 64) index.add(emails.slice(n, n + 64));
    for (const { userId, emailId, subject, text } of emails) {
      const parts = { subject, text, own: own.get(emailId) ?? text };
      const texts = passagesOf(parts, embedder.passages!)
        .map((each) => `${subject}\n\n${each}`.trim()).filter(Boolean);
      const vectors = await embedder.embed(texts, { timeoutMs });
      const passages = texts.map((text, n) => ({ text, vector: vectors[n] }));
      index.addVectors([{ userId, emailId, model: embedder.model, passages }]);
    }
    return new Both(index, embedder, scale);
  }

  /** What `judge` says of the hits with encoders, and of those by words alone. */
  async ask<Judged>(
    questions: Question[],
    judge: (hits: (SearchHit | FoundHit)[], question: Question) => Judged,
  ): Promise<[Judged[], Judged[]]> {
    const { embedder, scale } = this;
    const { model, parts } = embedder;
    const sides: [Judged[], Judged[]] = [[], []];
    for (const question of questions) {
      const { userId, text } = question;
      const lexical = this.index.search({ userId, text, filters: {}, window }).hits;
      const [vector] = await embedder.embed([text], { userId, timeoutMs });
      const asked = { userId, model, vector, parts, filters: {}, window, shown: 0 };
      const hits = nearHits(this.index.searchVectors(asked), scale);
      sides[0].push(judge(fuse(text, lexical, { ...scale, hits }), question));
      sides[1].push(judge(lexical, question));
    }
    return sides;
  }

  [Symbol.dispose]() {
    this.index.close();
  }
}
