import { describeError } from "../domain/core/log.ts";
import type { Settings } from "../domain/core/settings.ts";

/** `account set-plan EMAIL PLAN`: changes a plan through the running service, with its operator token. */
export async function runAccount(
  settings: Settings,
  [action, email, plan]: string[],
): Promise<void> {
  if (action !== "set-plan" || !email || !plan) {
    console.error(
      "usage: deno task account set-plan EMAIL free|pro|enterprise   (OPERATOR_TOKEN and BASE_URL of the running service)",
    );
    Deno.exit(2);
  }
  if (!settings.OPERATOR_TOKEN) {
    console.error("OPERATOR_TOKEN is not set: the service needs one, and this command the same.");
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
