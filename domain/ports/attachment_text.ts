import type { TextKind } from "../../mime/body/attachment_kinds.ts";

/** Reads the text of files that strangers send. */
export interface AttachmentTexts {
  /**
   * The text of a file, at most a million UTF-16 code units of it; null if it is broken, encrypted or not of this kind,
   * if it has no text, or if reading it takes more than 10 s or 256 MB. Files are read one after another. Throws only
   * SERVICE_UNAVAILABLE, if the service stops. `bytes` cannot be used afterwards. `charset` is the one that the mail
   * declares for a text or HTML.
   */
  read(kind: TextKind, bytes: Uint8Array, charset?: string | null): Promise<string | null>;
  /** How many of the first bytes of a file `read` uses; undefined: all. */
  usedBytes(kind: TextKind): number | undefined;
  close(): void;
}
