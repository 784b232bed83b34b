import { useState } from "preact/hooks";
import { ApiError } from "../../client.ts";
import { Confirm } from "../../parts/form.tsx";
import { Copy, IconButton, Table, Tag } from "../../parts/small.tsx";
import { domains } from "../../resources.ts";
import { may, say } from "../../state.ts";
import type { Domain } from "../../types.ts";
import { pageWords } from "../../parts/page_words.ts";
import { MigrateDialog } from "./migrate_dialog.tsx";

const text = pageWords.domains;
type DnsRecord = Domain["dns_records"][number];

/** A domain with its records to publish. */
export function DomainCard({ domain, changed }: { domain: Domain; changed: () => void }) {
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState<"remove" | "migrate" | null>(null);
  const { domain_id: domainId, domain_name: name, mailbox_count: count } = domain;
  const isReady = domain.verified && domain.mx_configured;
  const verify = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await domains.verify(domainId);
      say(text.nowVerified(name));
    } catch (error) {
      setProblem(error as ApiError);
    } finally {
      setBusy(false);
      changed();
    }
  };
  return (
    <section class="card" aria-label={name}>
      <header class="card-head">
        <h2 class="mono">{name}</h2>
        <Tag tone={isReady ? "ok" : "wait"}>
          {isReady ? text.verified : domain.verified ? text.noMx : text.notVerified}
        </Tag>
        <span class="muted">{text.mailboxes(count)}</span>
        <span class="card-actions">
          {count > 0 && may("migrate_mailboxes") && (
            <button
              type="button"
              class="button small"
              onClick={() => setOpen("migrate")}
            >
              {text.migrate}
            </button>
          )}
          {may("verify_domain") && (
            <button
              type="button"
              class="button small"
              disabled={busy}
              onClick={() => void verify()}
            >
              {busy ? text.asking : text.verify}
            </button>
          )}
          {may("delete_domain") && (
            <IconButton
              icon="trash"
              label={text.removeOne(name)}
              onClick={() => setOpen("remove")}
            />
          )}
        </span>
      </header>
      <Records records={domain.dns_records} />
      {problem && <Found problem={problem} />}
      {open === "remove" && (
        <Confirm
          title={text.removeTitle}
          text={text.removeText(name)}
          label={text.remove}
          onConfirm={() => domains.delete(domainId).then(changed)}
          onClose={() => setOpen(null)}
        />
      )}
      {open === "migrate" && (
        <MigrateDialog
          domain={domain}
          onClose={() => setOpen(null)}
          onDone={changed}
        />
      )}
    </section>
  );
}

/** The names are whole: `@` would be another one in the zone of a parent domain. */
function Records({ records }: { records: DnsRecord[] }) {
  const { columns } = text;
  return (
    <Table class="dns" heads={Object.values(columns)}>
      {records.map(({ type, fqdn, value, priority, status }) => (
        <tr key={`${type} ${fqdn}`}>
          <td data-label={columns.type}>
            <code>{type}</code>
          </td>
          <td data-label={columns.name}>
            <span class="copy-line">
              <code>{fqdn}</code>
              <Copy bare text={fqdn} label={text.copyName(type)} />
            </span>
          </td>
          <td data-label={columns.value}>
            <span class="copy-line">
              <code>{value}</code>
              <Copy bare text={value} label={text.copyValue(type)} />
            </span>
          </td>
          <td data-label={columns.priority} class="num">{priority ?? ""}</td>
          <td data-label={columns.found}>
            <Tag tone={status === "valid" ? "ok" : "wait"}>{text.states[status]}</Tag>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Why verification failed, and what the DNS has instead. */
function Found({ problem }: { problem: ApiError }) {
  const found = [problem.details.found_txt_records, problem.details.found_mx_records]
    .filter(Array.isArray).flat().map((each) =>
      typeof each === "string" ? each : JSON.stringify(each)
    );
  return (
    <p class="notice bad" role="alert">
      <span>
        {problem.message}
        {found.length > 0 && (
          <>
            {text.dnsHas} <code>{found.join(", ")}</code>
          </>
        )}
      </span>
    </p>
  );
}
