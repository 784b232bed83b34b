import { acceptInvitation } from "../../domain/accounts/members/accept_invitation.ts";
import { deleteMember } from "../../domain/accounts/members/delete_member.ts";
import { inviteMember } from "../../domain/accounts/members/invite_member.ts";
import { listMembers } from "../../domain/accounts/members/list_members.ts";
import { updateMember } from "../../domain/accounts/members/update_member.ts";
import { fieldInData } from "../http/envelopes.ts";
import type { RestRoute } from "../http/rest.ts";
import { rowsOf } from "../http/rows.ts";
import { setsCookie } from "./auth.ts";

const row = rowsOf("/api/members", {
  family: "dashboard",
  tag: "People",
  params: { id: "member_id" },
});

export const openMemberRoutes: RestRoute[] = [
  row("POST", "/accept", acceptInvitation, "json", { strict: true, answer: setsCookie }),
];

export const memberRoutes: RestRoute[] = [
  row("GET", "", listMembers, "none", { envelope: fieldInData("members") }),
  row("POST", "", inviteMember, "json", { strict: true, status: 201 }),
  row("PATCH", "/:id", updateMember, "json", { strict: true }),
  row("DELETE", "/:id", deleteMember, "none"),
];
