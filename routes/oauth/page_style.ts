const dashboard = new URL("../../dashboard/", import.meta.url);
const tokens = Deno.readTextFileSync(new URL("styles/01_tokens.css", dashboard));

/** The dashboard's dark theme is an attribute that its script sets; here the system alone decides. */
const darkTokens = /:root\[data-theme="dark"\] (\{[^}]*\})/;

export const pageStyle = `${
  tokens.replace(darkTokens, "@media (prefers-color-scheme: dark) { :root $1 }")
}
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; padding: 24px 16px; background: var(--paper); color: var(--ink);
  font: 400 var(--t-4)/24px var(--sans); overflow-wrap: anywhere; -webkit-font-smoothing: antialiased; }
main { max-width: 520px; margin: 0 auto; padding: 28px; background: var(--card);
  border: 1px solid var(--line); border-radius: 16px; box-shadow: var(--shadow); }
h1 { margin: 20px 0 12px; font-size: var(--t-5); line-height: 28px; font-weight: 650; letter-spacing: -.015em; }
p { margin: 0 0 12px; }
a { color: var(--link); text-underline-offset: 2px; }
code { font: .93em var(--mono); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.muted { color: var(--ink-2); font-size: var(--t-3); line-height: 20px; }
.muted b { display: inline-block; max-width: 100%; font-weight: 550; }
.brand { display: flex; align-items: center; gap: 10px; margin: 0; font-weight: 650; }
.brand svg { width: 24px; height: 24px; flex: none; }
.facts { margin: 0 0 12px; padding: 4px 14px; background: var(--sunk); border-radius: var(--r-2); }
.facts div { display: flex; gap: 12px; padding: 7px 0; overflow: hidden; }
.facts dt { flex: none; width: 80px; color: var(--ink-2); }
.facts dd { margin: 0; min-width: 0; font-weight: 550; }
.error { padding: 10px 14px; color: var(--bad); background: var(--bad-back); border-radius: var(--r-2); }
fieldset { min-width: 0; margin: 24px 0 0; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: 4px; font-weight: 600; }
.choice { display: flex; align-items: flex-start; gap: 12px; min-height: 44px; padding: 10px 0;
  border-top: 1px solid var(--line); cursor: pointer; }
legend + .choice { border-top: 0; }
.choice input { flex: none; width: 20px; height: 20px; margin: 2px 0 0; accent-color: var(--select-line); }
.choice span { min-width: 0; }
.boxes { padding-left: 32px; }
/* Half a row shows that there are more. */
.list { max-height: 338px; margin: 0 -4px; padding: 0 4px; overflow-y: auto; }
.list + .muted { margin-top: 10px; }
.find { display: flex; gap: 8px; padding: 4px 0 10px; }
.find input { flex: 1; min-width: 0; height: 44px; padding: 0 12px; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--line-strong); border-radius: var(--r-2); }
/* With all mailboxes there is nothing to choose. */
@supports selector(:has(*)) { fieldset:has([value=all]:checked) .boxes { display: none; } }
footer { display: flex; gap: 12px; margin: 24px 0 16px; }
.button { min-height: 44px; padding: 0 18px; font: 550 var(--t-4)/24px var(--sans); color: var(--ink); cursor: pointer;
  background: var(--card); border: 1px solid var(--line-strong); border-radius: var(--r-2); }
.button:hover { background: var(--sunk); }
footer .button { flex: 1; }
.button.primary { color: var(--action-ink); background: var(--action); border-color: var(--action); }
.button.primary:hover { background: var(--action-hover); }
@media (max-width: 480px) { body { padding: 0; background: var(--card); }
  main { padding: 20px 16px 32px; border: 0; border-radius: 0; box-shadow: none; } }
`;

/** The sign of the service, an SVG document. */
export const mark = Deno.readTextFileSync(new URL("mark.svg", dashboard)).trim();
