import { inBrowser } from "./in_browser.ts";
import { providerSignIn } from "./provider_sign_in.ts";

inBrowser("sign-in with a provider in a browser", providerSignIn);
