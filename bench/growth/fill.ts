import { openService } from "../../assemble.ts";
import { createApiKey } from "../../domain/accounts/api_keys.ts";
import type { User } from "../../domain/accounts/user.ts";
import type { JobKind, JobPayloads } from "../../domain/core/job_kinds.ts";
import { perform } from "../../domain/core/operation.ts";
import type { Service } from "../../domain/core/service.ts";
import { readSettings } from "../../domain/core/settings.ts";
import { indexedEmail } from "../../domain/indexing/indexed_email.ts";
import { createMailbox } from "../../domain/mailboxes/create_mailbox.ts";
import { recordArrival } from "../../domain/mail/receive/arrivals.ts";
import { parsedFields } from "../../domain/mail/record/email.ts";
import { type Email, fitted } from "../../domain/mail/record/email.ts";
import { storeEmail } from "../../domain/mail/receive/store_email.ts";
import { BlobWriter } from "../../domain/store/blobs.ts";
import type { Tx } from "../../domain/store/database.ts";
import { type Job, Jobs } from "../../domain/store/jobs.ts";
import * as keys from "../../domain/store/keys.ts";
import { type MessageBody, parseBody } from "../../mime/body/parse_body.ts";
import { type MessageHead, parseHead } from "../../mime/headers/parse_head.ts";
import { copyOf } from "../mail.ts";

/** How many emails are stored, and given to the index, at a time. */
const batchEmails = 256;
/** How many accounts get a key: the benchmark uses these. */
const askedAccounts = 100;

/** The content of a filled store. */
export interface Filling {
  emails: number;
  accounts: number;
  /** This many first emails are one thread. */
  threadLength: number;
}

/** An account of a filled store. */
export interface FilledAccount {
  key: string;
  address: string;
}

export interface Filled {
  /** The accounts with a key; the first has the thread. */
  accounts: FilledAccount[];
  threadId: string;
  /** Bytes of all messages before they are stored. */
  rawBytes: number;
}

interface Owner {
  userId: string;
  mailboxId: string;
  address: string;
}

interface Message {
  raw: Uint8Array;
  head: MessageHead;
  body: MessageBody;
}

/** Jobs are not written: the emails are stored as if their jobs had run. */
class NoJobs extends Jobs {
  override add<Kind extends JobKind>(_tx: Tx, ...job: AddedJob<Kind>): Job<Kind> {
    return super.add(nowhere, ...job);
  }
}

type AddedJob<Kind extends JobKind> = [kind: Kind, payload: JobPayloads[Kind], runAt?: number];

const nowhere = { set() {}, delete() {}, afterCommit() {} } as unknown as Tx;

/**
 * Fills the store and the index of a folder with the same rows as arrivals: blobs, records, rows, threads, counters and
 * the ledger, many emails to a commit. The messages are repeated; each copy has new message ids.
 */
export async function fillStore(
  dir: string,
  messages: Uint8Array[],
  { emails, accounts, threadLength }: Filling,
  progress: (stored: number) => void,
): Promise<Filled> {
  const { service, close } = await openService(readSettings("dev", {
    KV_PATH: `${dir}/kv.sqlite`,
    SHARED_DOMAINS: "agents.test",
    MX_HOST: "mx.agents.test",
    LOG_LEVEL: "error",
    EMBEDDINGS: "off",
    PLAN_OVERRIDES: JSON.stringify({ enterprise: { mailboxes: null } }),
  }));
  try {
    const owners: Owner[] = [];
    const asked: FilledAccount[] = [];
    for (let first = 0; first < accounts; first += batchEmails) {
      const some = Array.from(
        { length: Math.min(batchEmails, accounts - first) },
        (_, n) => openAccount(service, first + n),
      );
      owners.push(...await Promise.all(some));
    }
    for (const owner of owners.slice(0, askedAccounts)) {
      asked.push({ key: await keyOf(service, owner), address: owner.address });
    }
    const parsed = messages.map((raw) => ({ raw, head: parseHead(raw), body: parseBody(raw) }));
    const jobless = { ...service, jobs: new NoJobs(service.ids, service.clock) };
    const threadId = service.ids.timed(service.clock.now());
    let rawBytes = 0;
    let indexing = Promise.resolve();
    for (let first = 0; first < emails; first += batchEmails) {
      const numbers = Array.from(
        { length: Math.min(batchEmails, emails - first) },
        (_, n) => first + n,
      );
      const batch = await Promise.all(numbers.map(async (n) => {
        const owner = owners[Math.floor(n * accounts / emails)];
        const message = copied(parsed[n % parsed.length], Math.floor(n / parsed.length), n);
        rawBytes += message.raw.length;
        const email = await store(jobless, owner, message, n < threadLength ? threadId : null);
        return indexedEmail(email, message.body);
      }));
      await indexing;
      indexing = service.searchIndex.add(batch);
      progress(first + batch.length);
    }
    await indexing;
    return { accounts: asked, threadId, rawBytes };
  } finally {
    await close();
  }
}

/** An account with an unknown password, and its mailbox. */
async function openAccount(service: Service, n: number): Promise<Owner> {
  const createdAt = service.clock.now();
  const userId = service.ids.timed(createdAt);
  const user: User = { userId, createdAt, plan, memberIds: [userId] };
  await service.database.transact((tx) => {
    tx.set(keys.user(userId), user);
  });
  const box = await perform(createMailbox, service, { userId, plan }, {
    local_part: `growth-${n}`,
    domain: "agents.test",
  });
  return { userId, mailboxId: box.mailbox_id, address: box.email_address };
}

const plan = "enterprise";

async function keyOf(service: Service, { userId }: Owner): Promise<string> {
  return (await perform(createApiKey, service, { userId, plan }, { name: "bench" })).apiKey;
}

/** The message again, with a unique number in its text. */
function copied({ raw, head, body }: Message, copy: number, n: number): Message {
  const own = (id: string) => copy === 0 ? id : id.replace("@", `.copy${copy}@`);
  return {
    raw: copyOf(raw, copy),
    head: {
      ...head,
      messageId: head.messageId && own(head.messageId),
      inReplyTo: head.inReplyTo.map(own),
      references: head.references.map(own),
    },
    body: { ...body, text: `${body.text}\nnumber${n}\n` },
  };
}

/** With `threadId` the email belongs to that thread, and names no other one. */
async function store(
  service: Service,
  owner: Owner,
  { raw, head, body }: Message,
  threadId: string | null,
): Promise<Email> {
  const { database, ids, clock } = service;
  const writer = new BlobWriter(service);
  await writer.write(raw);
  const blob = await writer.finish();
  const now = clock.now();
  const emailId = ids.timed(now);
  const draft = fitted({
    ...owner,
    emailId,
    threadId: threadId ?? "",
    direction: "inbound",
    isRead: false,
    labels: [],
    auth: null,
    automated: head.isAutomatic,
    messageId: head.messageId ?? `<${emailId}@mx.agents.test>`,
    inReplyTo: threadId === null ? head.inReplyTo : [],
    references: threadId === null ? head.references : [],
    from: head.from ?? { address: "", name: "" },
    replyTo: head.replyTo,
    to: head.to,
    cc: head.cc,
    bcc: head.bcc,
    subject: head.subject,
    date: head.dateMs ?? now,
    receivedAt: now,
    size: raw.length,
    raw: blob.ref,
    envelope: { from: "sender@example.net", to: [owner.address] },
    truncated: head.truncated || body.truncated,
    parsed: parsedFields(body),
  });
  const { userId, mailboxId } = owner;
  return await database.transact(async (tx) => {
    await blob.attach(tx);
    tx.set(keys.emailByDelivery(mailboxId, blob.ref.sha256), emailId);
    const email = await storeEmail(tx, service, draft, body);
    tx.delete(keys.emailProcessing(userId, emailId));
    const facts = {
      source: "raw",
      recipient: owner.address,
      sender: "sender@example.net",
    } as const;
    recordArrival(tx, service, userId, {
      ...facts,
      size: raw.length,
      disposition: "accepted",
      code: null,
      emailId,
      mailboxId,
    });
    return email;
  });
}
