import { pageWords } from "../../parts/page_words.ts";
import { readingMarks, setReadingMarks } from "../mail/mark_read.ts";

const text = pageWords.reading;

/** What opening a message does, for the person at this browser. */
export function ReadingChoice() {
  return (
    <section class="card">
      <header class="card-head">
        <h2>{text.title}</h2>
      </header>
      <label class="check card-lead">
        <input
          type="checkbox"
          checked={readingMarks.value}
          onChange={({ currentTarget }) => setReadingMarks(currentTarget.checked)}
        />
        <span>
          {text.marks}
          <span class="muted">{text.hint}</span>
        </span>
      </label>
    </section>
  );
}
