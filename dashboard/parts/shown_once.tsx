import type { ComponentChildren } from "preact";
import { words } from "../words.ts";
import { Dialog } from "./form.tsx";
import { Copy } from "./small.tsx";

/** A secret that the service shows once: afterwards the page does not have it any more. */
export function ShownOnce(
  { title, lead, secret, onClose, children }: {
    title: string;
    lead: string;
    secret: string;
    onClose: () => void;
    children?: ComponentChildren;
  },
) {
  return (
    <Dialog title={title} onClose={onClose} wide stays>
      <p class="notice">{lead}</p>
      <div class="secret">
        <code>{secret}</code>
        <Copy text={secret} />
      </div>
      {children}
      <footer>
        <button type="button" class="button primary" onClick={onClose}>{words.stored}</button>
      </footer>
    </Dialog>
  );
}
