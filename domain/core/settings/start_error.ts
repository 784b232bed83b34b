/**
 * Thrown at the start if a setting names something, such as a file, that cannot be used. The message is one sentence
 * with both.
 */
export class StartError extends Error {}
