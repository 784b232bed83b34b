// The operations that the dashboard uses. Each is a typed call of its route under /api, where the cookie is the
// credential.
import { ApiError, call, get, type Query } from "./client.ts";
import type {
  Account,
  Activity,
  ActivityInput,
  ApiKey,
  Arrival,
  Attention,
  AuditRow,
  BatchResult,
  ConnectedApp,
  CreatedKey,
  CreatedWebhook,
  Delivery,
  Domain,
  DomainList,
  Draft,
  DraftChanges,
  EmailRecord,
  ForwardInput,
  FullDelivery,
  FullEmail,
  InvitedMember,
  KeyInput,
  Mailbox,
  MailboxDetail,
  MailboxSettings,
  Member,
  MemberInput,
  Migration,
  Policy,
  PolicyInput,
  SearchAnswer,
  SearchInput,
  SendInput,
  Sent,
  Subscription,
  Thread,
  UpdateInput,
  Usage,
  Verification,
  VerifiedDomain,
  Webhook,
  WebhookInput,
} from "./types.ts";

/** A page of a list. */
export interface Page<T> {
  data: T[];
  meta: { has_more: boolean; next_cursor: string | null };
}

/** Of a deletion: what somebody else deleted before is deleted. */
const orGone = (answer: Promise<unknown>) =>
  answer.catch((error) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });

/** The `data` of an answer. */
const read = async <T>(path: string, query?: Query): Promise<T> =>
  (await get<{ data: T }>(path, query)).data;
const ask = async <T>(...given: Parameters<typeof call>): Promise<T> =>
  (await call<{ data: T }>(...given)).data;
const id = encodeURIComponent;

export const session = {
  account: () => read<Account>("/api/account"),
  signIn: (email: string, password: string) => call("POST", "/api/auth/login", { email, password }),
  register: (given: { name: string; email: string; password: string; invitation?: string }) =>
    call("POST", "/api/auth/register", given),
  signOut: () => call("POST", "/api/auth/logout"),
  resendConfirmation: () => ask<{ message: string }>("POST", "/api/auth/resend-verification"),
  deleteAccount: (email: string, password: string | undefined) =>
    call("DELETE", "/api/account", { confirm_email: email, password }),
  changePassword: (current: string, next: string) =>
    ask<{ ended: number }>("POST", "/api/auth/password", {
      current_password: current,
      new_password: next,
    }),
  forgotPassword: (email: string) =>
    ask<{ message: string }>("POST", "/api/auth/password/forgot", { email }),
  resetPassword: (token: string, next: string) =>
    call("POST", "/api/auth/password/reset", { token, new_password: next }),
  endOthers: () => ask<{ ended: number }>("DELETE", "/api/auth/sessions"),
};

export const emails = {
  list: (query: Query) => get<Page<EmailRecord>>("/api/emails", query),
  get: (emailId: string) => read<FullEmail>(`/api/emails/${id(emailId)}`),
  verification: (emailId: string) => read<Verification>(`/api/emails/${id(emailId)}/verification`),
  send: (given: SendInput) => ask<Sent>("POST", "/api/emails/send", given),
  reply: (emailId: string, given: ReplyInput) =>
    ask<Sent>("POST", `/api/emails/${id(emailId)}/reply`, given),
  forward: (emailId: string, given: ForwardInput) =>
    ask<Sent>("POST", `/api/emails/${id(emailId)}/forward`, given),
  update: (emailId: string, given: UpdateInput) =>
    ask<EmailRecord>("PATCH", `/api/emails/${id(emailId)}`, given),
  updateAll: (emailIds: string[], given: UpdateInput) =>
    ask<BatchResult[]>("POST", "/api/emails/batch", { email_ids: emailIds, ...given }),
  /** Continues when the page closes: then a deletion without Undo is final. */
  deleteAll: (emailIds: string[]) =>
    ask<BatchResult[]>("POST", "/api/emails/batch", {
      email_ids: emailIds,
      delete: true,
    }, { keepalive: true }),
};

export type ReplyInput = Omit<SendInput, "mailbox_id" | "from" | "to" | "subject" | "reply_to"> & {
  reply_all?: boolean;
};

export const threads = {
  /** All of it: a page has at most a thousand messages, the oldest first. */
  get: async (threadId: string): Promise<Thread> => {
    const path = `/api/threads/${id(threadId)}`;
    const first = await read<Thread>(path);
    const thread = [...first.thread];
    for (let cursor = first.next_cursor; cursor !== null;) {
      const page = await read<Thread>(path, { cursor });
      thread.push(...page.thread);
      cursor = page.next_cursor;
    }
    return { ...first, thread };
  },
};

export const search = (given: SearchInput) => call<SearchAnswer>("POST", "/api/search", given);

export const arrivals = { list: (query: Query) => get<Page<Arrival>>("/api/arrivals", query) };

export const mailboxes = {
  list: async () => (await get<{ mailboxes: Mailbox[] }>("/api/mailboxes")).mailboxes,
  create: (given: { local_part: string; domain: string }) => call("POST", "/api/mailboxes", given),
  rename: (mailboxId: string, given: { local_part: string; domain: string }) =>
    call("PATCH", `/api/mailboxes/${id(mailboxId)}`, given),
  delete: (mailboxId: string, address: string) =>
    orGone(call("DELETE", `/api/mailboxes/${id(mailboxId)}`, { confirm_email_address: address })),
  policy: (mailboxId: string) => read<Policy>(`/api/mailboxes/${id(mailboxId)}/policy`),
  setPolicy: (mailboxId: string, given: PolicyInput) =>
    ask<Policy>("PUT", `/api/mailboxes/${id(mailboxId)}/policy`, given),
  details: async (mailboxId: string) =>
    (await get<{ mailbox: MailboxDetail }>(`/api/mailboxes/${id(mailboxId)}`)).mailbox,
  setDetails: (mailboxId: string, given: MailboxSettings) =>
    call("PATCH", `/api/mailboxes/${id(mailboxId)}`, given),
};

/** All mail of a mailbox as one file. */
export const mailboxFile = (mailboxId: string) => `/api/mailboxes/${id(mailboxId)}/file`;

export const keys = {
  list: () => read<ApiKey[]>("/api/keys"),
  create: (given: KeyInput) => ask<CreatedKey>("POST", "/api/keys", given),
  revoke: (keyId: string) => orGone(call("DELETE", `/api/keys/${id(keyId)}`)),
};

const member = (memberId: string) => `/api/members/${id(memberId)}`;

export const members = {
  list: () => read<Member[]>("/api/members"),
  invite: (email: string, role: Member["role"]) =>
    ask<InvitedMember>("POST", "/api/members", { email, role }),
  accept: (given: { token: string; name: string; password: string }) =>
    call("POST", "/api/members/accept", given),
  update: (memberId: string, given: MemberInput) => ask<Member>("PATCH", member(memberId), given),
  remove: (memberId: string) => ask<{ key_ids: string[] }>("DELETE", member(memberId)),
};

export const apps = {
  list: () => read<ConnectedApp[]>("/api/apps"),
  revoke: (grantId: string) => orGone(call("DELETE", `/api/apps/${id(grantId)}`)),
};

const webhook = (webhookId: string) => `/api/webhooks/${id(webhookId)}`;

export const webhooks = {
  list: () => read<Webhook[]>("/api/webhooks"),
  get: (webhookId: string) => read<Webhook>(webhook(webhookId)),
  create: (given: WebhookInput) => ask<CreatedWebhook>("POST", "/api/webhooks", given),
  update: (webhookId: string, given: Partial<WebhookInput> & { active?: boolean }) =>
    ask<Webhook>("PATCH", webhook(webhookId), given),
  delete: (webhookId: string) => orGone(call("DELETE", webhook(webhookId))),
  test: (webhookId: string) => call("POST", `${webhook(webhookId)}/test`),
  deliveries: (webhookId: string, query: Query) =>
    get<Page<Delivery>>(`${webhook(webhookId)}/deliveries`, query),
  delivery: (webhookId: string, deliveryId: string) =>
    read<FullDelivery>(`${webhook(webhookId)}/deliveries/${id(deliveryId)}`),
  replay: (webhookId: string, deliveryId: string) =>
    call("POST", `${webhook(webhookId)}/deliveries/${id(deliveryId)}/replay`),
};

export const domains = {
  list: () => get<{ data: Domain[]; meta: Omit<DomainList, "domains"> }>("/api/domains"),
  add: (domain: string) => call("POST", "/api/domains", { domain }),
  verify: (domainId: string) => ask<VerifiedDomain>("POST", `/api/domains/${id(domainId)}/verify`),
  delete: (domainId: string) => orGone(call("DELETE", `/api/domains/${id(domainId)}`)),
  migrate: (domainId: string, given: { target_domain: string; dry_run: boolean }) =>
    ask<Migration>("POST", `/api/domains/${id(domainId)}/migrate-mailboxes`, given),
};

export const billing = {
  usage: () => read<Usage>("/api/billing/usage"),
  subscription: () => read<Subscription>("/api/billing/subscription"),
  checkout: (given: { plan: "pro" | "enterprise"; successUrl: string; cancelUrl: string }) =>
    ask<{ url: string }>("POST", "/api/billing/checkout", given),
  portal: (returnUrl: string) => ask<{ url: string }>("POST", "/api/billing/portal", { returnUrl }),
};

export const watch = {
  attention: () => read<Attention>("/api/attention"),
  activity: (query: ActivityInput) => read<Activity[]>("/api/activity", query),
};

export const audit = { list: (query: Query) => get<Page<AuditRow>>("/api/audit", query) };

const draft = (draftId: string) => `/api/drafts/${id(draftId)}`;

/** `hash` is that of the content as it was shown: other content is refused with 409. */
export const drafts = {
  list: (query: Query) => get<Page<Draft>>("/api/drafts", query),
  get: (draftId: string) => read<Draft>(draft(draftId)),
  update: (draftId: string, given: DraftChanges) => ask<Draft>("PATCH", draft(draftId), given),
  approve: (draftId: string, hash: string) =>
    ask<Sent>("POST", `${draft(draftId)}/approve`, { content_hash: hash }),
  send: (draftId: string, hash: string) =>
    ask<Sent>("POST", `${draft(draftId)}/send`, { content_hash: hash }),
  reject: (draftId: string, reason: string) =>
    call("POST", `${draft(draftId)}/reject`, reason ? { reason } : {}),
  delete: (draftId: string) => call("DELETE", draft(draftId)),
};
