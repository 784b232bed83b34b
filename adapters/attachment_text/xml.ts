import { Parser } from "htmlparser2";
import type { TextSink } from "./limits.ts";

/** Gets the elements and texts of an XML file, in order. Names come without their namespace prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

const pieceBytes = 64 * 1024;

/** Tables in tables reach 100. The parser takes time in proportion to the depth for each element. */
const maxDepth = 1_000;

/**
 * Reads XML in pieces until its end, or until `sink` is full. Entities of a DTD are not expanded. Throws if elements are
 * nested more than 1,000 deep.
 */
export function readXml(bytes: Uint8Array, handler: XmlHandler, sink: TextSink): void {
  const bare = (name: string) => name.slice(name.indexOf(":") + 1);
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > maxDepth) throw new Error("nested too deep");
      handler.open?.(bare(name), attributes);
    },
    ontext: (text) => handler.text?.(text),
    onclosetag(name) {
      depth--;
      handler.close?.(bare(name));
    },
  }, { xmlMode: true, decodeEntities: true });
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length && !sink.isFull; at += pieceBytes) {
    parser.write(decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true }));
  }
  parser.end();
}
