/** Refers to a blob: `size` (bytes) and `sha256` are of the bytes before deflate, `chunks` is the number of rows. */
export interface BlobRef {
  blobId: string;
  size: number;
  chunks: number;
  sha256: string;
}
