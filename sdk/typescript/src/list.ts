/** One page of a list. */
export interface Page<Row> {
  data: Row[];
  meta?: { next_cursor?: string | null; has_more?: boolean };
}

/** A list of any length. A page is requested when the loop reaches it; each new loop starts at the first page. */
export class List<Row> implements AsyncIterable<Row> {
  /** Where the next page begins, once the pages before it have been read; null after the last. */
  cursor: string | null = null;

  constructor(
    private readonly page: (cursor: string | null) => Promise<Page<Row>>,
    private readonly signal?: AbortSignal,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for (let next: string | null = null, more = true; more;) {
      const { data, meta }: Page<Row> = await this.page(next);
      yield* untilAborted(data, this.signal);
      this.cursor = next = meta?.next_cursor ?? null;
      // The list of changes has a cursor at its end too.
      more = next !== null && meta?.has_more !== false;
    }
  }
}

/** The rows that came, until the call is cancelled: then it throws the signal's reason. */
export function* untilAborted<Row>(rows: Iterable<Row>, signal?: AbortSignal): Generator<Row> {
  for (const row of rows) {
    signal?.throwIfAborted();
    yield row;
  }
}
