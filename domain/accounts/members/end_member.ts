import { isBeyond } from "../../core/roles/least_role.ts";
import type { Service } from "../../core/service.ts";
import { endGrant, type Grant } from "../../apps/grant.ts";
import type { Job } from "../../store/jobs.ts";
import * as keys from "../../store/keys.ts";
import type { ApiKey } from "../api_key.ts";
import { type Member, type MemberRef, personOf } from "../member.ts";
import { endSessions } from "../sessions.ts";

type Parts = Pick<Service, "database" | "jobs" | "credentials" | "clock">;

/** A key is a read, two rows and a job. */
const endedPerCommit = 20;

/** After a kill, or if a key was made while the role was being changed. */
export async function endMember(service: Service, job: Job<"end_member">): Promise<void> {
  await endWhatIsBeyond(service, job.payload);
  await service.database.transact((tx) => service.jobs.complete(tx, job));
}

/**
 * Ends the keys of a person that can do more than their role. Of one who is gone it ends all keys, grants and sessions,
 * which are dead already: what they made ends by the jobs of their keys and grants.
 */
export async function endWhatIsBeyond(service: Parts, person: MemberRef): Promise<void> {
  const { database, jobs, credentials } = service;
  const { userId, memberId } = person;
  const member = await database.transact((tx) => tx.get<Member>(keys.member(userId, memberId)));
  const isOwn = (row: MemberRef | { userId: string; memberId?: string }) =>
    personOf(row).memberId === memberId;
  const ended = (await database.collect<ApiKey>({ prefix: keys.apiKeys(userId) }))
    .map(({ value }) => value)
    .filter((key) => isOwn(key) && (member === null || isBeyond(member.role, key.scopes)));
  for (const some of database.forCommits(ended, endedPerCommit)) {
    await database.transact((tx) => {
      for (const { keyId, hash } of some) {
        tx.delete(keys.apiKey(userId, keyId));
        tx.delete(keys.apiKeyByHash(hash));
        jobs.add(tx, "end_key", { userId, keyId });
      }
      tx.append(userId, null);
    });
  }
  if (member === null) {
    const grants = (await database.collect<Grant>({ prefix: keys.grants(userId) }))
      .map(({ value }) => value).filter(isOwn);
    for (const some of database.forCommits(grants, endedPerCommit)) {
      await database.transact((tx) => some.forEach((grant) => endGrant(tx, service, grant)));
    }
    await endSessions(service, person);
  }
  credentials.forget(userId);
}
