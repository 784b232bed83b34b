import { piecesOf } from "../source.ts";

/** Each piece unpacks to at most 1,032 times its size: 16 MiB. */
const pieceBytes = 16 * 1024;

/** Unpacks gzip (RFC 1952). Throws if the data are damaged or break off. */
export async function* inflated(
  packed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  let broken: unknown;
  const feeding = (async () => {
    for await (const piece of packed) {
      for (let at = 0; at < piece.length; at += pieceBytes) {
        await writer.write(piece.slice(at, at + pieceBytes));
      }
    }
    await writer.close();
  })().catch((error) => {
    broken = error;
    writer.abort(error).catch(() => {});
  });
  try {
    yield* piecesOf(readable);
    await feeding;
    if (broken) throw broken;
  } finally {
    writer.abort().catch(() => {});
    await feeding;
  }
}
