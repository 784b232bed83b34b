import { inBrowser } from "./in_browser.ts";
import { people } from "./people.ts";

inBrowser("people in a browser", people);
