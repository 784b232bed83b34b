/** A value that is stored as JSON text: it is copied into the response without being parsed and printed. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Whether one of the fields is JSON text. */
export function holdsText(value: unknown): boolean {
  return value !== null && typeof value === "object" &&
    Object.values(value).some((field) => field instanceof JsonText);
}

/** As JSON.stringify; fields that are JSON text are copied. */
export function jsonOf(value: unknown): string {
  if (!holdsText(value)) return JSON.stringify(value);
  // `+=`, not join: long text is copied once, when the whole is sent.
  let text = "";
  for (const [name, field] of Object.entries(value as Record<string, unknown>)) {
    if (field === undefined) continue;
    text += `${text === "" ? "{" : ","}${JSON.stringify(name)}:`;
    text += field instanceof JsonText ? field.text : JSON.stringify(field);
  }
  return text + "}";
}
