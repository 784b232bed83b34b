/** A value as JSON text, where that is how it is kept: it goes into an answer without being parsed and printed. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Whether one of the fields is JSON text. */
export function holdsText(value: unknown): boolean {
  return value !== null && typeof value === "object" &&
    Object.values(value).some((field) => field instanceof JsonText);
}

/** As JSON.stringify, with the fields that are JSON text as they are. */
export function jsonOf(value: unknown): string {
  if (!holdsText(value)) return JSON.stringify(value);
  // Added up, not joined: what is long is copied once, when the whole is sent.
  let text = "";
  for (const [name, field] of Object.entries(value as Record<string, unknown>)) {
    if (field === undefined) continue;
    text += `${text === "" ? "{" : ","}${JSON.stringify(name)}:`;
    text += field instanceof JsonText ? field.text : JSON.stringify(field);
  }
  return text + "}";
}
