const signature = { compressed: 0x75465a4c, stored: 0x414c454d };
const headerBytes = 16;
const dictionaryBytes = 4096;
/** With these bytes the dictionary begins ([MS-OXRTFCP], section 2.1.2.1). */
const firstBytes =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern " +
  "\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0" +
  "\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/**
 * The RTF in a compressed text of Outlook ([MS-OXRTFCP]), at most `maxBytes`; null for anything else. Of one that is cut
 * off what can be read. Linear time.
 */
export function decompressedRtf(bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  if (bytes.length < headerBytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const size = Math.min(maxBytes, view.getUint32(4, true));
  const content = bytes.subarray(headerBytes);
  const kind = view.getUint32(8, true);
  if (kind === signature.stored) return content.subarray(0, size);
  return kind === signature.compressed ? decompressed(content, size) : null;
}

/** A byte says of eight tokens which are bytes (0) and which refer to the dictionary: 12 bits of place, 4 of length. */
function decompressed(content: Uint8Array, size: number): Uint8Array {
  const dictionary = new Uint8Array(dictionaryBytes);
  for (let n = 0; n < firstBytes.length; n++) dictionary[n] = firstBytes.charCodeAt(n);
  let place = firstBytes.length;
  // A reference of two bytes gives at most 17.
  const out = new Uint8Array(Math.min(size, 9 * content.length));
  let length = 0;
  const write = (byte: number) => {
    if (length < out.length) out[length++] = byte;
    dictionary[place] = byte;
    place = (place + 1) % dictionaryBytes;
  };
  for (let at = 0; at < content.length && length < out.length;) {
    const flags = content[at++];
    for (let bit = 0; bit < 8 && at < content.length; bit++) {
      if ((flags >> bit & 1) === 0) {
        write(content[at++]);
        continue;
      }
      const reference = content[at] << 8 | content[at + 1];
      at += 2;
      const from = reference >> 4;
      if (from === place) return out.subarray(0, length);
      for (let n = 0; n < (reference & 15) + 2; n++) {
        write(dictionary[(from + n) % dictionaryBytes]);
      }
    }
  }
  return out.subarray(0, length);
}
