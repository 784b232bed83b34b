import { inBrowser } from "./in_browser.ts";
import { secondLook } from "./second_look.ts";

inBrowser("the dashboard at a second look", secondLook);
