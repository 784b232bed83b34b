import { z } from "zod";
import { operation } from "../../core/operation.ts";
import { memberRecord, memberRecordOf } from "./member_record.ts";
import { readPeople } from "./people.ts";

/** `GET /api/members`. */
export const listMembers = operation({
  name: "list_members",
  title: "List people",
  description: "The people of the account and the open invitations, oldest first.",
  scope: null,
  audit: "none",
  input: z.object({}),
  output: z.object({ members: z.array(memberRecord) }),
  errors: [],
  async run(service, { userId }) {
    const { members } = await readPeople(service.database, userId, service.clock.now());
    return { members: members.map((member) => memberRecordOf(service, member)) };
  },
});
