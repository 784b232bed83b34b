import { approving } from "./approving.ts";
import { inBrowser } from "./in_browser.ts";
import { longLists } from "./long_lists.ts";
import { troubles } from "./troubles.ts";

inBrowser("troubles, long lists and approval in a browser", {
  ...troubles,
  ...longLists,
  ...approving,
});
