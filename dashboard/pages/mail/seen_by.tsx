import { exactTime } from "../../format.ts";
import { useLoad } from "../../parts/load.ts";
import { Problem, Skeleton, Table } from "../../parts/small.tsx";
import { apps, audit, keys } from "../../resources.ts";
import { connects } from "../../state.ts";
import type { AuditRow } from "../../types.ts";
import { pageWords } from "../../parts/page_words.ts";

const text = pageWords.audit;

/** Who has read, changed or answered an email, and when. */
export function SeenBy({ emailId }: { emailId: string }) {
  const { data, error, reload } = useLoad(async () => {
    const [rows, known, connected] = await Promise.all([
      audit.list({ email_id: emailId, limit: 100 }),
      keys.list(),
      connects ? apps.list() : [],
    ]);
    const names = new Map([
      ...known.map(({ keyId, name }) => [keyId, name] as const),
      ...connected.map((app) => [app.grant_id, app.client_name] as const),
    ]);
    return { rows: rows.data, names };
  }, [emailId]);
  if (error) return <Problem error={error} again={reload} />;
  if (!data) return <Skeleton rows={3} />;
  if (data.rows.length === 0) return <p class="muted">{text.none}</p>;
  return (
    <Table heads={[text.when, text.who, text.what]}>
      {data.rows.map((row) => (
        <tr key={row.audit_id}>
          <td data-label={text.when}>
            <time dateTime={row.at}>{exactTime(row.at)}</time>
          </td>
          <td data-label={text.who}>{whoOf(row, data.names)}</td>
          <td data-label={text.what}>
            <span>
              <code>{row.action}</code> <span class="muted">{row.surface}</span>
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function whoOf({ actor }: AuditRow, names: ReadonlyMap<string, string>): string {
  if ("key_id" in actor) return names.get(actor.key_id) ?? text.formerKey;
  if ("grant_id" in actor) return names.get(actor.grant_id) ?? text.formerApp;
  return text.dashboard;
}
