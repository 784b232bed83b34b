import { getText } from "../../client.ts";
import { useLoad } from "../../parts/load.ts";
import { Problem, Skeleton } from "../../parts/small.tsx";
import { words } from "../../words.ts";

/** A page shows at most this many characters of a message; the file has all of it. */
const shownLength = 200_000;

/** The original message. */
export function Source({ emailId }: { emailId: string }) {
  const { data, error, reload } = useLoad(() => getText(`/api/emails/${emailId}/raw`), [emailId]);
  if (error) return <Problem error={error} again={reload} />;
  if (data === null) return <Skeleton rows={3} />;
  return (
    <>
      <pre class="source" tabIndex={0} aria-label={words.thread.views.source}>
        {data.slice(0, shownLength)}
      </pre>
      {data.length > shownLength && <p class="muted small-text">{words.thread.sourceCut}</p>}
    </>
  );
}
