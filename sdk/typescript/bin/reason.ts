/** What the innermost cause of an error says, such as "self-signed certificate"; undefined without a cause. */
export function reasonOf({ cause }: { cause?: unknown }): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  // Node gives no message if all addresses of a name refuse.
  return reasonOf(cause) || cause.message || (cause as { code?: string }).code;
}
