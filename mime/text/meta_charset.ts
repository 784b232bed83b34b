/** The charset that HTML declares itself, in a `meta` element near its beginning; null if it does not. */
export function metaCharset(html: Uint8Array): string | null {
  const front = String.fromCharCode(...html.subarray(0, 2048));
  return /<meta[^<>]{0,200}charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(front)?.[1] ?? null;
}
