import assert from "node:assert/strict";
import { findVerification } from "../../../mime/verification/verification.ts";

/** Subject, text, and the one code that is to be found, or null. */
const cases: [subject: string, text: string, code: string | null][] = [
  ["", "Your verification code for Acme Bank is 482913.\n\n94103 San Francisco, CA", "482913"],
  ["", "Votre code de vérification pour Acme est 204 857.\n\n75008 Paris", "204857"],
  ["", "Ihr Bestätigungscode für Acme lautet: 204 857\n\n10117 Berlin", "204857"],
  ["", "Ваш код подтверждения: 590273\n101000 Москва", "590273"],
  ["", "Az ellenőrző kódja: 509318\n1051 Budapest", "509318"],
  ["", "Tu código de verificación de Acme es 482913.\n28013 Madrid", "482913"],
  ["", "Il tuo codice di verifica per accedere è 482913\n00184 Roma", "482913"],
  ["", "Hi! 482913 is your Acme code.\n\n20500 Stevens Creek Blvd", "482913"],
  ["", "Your verification code is 482913.\n\n94103 San Francisco", "482913"],
  ["", "Your verification code is 482913 to access your account.", "482913"],
  ["", "Your login code is 482913 to log in to your account.", "482913"],
  ["", "Use 482913 to sign in to your account.", "482913"],
  ["", "Enter 482913 to confirm your account.", "482913"],
  ["", "Your code is 482913 - use it to verify your account", "482913"],
  ["", "Ihr Code lautet 482913 für Ihr Konto.", "482913"],
  ["", "Introduce este código para iniciar sesión en tu cuenta: 593021", "593021"],
  ["", "Inserisci il codice 593021 per accedere al tuo account.", "593021"],
  ["", "Din kod för att logga in på ditt konto är 593021.", "593021"],
  ["Sign in to your Acme account", "Code: 482913", "482913"],
  ["New member sign-in", "Please sign in with the code 482913.", "482913"],
  [
    "Your Steam account: Access from new computer",
    "Here is the Steam Guard code you need to login to account bob:\n\n7KQRT",
    "7KQRT",
  ],
  [
    "",
    "Your security code for account ann@example.org is 482913.\n\n2550 Great America Way",
    "482913",
  ],
  ["", "Your login code for account 12345678 is 482913", "482913"],
  ["", "Your OTP is 118209 (Ref no. 55123)", "118209"],
  ["", "Your OTP is 118209 (Ref: XKQP)", "118209"],
  ["", "OTP: 482913, Ref: ABCD", "482913"],
  ["", "Your verification code: 482913 (order 55123)", "482913"],
  ["", "Your verification code is 482913 for order 55123.", "482913"],
  ["", "Use verification code 482913 to approve your payment of $45.00 at Shop 7711.", "482913"],
  ["", "482913 is the OTP for your transaction of Rs 4,500 on card ending 8821.", "482913"],
  ["", "Your verification code for ticket booking is 482913", "482913"],
  ["Sign in", "Enter the code AB3K9Z in the app.", "AB3K9Z"],
  ["Sign in", "Click the link or enter code AB3K9Z.", "AB3K9Z"],
  ["Inlogcode", "Gebruik code 903118 om in te loggen.", "903118"],
  ["Kode", "Bruk koden 593021 for å logge inn på kontoen.", "593021"],
  ["", "Ο κωδικός επαλήθευσής σας είναι 731884.", "731884"],
  ["Confirm your email", "Please enter the following: 482913", "482913"],
  ["", "Your gift card code is X8K2-99PQ-ZZ12.", null],
  ["", "Your discount code is SAVE20-7781", null],
  ["", "The area code is 0207 and the postal code is 90210.", null],
  ["", "Your account number is 48291377.", null],
  ["", "Account: 48291377", null],
  ["", "Kontonummer: 48291377. Bitte bestätigen.", null],
  [
    "Confirm your order",
    "Your order 482913 is confirmed. Sign in to your account to see it.",
    null,
  ],
  ["Welcome", "Your member ID is 482913. Sign in to your account.", null],
  [
    "",
    "Your previous code 111222 is no longer valid.\nYour new verification code is 482913.",
    "482913",
  ],
  ["", "Your verification code:\n482913\n94103 San Francisco", "482913"],
  ["", "Your verification code (requested 2026):\n\n482913", "482913"],
];

for (const form of ["text", "HTML"] as const) {
  Deno.test(`the words around a number say whose it is: codes beside addresses, accounts and orders, as ${form}`, () => {
    for (const [subject, text, code] of cases) {
      const lines = text.split("\n").filter((line) => line !== "");
      const html = lines.map((line) => `<p>${line}</p>`).join("");
      const mail = form === "text" ? { text, html: null } : { text: "", html };
      const { best_code, codes } = findVerification({ subject, ...mail });
      assert.equal(best_code, code, text);
      assert.equal(codes.length, code === null ? 0 : 1, text);
    }
  });
}
