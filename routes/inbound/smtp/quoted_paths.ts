import { shortestAddress } from "../../../mime/headers/quoted_locals.ts";

/** The part of a connection of smtp-server that reads the argument of MAIL and RCPT. */
export interface ParsesPaths {
  _parseAddressCommand(name: string, command: string): { address: string } | false;
}

/**
 * Makes a connection take quoted local parts, as in `MAIL FROM:<"odd user"@example.com>` (RFC 5321, section 4.1.2), which
 * smtp-server cuts at their blanks. It reads a word of the same length in their place.
 */
export function takeQuotedPaths(connection: ParsesPaths): void {
  const parse = connection._parseAddressCommand.bind(connection);
  connection._parseAddressCommand = (name, command) => {
    const text = String(command ?? "");
    const [, before, local, after] = quotedPath.exec(text) ?? [];
    if (local === undefined) return parse(name, command);
    const word = "q".repeat(local.length);
    const parsed = parse(name, `${before}${word}${after}`);
    if (parsed && parsed.address?.startsWith(`${word}@`)) {
      parsed.address = shortestAddress(local + parsed.address.slice(word.length));
    }
    return parsed;
  };
}

/** The command up to the local part, with a source route (appendix C), the local part with its quotes, and the rest. */
const quotedPath =
  // deno-lint-ignore no-control-regex -- control characters are what is refused here
  /^([^:<]{1,20}:\s*<(?:@[^\s":<>]*:)?)("(?:[^"\\\x00-\x1f\x7f-\x9f]|\\[\x20-\x7e]){1,200}")(@[^]*)$/;
