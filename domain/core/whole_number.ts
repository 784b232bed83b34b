import { z } from "zod";

const digits = /^-?\d{1,15}$/;

/**
 * A whole number, or its decimal digits as a query string has them. Everything else is refused: `z.coerce` makes 0 of null,
 * "" and [], and 1 of true.
 */
export function wholeNumberField({ least, most }: { least: number; most?: number }) {
  const number = z.int().min(least);
  return z.preprocess(
    (given) => typeof given === "string" && digits.test(given) ? Number(given) : given,
    most === undefined ? number : number.max(most),
  );
}
