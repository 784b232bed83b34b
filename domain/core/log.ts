/** Writes one line for each event: its name, and facts as fields. Never a secret, a body, or the full text of a sender. */
export type LogLevel = "debug" | "info" | "warn" | "error";
export type Facts = Record<string, string | number | boolean | null | undefined>;
export interface Log {
  debug(event: string, facts?: Facts): void;
  info(event: string, facts?: Facts): void;
  warn(event: string, facts?: Facts): void;
  error(event: string, facts?: Facts): void;
}

const order: LogLevel[] = ["debug", "info", "warn", "error"];

/** Writes lines of at least `level` to `write`: JSON for machines, `time event key=value` for people. */
export function createLog(
  options: {
    level: LogLevel;
    format: "json" | "pretty";
    now?: () => number;
    write?: (line: string) => void;
  },
): Log {
  const write = options.write ?? ((line: string) => console.log(line));
  const now = options.now ?? Date.now;
  const emit = (level: LogLevel) => (event: string, facts: Facts = {}) => {
    if (order.indexOf(level) < order.indexOf(options.level)) return;
    const time = new Date(now()).toISOString();
    if (options.format === "json") return write(JSON.stringify({ time, level, event, ...facts }));
    const fields = Object.entries(facts).filter(([, value]) => value !== undefined)
      .map(([name, value]) =>
        `${name}=${
          typeof value === "string" && /[\s"=]/.test(value) ? JSON.stringify(value) : value
        }`
      );
    write(
      [time.slice(11, 23), level === "info" ? "" : level.toUpperCase(), event, ...fields].filter(
        Boolean,
      ).join(" "),
    );
  };
  return { debug: emit("debug"), info: emit("info"), warn: emit("warn"), error: emit("error") };
}

/**
 * An unknown exception for a log: its name and the first line of its message, at most 300 characters. For a ServiceError
 * with a cause, which its caller does not see, those of the cause.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error.name === "ServiceError" && error.cause) return describeError(error.cause);
  return `${error.name}: ${error.message.split("\n")[0]}`.slice(0, 300);
}
