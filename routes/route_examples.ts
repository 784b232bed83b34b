/** An input and an output of an operation, as the reference shows them; a test parses each with the operation's schemas. */
export interface RouteExample {
  input: Record<string, unknown>;
  output: Record<string, unknown>;
}

/** By operation name. */
export const routeExamples: Record<string, RouteExample> = {};
