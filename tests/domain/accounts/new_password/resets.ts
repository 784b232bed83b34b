import PostalMime from "postal-mime";
import { personOf } from "../../../../domain/accounts/member.ts";
import { newResetLink } from "../../../../domain/accounts/new_password/reset_links.ts";
import type { SmtpRelay } from "../../../adapters/mailer/smtp_relay.ts";
import type { TestService } from "../../../service.ts";

export const env = { BASE_URL: "https://box.example" };
export const next = "another long password";

export const forgot = (test: TestService, email: string) =>
  test.request("/api/auth/password/forgot", { json: { email } });

export const reset = (test: TestService, token: string, new_password = next) =>
  test.request("/api/auth/password/reset", { json: { token, new_password } });

export const login = (test: TestService, email: string, password: string) =>
  test.request("/api/auth/login", { json: { email, password } });

export const tokenIn = (text: string) => /\/app\/reset\?token=(lbxo_\w+)/.exec(text)?.[1] ?? "";

/** The token of a new link, without its mail. */
export async function newToken(test: TestService, owner: { userId: string }): Promise<string> {
  return tokenIn((await newResetLink(test.service, personOf(owner))).link);
}

/** The text of each mail that the relay took. */
export async function texts({ taken }: SmtpRelay): Promise<string[]> {
  return await Promise.all(taken.map(async ({ raw }) => (await PostalMime.parse(raw)).text ?? ""));
}
