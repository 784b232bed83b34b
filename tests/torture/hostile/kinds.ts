import type { HostileKind } from "./message.ts";
import { addressKinds } from "./kinds/addresses.ts";
import { attachmentKinds } from "./kinds/attachments.ts";
import { encodedWordKinds } from "./kinds/encoded_words.ts";
import { encodingKinds } from "./kinds/encodings.ts";
import { headerKinds } from "./kinds/headers.ts";
import { htmlKinds } from "./kinds/html.ts";
import { mimeKinds } from "./kinds/mime.ts";
import { plainKinds } from "./kinds/plain.ts";
import { reportKinds } from "./kinds/reports.ts";
import { unparsedKinds } from "./kinds/unparsed.ts";

/** Every kind of hostile mail. */
export const hostileKinds: readonly HostileKind[] = [
  ...headerKinds,
  ...addressKinds,
  ...encodedWordKinds,
  ...mimeKinds,
  ...attachmentKinds,
  ...encodingKinds,
  ...htmlKinds,
  ...plainKinds,
  ...reportKinds,
  ...unparsedKinds,
];

/** Sizes of each kind, bytes. */
export const hostileSizes: readonly number[] = [8 * 1024, 64 * 1024, 512 * 1024, 5 * 1024 * 1024];
