import { z } from "zod";

const digits = /^-?\d{1,15}$/;

/**
 * A whole number, or its decimal digits as in a query string. Everything else is refused; `z.coerce` would turn null,
 * "" and [] into 0, and true into 1.
 */
export function wholeNumberField({ least, most }: { least: number; most?: number }) {
  const number = z.int().min(least);
  return z.preprocess(
    (given) => typeof given === "string" && digits.test(given) ? Number(given) : given,
    most === undefined ? number : number.max(most),
  );
}
