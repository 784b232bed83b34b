import { data, type TestAccount, type TestService } from "../../service.ts";
import { eventually } from "../../eventually.ts";

/** The subjects of an account's processed mail, as soon as there are `count`. */
export async function processedOf(
  test: TestService,
  owner: TestAccount,
  count: number,
): Promise<string[]> {
  return await eventually(`${count} processed emails`, async () => {
    const emails: { subject: string; processed: boolean }[] = await data(
      test.request("/v1/api/emails", { token: owner.key }),
    );
    const done = emails.filter(({ processed }) => processed).map(({ subject }) => subject);
    return done.length >= count && done;
  }, test.log);
}
