import { normaliseHost } from "../core/host_name.ts";
import { foldLocal } from "./address.ts";

/** docs/specification.md "Address rules". */
const minLocalCharacters = 5;
/** Reserved on every domain, whatever the settings are: mail that bounces goes to `bounce+...`. */
export const returnLocal = "bounce";
/**
 * Reserved on shared domains, whatever the settings are: the sender of the mails with confirmation links. The owner of
 * such a mailbox would get answers to them, such as a delivery report that returns the mail, and could confirm the
 * addresses of others.
 */
export const serviceLocal = "noreply";
/** RFC 5321 section 4.5.3.1.1. */
export const maxLocalCharacters = 64;

/** The request: the body of create and rename, the query of check-email. */
export interface AddressInput {
  local_part?: string | null;
  email_address?: string | null;
  domain?: string | null;
}

/** The facts of the account and the service that the rules need; all hosts and names in lower case. */
export interface AddressFacts {
  plan: string;
  sharedDomains: readonly string[];
  /** The account's verified domains. */
  verifiedDomains: readonly string[];
  /** Whether the account may use own domains at all: its plan's `customDomains` is not 0. */
  ownDomainsAllowed: boolean;
  reservedNames: readonly string[];
  /** On an own verified domain every name may be used but `bounce`, of any length. */
  anyOwnName?: boolean;
}

export type AddressCode =
  | "MISSING_FIELDS"
  | "BAD_REQUEST"
  | "DOMAIN_MISMATCH"
  | "LOCAL_TOO_SHORT"
  | "INVALID_LOCAL"
  | "DISALLOWED_LOCAL"
  | "DOMAIN_NOT_ALLOWED"
  | "EMAIL_TAKEN"
  | "MAILBOX_QUOTA";

export interface AddressFailure {
  ok: false;
  code: AddressCode;
  message: string;
  details: Record<string, string | number | string[]>;
}

export type AddressVerdict =
  | { ok: true; local: string; domain: string; address: string }
  | AddressFailure;

/**
 * The rules of a mailbox address (docs/specification.md "Address rules"), the same for create, check-email, rename and
 * migrate. The answer is the first rule that the request breaks, in this order: the request itself, then the name, then
 * what depends on the account:
 *
 * 1. `MISSING_FIELDS`: no `domain`, or neither `local_part` nor `email_address`
 * 2. `BAD_REQUEST`: nothing before the `@` of `email_address`, or two fields that name two addresses
 * 3. `DOMAIN_MISMATCH`: the host in `email_address` is not `domain`
 * 4. `LOCAL_TOO_SHORT`: fewer than 5 characters after trimming
 * 5. `INVALID_LOCAL`: more than 64, other than `A-Z a-z 0-9 . _ -`, `.` or `-` at an end, `..`
 * 6. `DISALLOWED_LOCAL`: a reserved name, whatever the domain and case
 * 7. `DOMAIN_NOT_ALLOWED`: neither shared nor an own verified domain that the plan lets be used
 *
 * The caller goes on with what only the store knows: 8. `emailTaken`, 9. `mailboxQuota`. A domain that may not be used
 * is reported first, so that nobody learns which addresses exist on it.
 */
export function checkAddress(input: AddressInput, facts: AddressFacts): AddressVerdict {
  const requested = readRequest(input);
  if ("ok" in requested) return requested;
  const { domainText, local } = requested;

  const domain = normaliseHost(domainText);
  const isFree = facts.anyOwnName === true && facts.ownDomainsAllowed && domain !== null &&
    facts.verifiedDomains.includes(domain);
  const length = [...local].length;
  const least = isFree ? 1 : minLocalCharacters;
  if (length < least) {
    return failure(
      "LOCAL_TOO_SHORT",
      `The part before the @ must have at least ${least} characters.`,
      { min_length: least, actual_length: length },
    );
  }
  if (length > maxLocalCharacters) {
    return failure(
      "INVALID_LOCAL",
      `The part before the @ must have at most ${maxLocalCharacters} characters.`,
      { local_part: [...local].slice(0, maxLocalCharacters).join("") },
    );
  }
  // No mail can be sent to `a..b`, nor from it: RFC 5321 4.1.2, Dot-string.
  if (!/^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?$/.test(local) || local.includes("..")) {
    return failure(
      "INVALID_LOCAL",
      "The part before the @ may have letters, digits, '.', '_' and '-', " +
        "and must not begin or end with '.' or '-' or have '..'.",
      { local_part: local },
    );
  }
  const isService = local === serviceLocal && domain !== null &&
    facts.sharedDomains.includes(domain);
  const isReserved = !isFree && facts.reservedNames.includes(local);
  if (local === returnLocal || isService || isReserved) {
    return failure("DISALLOWED_LOCAL", "This name is reserved.", { local_part: local });
  }

  const allowed = domain !== null &&
    (facts.sharedDomains.includes(domain) ||
      facts.ownDomainsAllowed && facts.verifiedDomains.includes(domain));
  if (!allowed) {
    return failure(
      "DOMAIN_NOT_ALLOWED",
      facts.ownDomainsAllowed
        ? "This domain is neither shared nor one that you have verified."
        : "This plan has mailboxes on the shared domains only.",
      { domain: (domain ?? domainText).slice(0, 253), plan: facts.plan },
    );
  }
  return { ok: true, local, domain, address: `${local}@${domain}` };
}

/** Rule 8, decided by the store: the address exists, or is held for any account. */
export function emailTaken(address: string): AddressFailure {
  return failure("EMAIL_TAKEN", "This address is already taken.", { email_address: address });
}

/** Rule 9, decided by the store: one more mailbox would be over the plan's limit. */
export function mailboxQuota(
  details: { count: number; limit: number; plan: string },
): AddressFailure {
  return failure(
    "MAILBOX_QUOTA",
    `The ${details.plan} plan has ${details.limit} mailboxes at most.`,
    { count: details.count, limit: details.limit, plan: details.plan },
  );
}

/** Rules 1 to 3: which local part and domain the request names, the local trimmed, lower case. */
function readRequest(
  input: AddressInput,
): { local: string; domainText: string } | AddressFailure {
  const domainText = (input.domain ?? "").trim().toLowerCase();
  // An empty field counts as given, and is wrong; if the other one is filled in, it is ignored.
  const localPart = input.email_address ? input.local_part || null : input.local_part ?? null;
  const emailAddress = input.local_part ? input.email_address || null : input.email_address ?? null;
  const unnamed = localPart === null && emailAddress === null;
  if (domainText === "" || unnamed) {
    return failure(
      "MISSING_FIELDS",
      domainText === ""
        ? "The field domain is required."
        : "One of local_part and email_address is required.",
      {
        fields: [
          ...(domainText === "" ? ["domain"] : []),
          ...(unnamed ? ["local_part", "email_address"] : []),
        ],
      },
    );
  }
  const named = localPart === null ? null : foldLocal(localPart.trim());
  if (emailAddress === null) return { local: named ?? "", domainText };

  const text = emailAddress.trim();
  const at = text.lastIndexOf("@");
  const local = foldLocal((at < 0 ? text : text.slice(0, at)).trim());
  if (local === "") {
    return failure("BAD_REQUEST", "email_address has nothing before the @.", {
      email_address: text.slice(0, 320),
    });
  }
  if (named !== null && named !== local) {
    return failure("BAD_REQUEST", "local_part and email_address name two addresses.", {
      local_part: named.slice(0, 320),
      email_address: text.slice(0, 320),
    });
  }
  if (at >= 0) {
    const hostText = text.slice(at + 1).trim().toLowerCase();
    const host = normaliseHost(hostText) ?? hostText;
    const expected = normaliseHost(domainText) ?? domainText;
    if (host !== expected) {
      return failure("DOMAIN_MISMATCH", "The host of email_address is not the field domain.", {
        domain_expected: expected.slice(0, 253),
        domain_in_request: host.slice(0, 253),
      });
    }
  }
  return { local, domainText };
}

function failure(
  code: AddressCode,
  message: string,
  details: AddressFailure["details"],
): AddressFailure {
  return { ok: false, code, message, details };
}
