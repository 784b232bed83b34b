import type { Database } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import type { Migration } from "../store/migrations.ts";
import type { Member, MemberRef } from "./member.ts";
import { refreshSeconds } from "./sessions.ts";
import type { User } from "./user.ts";

/** An account of schema version 3, which was its only person. */
type FormerUser = Omit<User, "memberIds"> & Pick<Member, "name" | "email"> & {
  passwordHash: string;
  memberIds?: string[];
};

const accountsAtOnce = 50;

/** Gives each account a row of the person who registered: one commit an account. */
export const firstPeople: Migration = {
  from: 3,
  to: 4,
  async run(database) {
    let page: Promise<void>[] = [];
    for await (const { key } of database.list({ prefix: keys.users() })) {
      page.push(makeOwner(database, String(key.at(-1))));
      if (page.length < accountsAtOnce) continue;
      await Promise.all(page);
      page = [];
    }
    await Promise.all(page);
  },
};

async function makeOwner(database: Database, userId: string): Promise<void> {
  await database.transact(async (tx) => {
    const former = await tx.get<FormerUser>(keys.user(userId));
    if (!former || former.memberIds) return;
    const { name, email, passwordHash, ...account } = former;
    const owner: MemberRef = { userId, memberId: userId };
    const member: Member = {
      ...{ ...owner, name, email, role: "owner", status: "active", passwordHash },
      ...{ isConfirmed: !former.emailUnverified, notify: "drafts" },
      ...{ createdAt: former.createdAt, lastUsedAt: null },
    };
    tx.set(keys.user(userId), { ...account, memberIds: [userId] } satisfies User);
    tx.set(keys.member(userId, userId), member);
    tx.set(keys.memberByEmail(email.toLowerCase()), owner);
    // Its sessions were listed by account.
    const listed = await tx.get(keys.formerSessionList(userId));
    if (listed === null) return;
    tx.delete(keys.formerSessionList(userId));
    tx.set(keys.sessionList(userId, userId), listed, { expireInMs: refreshSeconds * 1_000 });
  });
}
