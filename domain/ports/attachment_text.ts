/** A file that is loaded only when its turn comes: those that wait take no memory. */
export interface FileSource {
  /** The account: accounts take turns. */
  userId: string;
  kind: string;
  /** The one that the mail declares for a text or HTML. */
  charset?: string | null;
  /** The bytes cannot be used afterwards. null: there are none. */
  load(): Promise<Uint8Array | null>;
}

/** Reads the text of files that strangers send. */
export interface AttachmentTexts {
  /**
   * The text of a file, at most a million UTF-16 code units of it; null if it is broken, encrypted or not of this kind,
   * if it has no text, or if reading it takes more than 10 s or 256 MB. Files are read one after another; the account
   * with the least recent work is next. Throws what `load` throws, and SERVICE_UNAVAILABLE if the service stops.
   */
  read(file: FileSource): Promise<string | null>;
  /** How many of the first bytes of a file `read` uses; undefined: all. */
  usedBytes(kind: string): number | undefined;
  close(): void;
}
