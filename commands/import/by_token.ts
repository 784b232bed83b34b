import type { Message, Outcome } from "../../archives/bring.ts";
import { patientFetch, reach } from "../patient_fetch.ts";
import { byToken, outcomeOf } from "../../archives/delivery.ts";

/**
 * Delivers messages to an address of the service with an inbound token. Throws if the service does not answer, or does not accept
 * the token.
 */
export function tokenPost(
  url: string,
  token: string,
  to: string,
): (message: Message) => Promise<Outcome> {
  let reached: Promise<void> | undefined;
  return async (message) => {
    // A wrong URL is named at once; later failures are tried again.
    await (reached ??= reach(url));
    const { path, headers, body } = byToken(to, message);
    const answer = await patientFetch(url + path, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${token}` },
      body,
    });
    const outcome = outcomeOf(answer.status, await answer.json().catch(() => ({})));
    if (outcome) return outcome;
    throw new Error(
      answer.status === 401
        ? "the service does not accept this inbound token"
        : `${message.name}: the service answers ${answer.status}`,
    );
  };
}
