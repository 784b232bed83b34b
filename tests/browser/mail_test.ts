import { budget } from "./budget.ts";
import { conversation } from "./conversation.ts";
import { hostileMail } from "./hostile.ts";
import { inBrowser } from "./in_browser.ts";
import { longNames } from "./long_names.ts";
import { unsent } from "./unsent.ts";
import { walks } from "./walks.ts";
import { wholeMessages } from "./whole_messages.ts";

inBrowser("mail in a browser: hostile, long, unsent", {
  ...hostileMail,
  ...walks,
  ...budget,
  ...longNames,
  ...wholeMessages,
  ...unsent,
  ...conversation,
});
