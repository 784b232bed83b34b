// Signs up somewhere with a code: makes a mailbox, announces the mail that it expects, causes it, and takes the code.
import { Letterbox } from "../sdk/typescript/src/index.ts";
import { apiKey, baseUrl, somebodyWrites } from "./settings.ts";

const letterbox = new Letterbox({ baseUrl, apiKey });

/** Stands for the form of a shop, which mails a code. */
async function signUpAtShop(address: string): Promise<void> {
  await somebodyWrites({
    from: "no-reply@shop.example",
    to: address,
    subject: "Confirm your address",
    text: "Your verification code is 482 913. It is valid for ten minutes.",
  });
}

const { mailbox_id, email_address } = await letterbox.mailboxes.create({ generate: true });
// Announced before the mail is caused, so that no older code and no stranger's code can be taken for it.
const { expectation_id } = await letterbox.expectations.create({
  mailbox_id,
  from_domain: "shop.example",
  kind: "code",
});
await signUpAtShop(email_address);
const { status, code } = await letterbox.expectations.get(expectation_id, { timeout_seconds: 60 });
if (status !== "matched") throw new Error("no code came");
console.log(`the code for ${email_address} is ${code}`);
