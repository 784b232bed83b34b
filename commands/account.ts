import { planNames } from "../domain/core/plans.ts";
import { describeError } from "../domain/core/log.ts";
import type { Settings } from "../domain/core/settings.ts";
import { type Command, command } from "./command_line.ts";

/** `deno task account`: creates and changes accounts of a running service, with its operator token. */
export function accountCommand(settings: () => Settings): Command {
  return command({
    description: "Creates or changes an account of a running service; needs OPERATOR_TOKEN",
    commands: {
      "set-plan": () =>
        command({
          description: "Changes the plan of an account; needs OPERATOR_TOKEN and BASE_URL",
          args: {
            email: { type: "positional", description: "email of the account", required: true },
            plan: { type: "positional", description: planNames.join(", "), required: true },
          },
          run: ({ email, plan }) =>
            callOperator(settings(), "PUT", "/operator/accounts/plan", { email, plan }),
        }),
      create: () =>
        command({
          description:
            "Creates an account and prints its new password; needs OPERATOR_TOKEN and BASE_URL",
          args: {
            email: { type: "positional", description: "email of the account", required: true },
            plan: { type: "string", description: planNames.join(", "), default: "free" },
            name: { type: "string", description: "the name; by default the email's local part" },
          },
          run: ({ email, plan, name = email.split("@")[0] }) =>
            callOperator(settings(), "POST", "/operator/accounts", { email, plan, name }),
        }),
      "reset-password": () =>
        command({
          description:
            "Prints a link that sets a new password, once within 30 minutes; needs OPERATOR_TOKEN and BASE_URL",
          args: {
            email: { type: "positional", description: "email of the person", required: true },
          },
          run: ({ email }) =>
            callOperator(
              settings(),
              "POST",
              "/operator/accounts/reset-password",
              { email },
              ({ link }) => link,
            ),
        }),
      confirm: () =>
        command({
          description: "Confirms the address of a person; needs OPERATOR_TOKEN and BASE_URL",
          args: {
            email: { type: "positional", description: "email of the person", required: true },
          },
          run: ({ email }) =>
            callOperator(settings(), "POST", "/operator/accounts/confirm", { email }),
        }),
    },
  });
}

/** Prints the answer of the running service, or what `shown` takes of its `data`; exits with 1 if it refuses or does not answer. */
async function callOperator(
  settings: Settings,
  method: string,
  path: string,
  body: Record<string, unknown>,
  shown?: (data: Record<string, string>) => string,
): Promise<void> {
  if (!settings.OPERATOR_TOKEN) {
    console.error("OPERATOR_TOKEN is not set: the service and this command need the same one.");
    Deno.exit(1);
  }
  const answer = await fetch(`${settings.BASE_URL}${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${settings.OPERATOR_TOKEN}`,
    },
    body: JSON.stringify(body),
  }).catch((error) => {
    console.error(`${settings.BASE_URL} does not answer: ${describeError(error)}`);
    Deno.exit(1);
  });
  const text = await answer.text();
  console.log(answer.ok && shown ? shown(JSON.parse(text).data) : text);
  if (!answer.ok) Deno.exit(1);
}
