import { apps } from "./connected_apps.ts";
import { consent } from "./consent.ts";
import { inBrowser } from "./in_browser.ts";
import { providerSignIn } from "./provider_sign_in.ts";

inBrowser("connecting apps and sign-in with a provider in a browser", {
  ...consent,
  ...apps,
  ...providerSignIn,
});
