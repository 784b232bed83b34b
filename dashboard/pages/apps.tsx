import { useState } from "preact/hooks";
import { mcpUrl } from "../onboarding.ts";
import { Confirm } from "../parts/form.tsx";
import { useLoad } from "../parts/load.ts";
import { Code, Empty, PageHead, Problem, Skeleton, Table, Time } from "../parts/small.tsx";
import { apps } from "../resources.ts";
import { account, connects, may, say, shortName } from "../state.ts";
import type { ConnectedApp } from "../types.ts";
import { pageWords } from "../parts/page_words.ts";
import { words } from "../words.ts";

const text = pageWords.apps;

/** Apps that a person has allowed to use the account, each with what it may do. */
export default function AppsPage() {
  const { data, error, reload } = useLoad(() => connects ? apps.list() : Promise.resolve([]), []);
  const [leaving, setLeaving] = useState<ConnectedApp | null>(null);
  const disconnect = async ({ grant_id }: ConnectedApp) => {
    await apps.revoke(grant_id);
    say(text.ended);
    reload();
  };
  return (
    <div class="page">
      <PageHead title={words.pages.apps} lead={text.lead} />
      {error && <Problem error={error} again={reload} />}
      {!data && !error && <Skeleton />}
      {data?.length === 0 && (
        <Empty icon="link" title={text.none}>
          <p>{connects ? text.noneLead : text.off}</p>
          {connects && <Code title={text.url} text={mcpUrl(account.value!)} />}
        </Empty>
      )}
      {data && data.length > 0 && <AppRows rows={data} leave={setLeaving} />}
      {leaving && (
        <Confirm
          title={text.endTitle}
          text={text.endText(leaving.client_name)}
          label={text.end}
          onConfirm={() => disconnect(leaving)}
          onClose={() => setLeaving(null)}
        />
      )}
    </div>
  );
}

function AppRows({ rows, leave }: { rows: ConnectedApp[]; leave: (app: ConnectedApp) => void }) {
  const { columns } = text;
  return (
    <Table class="apps" heads={[...Object.values(columns), [words.actions, "sr"]]}>
      {rows.map((app) => (
        <tr key={app.grant_id}>
          <td data-label={columns.name} class="names">
            <span>
              <strong>
                <bdi>{app.client_name}</bdi>
              </strong>
              <span class="muted app-host">{app.client_host}</span>
              {!isOwn(app) && (
                <span class="muted app-host" dir="auto">{text.by(app.allowed_by.name)}</span>
              )}
            </span>
          </td>
          <td data-label={columns.may} class="names">
            <ul>
              {app.scopes.map((scope) => <li key={scope}>{text.may[scope] ?? scope}</li>)}
            </ul>
          </td>
          <td data-label={columns.mailboxes} class="names">{mailboxesOf(app)}</td>
          <td data-label={columns.created}>
            <Time at={app.created_at} />
          </td>
          <td data-label={columns.lastUsed}>
            <Time at={app.last_used} />
          </td>
          <td class="end">
            {(isOwn(app) || may("revoke_app_of_another")) && (
              <button
                type="button"
                class="button small danger"
                aria-label={text.endOne(app.client_name)}
                onClick={() => leave(app)}
              >
                {text.end}
              </button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const isOwn = ({ allowed_by }: ConnectedApp) => allowed_by.member_id === account.value?.memberId;

const mostNamed = 3;

function mailboxesOf({ mailbox_ids: ids }: ConnectedApp): string {
  if (ids === null) return text.all;
  const named = ids.slice(0, mostNamed).map((id) =>
    shortName(id) || pageWords.keyPage.deletedMailbox
  );
  const more = ids.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` ${text.more(more)}` : ""}`;
}
