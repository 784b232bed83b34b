/** The pieces as one array; a single piece is returned itself, not copied. `size` is their length together. */
export function concatBytes(
  pieces: readonly Uint8Array[],
  size = pieces.reduce((sum, { length }) => sum + length, 0),
): Uint8Array {
  if (pieces.length === 1) return pieces[0];
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
