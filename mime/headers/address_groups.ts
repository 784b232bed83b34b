const closing: Record<string, string> = { '"': '"', "(": ")", "<": ">" };

/**
 * An address list without nested groups, which RFC 5322 section 3.4 does not allow: a colon inside a group becomes a
 * comma. postal-mime reads a group again for each of up to fifty levels: 64 KiB of `a:a:a:` took 125 ms.
 */
export function withoutNestedGroups(text: string): string {
  if (text.indexOf(":") === text.lastIndexOf(":")) return text;
  return walk(text, (from) => {
    const end = text.indexOf(";", from);
    return end < 0 ? text.length : end;
  });
}

/** Copies a list. `groupEnd` returns the end of the group that a colon begins; inside a group it is null. */
function walk(text: string, groupEnd: ((from: number) => number) | null): string {
  const pieces: string[] = [];
  let copied = 0;
  let expected = "";
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (expected !== "") {
      if (c === expected) expected = "";
      else if (expected === '"' && c === "\\") at++;
    } else if (c === ":") {
      const end = groupEnd?.(at) ?? at + 1;
      pieces.push(text.slice(copied, at));
      pieces.push(groupEnd ? ":" + walk(text.slice(at + 1, end), null) : ",");
      copied = end;
      at = end - 1;
    } else expected = closing[c] ?? "";
  }
  pieces.push(text.slice(copied));
  return pieces.join("");
}

/** The list up to its `most`-th comma or semicolon; those inside names count too. */
export function firstEntries(text: string, most: number): string {
  let seen = 0;
  for (let at = 0; at < text.length; at++) {
    if ((text[at] === "," || text[at] === ";") && ++seen > most) return text.slice(0, at);
  }
  return text;
}
