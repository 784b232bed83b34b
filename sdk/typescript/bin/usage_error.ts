/** A wrong command line; the message says what is right. */
export class UsageError extends Error {}
