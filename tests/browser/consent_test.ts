import { apps } from "./connected_apps.ts";
import { consent } from "./consent.ts";
import { inBrowser } from "./in_browser.ts";

inBrowser("connecting apps in a browser", { ...consent, ...apps });
