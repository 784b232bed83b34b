import { z } from "zod";
import { isRecent } from "../../core/clock.ts";
import { openOperation } from "../../core/operation.ts";
import * as keys from "../../store/keys.ts";
import { sha256Hex } from "../secrets.ts";

const hourMs = 3_600_000;
const mailsAnHour = 3;

/**
 * `POST /api/auth/password/forgot`. Nothing here asks whether the email exists: the job does. So answer and work are the
 * same for every address (OWASP ASVS 5.0 6.3.8).
 */
export const forgotPassword = openOperation({
  name: "forgot_password",
  title: "Ask for a link that sets a new password",
  description:
    "Mails a link that sets a new password, once within 30 minutes, to the person who logs in with this email, at most 3 an hour. The answer is the same for every email.",
  scope: null,
  input: z.object({ email: z.string().max(320) }),
  output: z.object({ message: z.string() }).meta({ id: "AskedForReset" }),
  // NOT_FOUND with PASSWORD_LOGIN=off.
  errors: ["VALIDATION_ERROR", "NOT_FOUND"],
  async run({ database, clock, jobs, mailer }, _guest, { email }) {
    if (mailer.isOutbox) {
      return { message: "This service sends no mail: ask its operator for a link." };
    }
    const lower = email.toLowerCase();
    const now = clock.now();
    await database.transact(async (tx) => {
      const key = keys.resetsAsked(sha256Hex(lower));
      const asked = (await tx.get<number[]>(key) ?? []).filter((at) => isRecent(at, now, hourMs));
      if (asked.length >= mailsAnHour) return;
      tx.set(key, [...asked, now], { expireInMs: hourMs });
      jobs.add(tx, "send_reset", { email: lower });
    });
    return {
      message: "If somebody logs in with this address, a link is on its way to it. " +
        "It works once, for 30 minutes; at most 3 links are mailed an hour.",
    };
  },
});
