import { bytes, dayOf, number } from "../format.ts";
import { useLoad } from "../parts/load.ts";
import { useRefresh } from "./usage/refresh.ts";
import { Code, Meter, PageHead, Problem, Tag } from "../parts/small.tsx";
import { billing } from "../resources.ts";
import { account, may, sayProblem } from "../state.ts";
import { mcpConfig } from "../onboarding.ts";
import type { Subscription, Usage } from "../types.ts";
import { pageWords } from "../parts/page_words.ts";
import { words } from "../words.ts";
import { AccountCards } from "./usage/account_cards.tsx";
import { ReadingChoice } from "./usage/reading_choice.tsx";
import { ActivityCharts, QuotaChart } from "./usage/activity_charts.tsx";

const text = words.plan;

/** The plans that can be bought: none if the operator takes no payments. */
const soldPlans = document.documentElement.dataset.soldPlans?.split(" ").filter(Boolean) ?? [];

/** The use of the plan, recent activity, and the way to pay. */
export default function UsagePage() {
  const { data, error, reload } = useLoad(async () => {
    const [usage, subscription] = await Promise.all([billing.usage(), billing.subscription()]);
    return { usage, subscription };
  }, []);
  useRefresh(reload);
  const { usage, subscription } = data ?? {};
  return (
    <div class="page">
      <PageHead title={words.pages.usage} lead={subscription ? endOf(subscription) : nonBreaking}>
        {subscription && <Pay subscription={subscription} />}
      </PageHead>
      {error && <Problem error={error} again={reload} />}
      <Meters usage={usage} />
      <QuotaChart usage={usage} subscription={subscription} />
      <ActivityCharts />
      <Allowed />
      <Code title={pageWords.keyPage.client} text={mcpConfig(account.value!)} />
      <ReadingChoice />
      <AccountCards />
    </div>
  );
}

/** A line that keeps its height. */
const nonBreaking = "\u00a0";

function endOf({ currentPeriodEnd, cancelAtPeriodEnd }: Subscription): string {
  return text.periodEnds(dayOf(currentPeriodEnd), cancelAtPeriodEnd);
}

/** The plan's state. Where plans are sold: the upgrade, and Stripe's portal for paying accounts. */
function Pay({ subscription: { plan, status } }: { subscription: Subscription }) {
  const here = `${location.origin}/app/usage`;
  const leave = ({ url }: { url: string }) => location.assign(url);
  const upgrade = () =>
    billing.checkout({ plan: "pro", successUrl: here, cancelUrl: here }).then(leave, sayProblem);
  const portal = () => billing.portal(here).then(leave, sayProblem);
  return (
    <>
      <Tag tone={status === "past_due" ? "bad" : "plain"}>
        {status === "active" ? text.names[plan] : `${text.names[plan]}, ${text.states[status]}`}
      </Tag>
      {plan === "free" && soldPlans.includes("pro") && may("begin_checkout") && (
        <button type="button" class="button primary" onClick={upgrade}>{text.upgrade}</button>
      )}
      {plan !== "free" && soldPlans.length > 0 && may("open_billing_portal") && (
        <button type="button" class="button" onClick={portal}>{text.portal}</button>
      )}
    </>
  );
}

/** Empty boxes in the same places until the use is known. */
function Meters({ usage }: { usage: Usage | undefined }) {
  const { limits } = account.value!;
  const meters: [keyof typeof limits, number | undefined, typeof number][] = [
    ["emailsPerMonth", usage?.emailsUsed, number],
    ["searchesPerMonth", usage?.searchesUsed, number],
    ["storageBytes", usage?.storageUsed, bytes],
    ["sendsPerDay", usage?.sendsUsed, number],
    ["mailboxes", usage?.mailboxesUsed, number],
    ["webhooks", usage?.webhooksUsed, number],
  ];
  return (
    <div class={usage ? "meters" : "meters to-come"} aria-busy={!usage}>
      {meters.map(([name, used = 0, show]) => (
        <Meter key={name} label={words.quotas[name]} used={used} limit={limits[name]} show={show} />
      ))}
    </div>
  );
}

function Allowed() {
  const { limits } = account.value!;
  const shown = (name: keyof typeof limits, show = number) => {
    const limit = limits[name];
    return limit === null ? text.unlimited : show(limit);
  };
  const requests = [
    shown("requestsPerMinute"),
    shown("requestsPerHour"),
    shown("requestsPerDay"),
  ] as const;
  const facts = [
    [text.facts.requests, text.requests(...requests)],
    [text.facts.mcp, shown("mcpRequestsPerMinute", (n) => text.aMinute(number(n)))],
    [text.facts.sends, shown("sendsPerDay", (n) => text.aDay(number(n)))],
    [text.facts.largest, shown("maxEmailBytes", bytes)],
    [text.facts.webhooks, shown("webhooks")],
    [text.facts.domains, shown("customDomains")],
  ];
  return (
    <section class="card">
      <header class="card-head">
        <h2>{text.allows}</h2>
      </header>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
