import { isMember, personOf } from "../accounts/member.ts";
import type { User } from "../accounts/user.ts";
import type { Service } from "../core/service.ts";
import type { Job } from "../store/jobs.ts";
import * as keys from "../store/keys.ts";
import { endGrant, type Grant } from "./grant.ts";

/** Each is a check and a job. */
const grantsACommit = 20;

/** Removes the grants of a person that `endGrantsOf` ended. They are dead since its commit. */
export async function endGrants(
  { database, jobs, credentials }: Service,
  job: Job<"end_grants">,
): Promise<void> {
  const { userId, memberId } = personOf(job.payload);
  const user = await database.get<User>(keys.user(userId));
  const rows = user ? await database.collect<Grant>({ prefix: keys.grants(userId) }) : [];
  const ended = rows.map(({ value }) => value).filter((grant) =>
    personOf(grant).memberId === memberId && !isMember(user!, grant)
  );
  for (const some of database.forCommits(ended, grantsACommit, 1)) {
    await database.transact(async (tx) => {
      for (const { grantId } of some) {
        const grant = await tx.get<Grant>(keys.grant(userId, grantId));
        if (grant) endGrant(tx, { jobs }, grant);
      }
    });
  }
  credentials.forget(userId);
  await database.transact((tx) => jobs.complete(tx, job));
}
