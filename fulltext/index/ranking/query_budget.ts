/** Postings of the words of a query: about 0.3 s. Ten words that all of a million emails hold are half of it. */
const maxPostings = 20_000_000;
/** UTF-16 units of texts that are read for quoted phrases: about 0.2 s, and 60 texts of 66,000 units. */
const maxCharacters = 4_000_000;

/** What one query may read. So a query costs the same, whatever the mail of its account is. */
export class QueryBudget {
  constructor(
    private postings = maxPostings,
    private characters = maxCharacters,
  ) {}

  hasPostings(count = 1): boolean {
    return this.postings >= count;
  }

  get hasCharacters(): boolean {
    return this.characters > 0;
  }

  readPostings(count: number): void {
    this.postings -= count;
  }

  readCharacters(count: number): void {
    this.characters -= count;
  }
}
