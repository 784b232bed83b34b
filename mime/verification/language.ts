/**
 * Words of one language about codes, each field the source of an expression in lower case whose repetitions are
 * bounded. A word is found with any ending unless the field says otherwise.
 */
export interface Language {
  /** The nouns for "code", with their endings. */
  code: string;
  /** What a code is for, or how often it is used: beside the noun it names a code ("verification", "one-time"). */
  kinds?: string;
  /** The nouns for "password". With {@link once} near, or in a mail about a payment, they name a code too. */
  password?: string;
  once?: string;
  /** Payments, purchases and transfers. */
  pay?: string;
  /** Approving and confirming them. */
  approve?: string;
  /** Telling nobody. */
  secret?: string;
  /** A whole word for "is". */
  is?: string;
  /** Whole words that ask to type something in. */
  enter?: string;
  /** Signing in, and new passwords. */
  signIn?: string;
  /** Orders, invoices, parcels, customers, postal codes, telephones, references. */
  others?: string;
  /** Discounts. */
  shop?: string;
  /** True if words have no blanks between them, or take prefixes. */
  glued?: true;
}
