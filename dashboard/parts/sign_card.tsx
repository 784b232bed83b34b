import type { ComponentChildren } from "preact";
import { words } from "../words.ts";

/** The page of somebody who is not signed in: one card with a title. */
export function SignCard(
  { title, lead, children }: { title: string; lead?: string; children: ComponentChildren },
) {
  return (
    <main class="sign-in">
      <div class="sign-card">
        <div class="brand big">
          <span class="mark" aria-hidden="true" />
          {words.brand}
        </div>
        <h1>{title}</h1>
        {lead && <p class="muted">{lead}</p>}
        {children}
      </div>
      <p class="muted small-text">
        <a href="/docs">{words.signIn.reference}</a> · <a href="/llms.txt">llms.txt</a>
      </p>
    </main>
  );
}
