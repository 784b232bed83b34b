import { inBrowser } from "./in_browser.ts";
import { moving } from "./moving.ts";
import { passwords } from "./passwords.ts";
import { people } from "./people.ts";
import { secondLook } from "./second_look.ts";
import { waiting } from "./waiting.ts";

// Files share a Chromium and a service: they take 4 s of processor to start. The last ones leave a policy that holds mail,
// and end sessions.
inBrowser("a second look, moving mail, people, waiting and passwords in a browser", {
  ...secondLook,
  ...moving,
  ...people,
  ...waiting,
  ...passwords,
});
