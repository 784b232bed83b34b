import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";
import type { Member } from "./member.ts";
import type { User } from "./user.ts";

/** The people of an account who want to be mailed what waits for them, and whose address is known to be theirs. */
export async function peopleToNotify(
  { database, settings }: Pick<Service, "database" | "settings">,
  userId: string,
): Promise<Member[]> {
  const { memberIds = [] } = await database.get<User>(keys.user(userId)) ?? {};
  const members = await database.getMany<Member>(
    memberIds.map((memberId) => keys.member(userId, memberId)),
  );
  return members.filter((member) => member !== null).filter((member) =>
    member.status === "active" && member.notify === "drafts" &&
    (member.isConfirmed || settings.EMAIL_VERIFICATION === "off")
  );
}
