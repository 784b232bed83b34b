import { AddButton } from "../parts/add_button.tsx";
import { useState } from "preact/hooks";
import { Confirm } from "../parts/form.tsx";
import { useKept } from "../parts/kept.ts";
import { useLoad } from "../parts/load.ts";
import { ShownOnce } from "../parts/shown_once.tsx";
import { Code, Empty, PageHead, Problem, Skeleton, Table, Time } from "../parts/small.tsx";
import { dayOf, number } from "../format.ts";
import { keys } from "../resources.ts";
import { account, may, say, shortName } from "../state.ts";
import { mcpConfig } from "../onboarding.ts";
import type { ApiKey, CreatedKey } from "../types.ts";
import { pageWords } from "../parts/page_words.ts";
import { words } from "../words.ts";
import { NewKey } from "./keys/new_key.tsx";

const text = pageWords.keyPage;

/** Keys of agents: each has only the scopes that it needs, and is shown once. */
export default function KeysPage() {
  const { data, error, reload } = useLoad(keys.list, []);
  const [making, setMaking] = useKept("new key", false);
  const [made, setMade] = useState<CreatedKey | null>(null);
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
  const revoke = async (key: ApiKey) => {
    await keys.revoke(key.keyId);
    say(text.revoked);
    reload();
  };
  return (
    <div class="page">
      <PageHead title={words.pages.keys} lead={text.lead}>
        <AddButton operation="create_api_key" label={text.create} onClick={() => setMaking(true)} />
      </PageHead>
      {error && <Problem error={error} again={reload} />}
      {!data && !error && <Skeleton />}
      {data?.length === 0 && (
        <Empty icon="key" title={text.none}>
          <p>{text.noneLead}</p>
          <Code title={text.client} text={mcpConfig(account.value!)} />
        </Empty>
      )}
      {data && data.length > 0 && <KeyRows rows={data} leave={setLeaving} />}
      {making && (
        <NewKey
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setMade(key);
            reload();
          }}
        />
      )}
      {made && (
        <ShownOnce
          title={text.madeTitle(made.name)}
          lead={text.madeLead}
          secret={made.apiKey}
          onClose={() => setMade(null)}
        >
          <Code title={text.ready} text={mcpConfig(account.value!, made.apiKey)} />
        </ShownOnce>
      )}
      {leaving && (
        <Confirm
          title={text.revokeTitle}
          text={text.revokeText(leaving.name)}
          label={text.revoke}
          onConfirm={() => revoke(leaving)}
          onClose={() => setLeaving(null)}
        />
      )}
    </div>
  );
}

function KeyRows({ rows, leave }: { rows: ApiKey[]; leave: (key: ApiKey) => void }) {
  const { columns } = text;
  return (
    <Table heads={[...Object.values(columns), [words.actions, "sr"]]}>
      {rows.map((key) => (
        <tr key={key.keyId}>
          <td data-label={columns.name} class="names">
            <strong>{key.name}</strong>
          </td>
          <td data-label={columns.key}>
            <code>{key.keyPrefix.replace(/\*+$/, "…")}</code>
          </td>
          <td data-label={columns.may} class="names">{mayOf(key)}</td>
          <td data-label={columns.lastUsed}>
            <Time at={key.lastUsed} />
          </td>
          <td data-label={columns.expires}>
            {key.expirationTs ? dayOf(key.expirationTs) : words.never}
          </td>
          <td class="end">
            {may("revoke_api_key") && (
              <button
                type="button"
                class="button small danger"
                aria-label={text.revokeOne(key.name)}
                onClick={() => leave(key)}
              >
                {text.revoke}
              </button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const nameOf = (mailboxId: string) => shortName(mailboxId) || text.deletedMailbox;

function mayOf({ scopes, mailboxIds, requestsPerMinute }: ApiKey): string {
  const may = scopes?.join(", ") ?? text.everything;
  const where = mailboxIds ? `${may} (${mailboxIds.map(nameOf).join(", ")})` : may;
  return requestsPerMinute ? `${where}, ${text.atMost(number(requestsPerMinute))}` : where;
}
