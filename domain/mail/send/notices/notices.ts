import { peopleToNotify } from "../../../accounts/people_to_notify.ts";
import type { Service } from "../../../core/service.ts";
import type { Tx } from "../../../store/database.ts";
import type { Job } from "../../../store/jobs.ts";
import * as keys from "../../../store/keys.ts";
import {
  noNotices,
  type Notices,
  type Told,
  type WaitingDraft,
} from "../../lifecycle/draft_waits.ts";
import { mailAsService, nextTry } from "../service_mail.ts";
import { noticeOf } from "./notice_text.ts";
import { shownOf } from "./shown_drafts.ts";

/*
 * People are mailed what waits for their approval (docs/specification.md "Notices"). A draft that begins to wait gets a
 * number and plans a look, in its own commit; the look plans a mail to each person who was not told of that number, in one
 * commit; the mail records the number that it has told. So a kill loses nothing, and repeats at most the mail that was on
 * its way.
 */

/** A person gets at most one notice in this time. */
const apartMs = 60_000;

const untold: Told = { last: 0, mailedAt: 0, isPlanned: false };

/** Plans a mail to each person who was not told of the newest wait. */
export async function planNotices(service: Service, job: Job<"plan_notices">): Promise<void> {
  const { database, jobs, clock, mailer } = service;
  const { userId } = job.payload;
  // Without a relay no mail leaves.
  const people = mailer.isOutbox ? [] : await peopleToNotify(service, userId);
  await change(database, userId, (tx, before) => {
    const now = clock.now();
    const told = people.map(({ memberId }): [string, Told] => {
      const known = before.people[memberId] ?? untold;
      if (known.isPlanned || known.last >= before.last) return [memberId, known];
      jobs.add(
        tx,
        "mail_notice",
        { userId, memberId },
        Math.max(now, Math.min(now, known.mailedAt) + apartMs),
      );
      return [memberId, { ...known, isPlanned: true }];
    });
    jobs.complete(tx, job);
    return { ...before, isPlanned: false, people: Object.fromEntries(told) };
  });
}

/** Mails a person all that waits, if something is new; if more has begun to wait meanwhile, again in a minute. */
export async function mailNotice(service: Service, job: Job<"mail_notice">): Promise<void> {
  const { database, jobs, clock, log } = service;
  const { userId, memberId } = job.payload;
  const { last, people } = await database.get<Notices>(keys.notices(userId)) ?? noNotices;
  const told = people[memberId] ?? untold;
  const person = (await peopleToNotify(service, userId)).find((each) => each.memberId === memberId);
  // Read after `last`, so that every wait up to that number is here.
  const notice = person && await noticeAfter(service, userId, told.last);
  const result = person && notice
    ? await mailAsService(service, {
      ...{ ...notice, userId, to: person.email },
      deliveryId: `notice:${job.jobId}:${last}`,
    })
    : null;
  if (result) {
    const { outcome, response } = result;
    log.info("draft.notice_mailed", { user_id: userId, member_id: memberId, outcome, response });
  }
  await change(database, userId, (tx, before) => {
    const now = clock.now();
    const again = result && nextTry(result, job, now);
    if (again) {
      jobs.putOff(tx, job, again);
      return before;
    }
    const isMore = person !== undefined && before.last > last;
    if (isMore) jobs.putOff(tx, job, now + (result ? apartMs : 0), { attempts: 0 });
    else jobs.complete(tx, job);
    const { [memberId]: _, ...others } = before.people;
    if (!person) return { ...before, people: others };
    const mailedAt = result ? now : told.mailedAt;
    return { ...before, people: { ...others, [memberId]: { last, mailedAt, isPlanned: isMore } } };
  });
}

/** The notice of all that waits; null if no wait has a higher number than `last`. */
async function noticeAfter(
  service: Service,
  userId: string,
  last: number,
): Promise<ReturnType<typeof noticeOf> | null> {
  const waiting = await waitingOf(service, userId);
  const isNew = ({ number }: { number: number }) => number > last;
  if (!waiting.some(isNew)) return null;
  const { shown, gone } = await shownOf(service, userId, waiting);
  const left = waiting.filter(({ draftId }) => !gone.has(draftId));
  return left.some(isNew) ? noticeOf(service.settings, shown, left.length) : null;
}

/** The drafts that wait, the newest wait first; at most the 10,000 that may be open. */
async function waitingOf(
  { database }: Pick<Service, "database">,
  userId: string,
): Promise<{ draftId: string; number: number }[]> {
  const rows = await database.collect<WaitingDraft>({ prefix: keys.waitingDrafts(userId) });
  return rows.map(({ key, value: { number } }) => ({ draftId: String(key.at(-1)), number }))
    .sort((one, other) => other.number - one.number);
}

/** Changes the row of an account that has not ended. */
async function change(
  database: Service["database"],
  userId: string,
  next: (tx: Tx, before: Notices) => Notices,
): Promise<void> {
  await database.transact(async (tx) => {
    const user = await tx.get(keys.user(userId));
    const after = next(tx, await tx.get<Notices>(keys.notices(userId)) ?? noNotices);
    if (user) tx.set(keys.notices(userId), after);
  });
}
