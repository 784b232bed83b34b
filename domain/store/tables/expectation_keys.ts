type Key = Deno.KvKey;

/** Mail that an account has announced. */
export const expectation = (
  userId: string,
  expectationId: string,
): Key => ["expectations", userId, expectationId];
export const expectations = (userId: string): Key => ["expectations", userId];
/** Those of a mailbox that mail can still meet, the oldest first: the same row again. */
export const openExpectation = (
  userId: string,
  mailboxId: string,
  expectationId: string,
): Key => ["expectations_open", userId, mailboxId, expectationId];
export const openExpectations = (
  userId: string,
  mailboxId: string,
): Key => ["expectations_open", userId, mailboxId];
/** An email that met an expectation, also one that is deleted: it meets no other. Its mailbox. */
export const expectedEmail = (
  userId: string,
  emailId: string,
): Key => ["expected_emails", userId, emailId];
export const expectedEmails = (userId: string): Key => ["expected_emails", userId];
