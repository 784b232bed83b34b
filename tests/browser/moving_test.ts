import { inBrowser } from "./in_browser.ts";
import { moving } from "./moving.ts";

inBrowser("moving mail in a browser", moving);
