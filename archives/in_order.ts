import { decodedField, fieldsOf, headOf } from "./state/head.ts";

/** What decides whether two messages must keep their order. */
export interface Conversation {
  /** Without what stands before its last colon; "" joins no conversation. */
  subject: string;
  /** It names the messages before it, and finds their conversation in any order. */
  isNamed: boolean;
}

export function conversationOf(raw: Uint8Array): Conversation {
  const { text } = headOf(raw);
  const subject = decodedField(fieldsOf(text, "subject")[0] ?? "");
  return {
    subject: subject.slice(subject.lastIndexOf(":") + 1).trim().toLowerCase(),
    isNamed: fieldsOf(text, "references").length + fieldsOf(text, "in-reply-to").length > 0,
  };
}

/**
 * Whether the service may put two messages into other conversations if they come in another order: an answer that names no
 * message before it joins the newest conversation of its subject.
 */
export function keepOrder(one: Conversation, other: Conversation): boolean {
  return one.subject !== "" && one.subject === other.subject && !(one.isNamed && other.isNamed);
}
