import { AddButton } from "../parts/add_button.tsx";
import { Dialog, Field, FormFoot, useSubmit } from "../parts/form.tsx";
import { useKept } from "../parts/kept.ts";
import { useLoad } from "../parts/load.ts";
import { Empty, PageHead, Problem, Skeleton } from "../parts/small.tsx";
import { domains } from "../resources.ts";
import { account } from "../state.ts";
import { pageWords } from "../parts/page_words.ts";
import { words } from "../words.ts";
import { DomainCard } from "./domains/domain_card.tsx";

const text = pageWords.domains;

/** The account's own domains: their records, and what the DNS has instead. */
export default function DomainsPage() {
  const { data, error, reload } = useLoad(domains.list, []);
  const [making, setMaking] = useKept("new domain", false);
  const mayAdd = data?.meta.can_add_domain ?? false;
  return (
    <div class="page">
      <PageHead title={words.pages.domains} lead={text.lead}>
        <AddButton
          operation="add_domain"
          label={text.add}
          disabled={!mayAdd}
          onClick={() => setMaking(true)}
        />
      </PageHead>
      {error && <Problem error={error} again={reload} />}
      {!data && !error && <Skeleton />}
      {data?.data.length === 0 && (
        <Empty icon="globe" title={text.none}>
          <p>{mayAdd ? text.noneLead : text.notInPlan}</p>
          <p class="mono">{account.value!.sharedDomains.join(", ")}</p>
          {!mayAdd && <a class="button" href="/app/usage">{words.pages.usage}</a>}
        </Empty>
      )}
      {data?.data.map((each) => <DomainCard key={each.domain_id} domain={each} changed={reload} />)}
      {making && (
        <NewDomain
          onClose={() => setMaking(false)}
          onMade={() => {
            setMaking(false);
            reload();
          }}
        />
      )}
    </div>
  );
}

function NewDomain({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const { errors, busy, submit } = useSubmit(async (form) => {
    await domains.add(String(form.get("domain")).trim());
    onMade();
  }, ["domain"]);
  return (
    <Dialog title={text.add} onClose={onClose} keepAs="domain">
      <form onSubmit={submit}>
        <Field label={text.domain} hint={text.hint} error={errors.domain}>
          <input
            name="domain"
            required
            placeholder="agents.example.com"
            autocapitalize="off"
            autocomplete="off"
            spellcheck={false}
          />
        </Field>
        <FormFoot onClose={onClose} label={text.add} error={errors.form} busy={busy} />
      </form>
    </Dialog>
  );
}
