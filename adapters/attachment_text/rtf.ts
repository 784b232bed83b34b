import { htmlToText } from "../../mime/body/html_text.ts";
import { readRtf } from "../../mime/body/rtf.ts";
import { TextSink } from "./limits.ts";

/** The text of an RTF file, without hidden text (`\v`). Throws if the file is not RTF. */
export function rtfText(bytes: Uint8Array): string {
  const { text, isHtml } = readRtf(bytes);
  const sink = new TextSink();
  sink.add(isHtml ? htmlToText(text) : text);
  return sink.text;
}
