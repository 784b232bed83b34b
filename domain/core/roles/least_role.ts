import type { Caller, Scope } from "../caller.ts";
import { ServiceError } from "../errors.ts";
import { type Role, roles } from "./role.ts";

/**
 * What each role may do beyond the role before it: the names of operations and of plain routes. A part of an operation that
 * wants more than the operation has a row of its own. What has no row is the owner's.
 */
const operations: Record<Role, readonly string[]> = {
  viewer: [
    // their own session, person and apps
    ...["logout", "end_other_sessions", "resend_verification", "change_password"],
    ...["update_member", "delete_member", "allow_app", "revoke_app"],
    // mail
    ...["list_emails", "get_email", "get_email_raw", "get_email_thread", "list_threads"],
    ...["get_links", "get_verification", "get_attachment", "get_attachment_link"],
    ...["search_emails", "search_with_reasons", "wait_for_email", "get_expected_code"],
    ...["list_drafts", "get_draft", "list_changes", "list_arrivals"],
    ...["list_known_recipients", "list_suppressions"],
    ...["download_raw_email", "download_attachment", "show_email_html"],
    ...["export_mailbox", "download_mailbox"],
    ...["show_draft_html", "download_draft_attachment"],
    ...["stream_events", "stream_events_of_session", "mcp"],
    // the account
    ...[
      "list_mailboxes",
      "list_counted_mailboxes",
      "get_mailbox",
      "check_email",
      "get_mailbox_policy",
    ],
    ...["list_domains", "list_webhooks", "get_webhook"],
    ...["list_webhook_deliveries", "get_webhook_delivery"],
    ...["list_api_keys", "list_apps", "list_members", "list_audit"],
    ...["get_account", "get_attention", "get_activity", "get_subscription", "get_usage"],
  ],
  approver: ["approve_draft", "reject_draft", "update_draft", "update_email", "update_emails"],
  admin: [
    ...["send_email", "reply_email", "forward_email", "create_upload"],
    ...["create_draft", "send_draft", "delete_draft", "update_draft_that_does_not_wait"],
    ...["delete_email", "import_email", "expect_code", "delete_expectation"],
    ...["claim_emails", "ack_email", "nack_email", "extend_claim"],
    ...["create_mailbox", "rename_mailbox", "update_mailbox", "delete_mailbox"],
    ...["set_mailbox_policy", "delete_known_recipient", "delete_suppression"],
    ...["add_domain", "verify_domain", "migrate_mailboxes", "delete_domain"],
    ...["create_webhook", "update_webhook", "delete_webhook", "test_webhook"],
    "replay_webhook_delivery",
    ...["create_api_key", "revoke_api_key", "revoke_app_of_another"],
    ...["invite_member", "update_another_member", "delete_another_member"],
  ],
  owner: ["change_owners", "begin_checkout", "open_billing_portal", "end_account"],
};

const leastRoles = new Map(
  roles.flatMap((role) => operations[role].map((name) => [name, role] as const)),
);

/** The least role that may do this; undefined: it has no row. */
export function leastRoleOf(operation: string): Role | undefined {
  return leastRoles.get(operation);
}

/** Everything that a role may do, by name. */
export function allowedTo(role: Role): string[] {
  return [...leastRoles].flatMap(([name, least]) => isAtLeast(role, least) ? [name] : []);
}

export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** Whether the caller's person may do this. Keys have no role. */
export function isAllowed({ role }: Pick<Caller, "role">, operation: string): boolean {
  return role === undefined || isAtLeast(role, leastRoleOf(operation) ?? "owner");
}

/** Throws FORBIDDEN with `required_role` if the caller's person may not do this. */
export function requireRole({ role }: Pick<Caller, "role">, operation: string): void {
  if (isAllowed({ role }, operation)) return;
  const least = leastRoleOf(operation) ?? "owner";
  const message = `Your role in this account is ${role}: this needs the role ${least}.`;
  throw new ServiceError("FORBIDDEN", message, { required_role: least });
}

/** The least role of a person whose keys may have the scope. */
const leastOfScope: Record<Scope, Role> = {
  "emails:read": "viewer",
  "mailboxes:read": "viewer",
  "search": "viewer",
  "audit:read": "viewer",
  "emails:approve": "approver",
  "emails:send": "admin",
  "emails:write": "admin",
  "mailboxes:write": "admin",
  "webhooks:write": "admin",
  "keys:write": "admin",
  "policy:write": "admin",
};

/** Whether a key with these scopes can do what the role may not. Without scopes it can do nearly everything. */
export function isBeyond(role: Role, scopes: readonly Scope[] | undefined): boolean {
  if (!scopes) return !isAtLeast(role, "admin");
  return scopes.some((scope) => !isAtLeast(role, leastOfScope[scope]));
}
