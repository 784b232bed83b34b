import { z } from "zod";
import { invalidField, ServiceError } from "../core/errors.ts";
import { operation, type OperationCall } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import { recordChange } from "../changes/change.ts";
import * as keys from "../store/keys.ts";
import {
  type AddressFailure,
  type AddressInput,
  type AddressVerdict,
  checkAddress,
  emailTaken,
  mailboxQuota,
} from "./check_address.ts";
import { addressFacts, claimAddress, isFree } from "./address_claims.ts";
import type { Route } from "./route.ts";
import type { Caller } from "../core/caller.ts";
import { type Mailbox, mailboxRecord, mailboxRecordOf } from "./mailbox.ts";
import type { Ids } from "../core/ids.ts";

/** The fields by which create and rename name an address; `checkAddress` reports what is missing or contradictory. */
export const addressInput = z.object({
  local_part: z.string().nullish().describe("The part before the @; this or email_address"),
  email_address: z.string().nullish()
    .describe("The part before the @, or the whole address, whose host must be domain"),
  domain: z.string().nullish().describe(
    "A shared domain, or a verified one of the account; required, unless the name is generated",
  ),
});

/** Every code of the creation rules, for the operations that apply them. */
export const addressErrors = [
  "BAD_REQUEST",
  "MISSING_FIELDS",
  "VALIDATION_ERROR",
  "FORBIDDEN",
  "EMAIL_TAKEN",
  "LOCAL_TOO_SHORT",
  "INVALID_LOCAL",
  "DISALLOWED_LOCAL",
  "DOMAIN_MISMATCH",
  "DOMAIN_NOT_ALLOWED",
] as const;

export const createMailbox = operation({
  name: "create_mailbox",
  title: "Create a mailbox",
  description:
    "Makes a mailbox that receives at once. Give domain and local_part, or domain and email_address, or `generate: true`: then the service chooses a " +
    "free name, on the first shared domain if no domain is given. A plan allows a number of mailboxes; the address must be nobody's.",
  scope: "mailboxes:write",
  audit: "change",
  input: addressInput.extend({
    generate: z.boolean().nullish().describe(
      "true: the service chooses the name, such as quiet-otter-4821; local_part and email_address must be absent",
    ),
  }),
  output: mailboxRecord,
  errors: [...addressErrors, "MAILBOX_QUOTA"],
  async run(service, caller, { generate, ...input }, call) {
    if (!generate) {
      return await create(service, caller, call, (tx) => judgeNew(tx, service, caller, input));
    }
    const named = (["local_part", "email_address"] as const).find((each) => input[each] != null);
    if (named) throw invalidField(named, "cannot be given with generate");
    const domain = input.domain ?? firstShared(service);
    return await create(
      service,
      caller,
      call,
      (tx) => judgeGenerated(tx, service, caller, domain),
    );
  },
});

/** The tool, which needs no argument (docs/specification.md "MCP"). */
export const createMailboxTool = operation({
  ...createMailbox,
  description:
    "Makes a mailbox: a new email address that receives mail at once. Use it to sign up somewhere, or to keep the mail of one task apart. Without " +
    "arguments the service chooses a free name; local_part asks for a certain one. Keep mailbox_id for the other tools and give email_address to whoever " +
    "is to write. A plan allows a number of mailboxes.",
  input: z.object({
    local_part: z.string().nullish().describe(
      "The part before the @: 5 to 64 letters, digits, '.', '_' and '-'. Absent: the service chooses one, such as quiet-otter-4821",
    ),
    domain: z.string().nullish().describe(
      "A shared domain, or a verified one of the account. Absent: the first shared domain",
    ),
  }),
  async run(service, caller, { local_part, domain: asked }, call) {
    const domain = asked ?? firstShared(service);
    return await create(
      service,
      caller,
      call,
      (tx) =>
        local_part == null
          ? judgeGenerated(tx, service, caller, domain)
          : judgeNew(tx, service, caller, { local_part, domain }),
    );
  },
});

/** Makes a mailbox at the address that `judge` returns. Throws what it refuses. */
async function create(
  service: Service,
  caller: Caller,
  call: OperationCall,
  judge: (tx: Tx) => Promise<AddressVerdict>,
) {
  refuseLimitedKey(caller);
  const mailbox = await service.database.transact(async (tx) => {
    const verdict = await judge(tx);
    if (!verdict.ok) throw failureOf(verdict);
    const now = service.clock.now();
    const created: Mailbox = {
      mailboxId: service.ids.timed(now),
      userId: caller.userId,
      address: verdict.address,
      domain: verdict.domain,
      createdAt: now,
    };
    await claimAddress(tx, service, created);
    const { mailboxId } = created;
    recordChange(tx, caller.userId, { event: "mailbox.created", at: now, mailboxId });
    call.audit({ mailboxId }, tx);
    return created;
  });
  service.log.info("mailbox.created", { user_id: caller.userId, mailbox_id: mailbox.mailboxId });
  return mailboxRecordOf(mailbox);
}

const firstShared = ({ settings }: Service): string | undefined => settings.SHARED_DOMAINS[0];

/** There are 164 million names: the first one is nearly always free. */
const maxGenerated = 20;

/** A free generated name on the domain, or the rule that every name breaks there. */
async function judgeGenerated(
  tx: Pick<Tx, "get">,
  service: Service,
  caller: Caller,
  domain: string | undefined,
): Promise<AddressVerdict> {
  for (let tried = 1;; tried++) {
    const local_part = generatedName(service.ids);
    const verdict = await judgeNew(tx, service, caller, { local_part, domain });
    if (verdict.ok || tried === maxGenerated) return verdict;
    if (verdict.code !== "EMAIL_TAKEN" && verdict.code !== "DISALLOWED_LOCAL") return verdict;
  }
}

/** All nine rules, for the address of a new mailbox. */
export async function judgeNew(
  tx: Pick<Tx, "get">,
  service: Service,
  caller: Caller,
  input: AddressInput,
): Promise<AddressVerdict> {
  const verdict = await judgeAddress(tx, service, caller, input);
  if (!verdict.ok) return verdict;
  const { mailboxes: limit } = service.plans[caller.plan];
  const count = await tx.get<number>(keys.mailboxQuota(caller.userId)) ?? 0;
  if (limit !== null && count >= limit) return mailboxQuota({ count, limit, plan: caller.plan });
  return verdict;
}

/** The rules without the quota, for a new mailbox or for the existing one `keptBy`. */
export async function judgeAddress(
  tx: Pick<Tx, "get">,
  service: Service,
  caller: Caller,
  input: AddressInput,
  keptBy?: string,
): Promise<AddressVerdict> {
  const verdict = checkAddress(input, await addressFacts(tx, service, caller, input.domain));
  if (!verdict.ok) return verdict;
  const route = await tx.get<Route>(keys.mailboxByAddress(verdict.address));
  return isFree(route, caller.userId, service.clock.now(), keptBy)
    ? verdict
    : emailTaken(verdict.address);
}

/** The error of a broken rule. */
export function failureOf({ code, message, details }: AddressFailure): ServiceError {
  return new ServiceError(code, message, details);
}

/** A key that is limited to certain mailboxes could not see the new one. */
function refuseLimitedKey(caller: Caller): void {
  if (caller.mailboxIds) {
    throw new ServiceError("FORBIDDEN", "This key is limited to certain mailboxes.");
  }
}

const adjectives = (
  "amber ample azure bold brave breezy bright brisk calm candid cheery chilly civic clear " +
  "clever coastal cobalt copper coral cosmic cosy crisp curious daring dapper deft dusty " +
  "eager early easy elegant evening fabled fair fancy festive fine fluent fond frank fresh " +
  "friendly frosty gentle gilded glad golden grand green handy happy hardy hazel hearty " +
  "hidden honest humble icy indigo ivory jade jolly keen kind lively loyal lucid lucky lunar " +
  "maple mellow merry mild mint misty modest mossy neat nimble noble northern olive opal open " +
  "patient placid plucky polar polite prime proud quick quiet rapid ready rosy royal ruby " +
  "rustic sandy scarlet serene sharp shiny silent silver sincere smart smooth snowy sober " +
  "solar solid spry stable starry steady stellar sturdy sunny swift tidy tranquil true upbeat " +
  "velvet violet vivid"
).split(" ");

const nouns = (
  "acorn alder anchor apple arbor aspen badger bamboo barley basil beacon beaver birch bison " +
  "bramble breeze brook canyon castle cedar cherry cliff clover comet condor copse cove crane " +
  "creek cricket crocus daisy delta dingo dolphin dune eagle ember falcon feather fennel fern " +
  "ferret finch fjord forest fox garden gecko geyser ginger glacier glade grove gull harbor " +
  "hare harvest hawk hazelnut heron hill hollow ibis inlet island iris jackal jasper juniper " +
  "kestrel kiwi koala lagoon lake lantern lark laurel lemur lilac lily linden lizard lotus " +
  "lynx magpie mango marble marlin marsh marten meadow melon meteor mill moose moth nectar " +
  "newt oak oasis ocean orchard orchid oriole osprey otter owl panda parrot peach pebble " +
  "pepper petal pine planet plover pond poplar puffin quail quartz rabbit raven reef ridge " +
  "river robin"
).split(" ");

/** A local part such as `quiet-otter-4821`: one of 128 * 128 * 10,000. It is not a secret. */
function generatedName(ids: Pick<Ids, "bytes">): string {
  const [first, second, ...rest] = ids.bytes(6);
  const number = new DataView(Uint8Array.from(rest).buffer).getUint32(0) % 10_000;
  const digits = String(number).padStart(4, "0");
  return `${adjectives[first % 128]}-${nouns[second % 128]}-${digits}`;
}
