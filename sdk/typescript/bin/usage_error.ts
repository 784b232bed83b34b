/** A wrong command line; the message says how to correct it. */
export class UsageError extends Error {}
