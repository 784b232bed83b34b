import { inBrowser } from "./in_browser.ts";
import { passwords } from "./passwords.ts";

inBrowser("passwords", passwords);
