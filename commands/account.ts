import { planNames } from "../domain/core/plans.ts";
import { describeError } from "../domain/core/log.ts";
import type { Settings } from "../domain/core/settings.ts";
import { type Command, command } from "./command_line.ts";

/** `deno task account`: changes accounts of a running service, with its operator token. */
export function accountCommand(settings: () => Settings): Command {
  return command({
    description: "Changes an account of a running service; needs OPERATOR_TOKEN",
    commands: {
      "set-plan": () =>
        command({
          description: "Changes the plan of an account; needs OPERATOR_TOKEN and BASE_URL",
          args: {
            email: { type: "positional", description: "email of the account", required: true },
            plan: { type: "positional", description: planNames.join(", "), required: true },
          },
          run: ({ email, plan }) => setPlan(settings(), email, plan),
        }),
    },
  });
}

async function setPlan(settings: Settings, email: string, plan: string): Promise<void> {
  if (!settings.OPERATOR_TOKEN) {
    console.error("OPERATOR_TOKEN is not set: the service and this command need the same one.");
    Deno.exit(1);
  }
  const answer = await fetch(`${settings.BASE_URL}/operator/accounts/plan`, {
    method: "PUT",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${settings.OPERATOR_TOKEN}`,
    },
    body: JSON.stringify({ email, plan }),
  }).catch((error) => {
    console.error(`${settings.BASE_URL} does not answer: ${describeError(error)}`);
    Deno.exit(1);
  });
  console.log(await answer.text());
  if (!answer.ok) Deno.exit(1);
}
