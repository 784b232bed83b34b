import { data, type TestAccount, type TestService } from "../../service.ts";

/** The subjects of an account's processed mail, as soon as there are `count`. */
export async function processedOf(
  test: TestService,
  owner: TestAccount,
  count: number,
): Promise<string[]> {
  for (;;) {
    const emails: { subject: string; processed: boolean }[] = await data(
      test.request("/v1/api/emails", { token: owner.key }),
    );
    const done = emails.filter(({ processed }) => processed).map(({ subject }) => subject);
    if (done.length >= count) return done;
    await new Promise((wait) => setTimeout(wait, 20));
  }
}
