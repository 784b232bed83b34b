/** Tables and code scroll by themselves; the page itself never scrolls sideways, also at 390 pixels. */
export const style = `
:root { color-scheme: light dark; color: CanvasText; background: Canvas; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); overflow-wrap: break-word; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; box-sizing: border-box; border-right: 1px solid #8884; font-size: .85rem; }
nav ul { list-style: none; padding: 0 0 0 .75rem; margin: 0; } nav p { margin: .75rem 0 0; font-weight: 600; } nav a { display: block; padding: 2px 0; text-decoration: none; }
main { padding: 1rem 2rem 4rem; max-width: 60rem; } a { color: inherit; }
h2 { margin-top: 2.5rem; } h3 { margin: 0; } h4 { margin: 1rem 0 0; }
section { border-top: 1px solid #8884; padding: .75rem 0 1rem; }
.route { margin: .25rem 0; scroll-margin-top: 3.5rem; } .route b { font-size: .8rem; padding: .1rem .4rem; border-radius: .25rem; background: #8883; }
.quiet, .failures { opacity: .75; font-size: .85rem; } .failures span { margin-right: .5rem; }
code, pre { font: .85em ui-monospace, monospace; } code { overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .75rem; background: #8882; border-radius: .35rem; }
.wide { overflow-x: auto; margin: .5rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; } th { text-align: left; font-weight: 600; }
td, th { border-bottom: 1px solid #8883; padding: .25rem .75rem .25rem 0; vertical-align: top; }
sup { line-height: 0; }
.languages { border: 1px solid #8884; border-radius: .35rem; width: fit-content; margin: 0 0 1rem; } .languages label { margin-right: .75rem; }
main:has([value=sh]:checked) :is(pre.ts, pre.python), main:has([value=ts]:checked) :is(pre.sh, pre.python), main:has([value=python]:checked) :is(pre.sh, pre.ts) { display: none; }
summary { cursor: pointer; } details { margin: .25rem 0; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: 40vh; border: 0; border-bottom: 1px solid #8884; } main { padding: 1rem; }
  th { display: none; } tr { display: block; border-bottom: 1px solid #8883; padding: .35rem 0; } td { border: 0; } td:not(:last-child) { display: inline; } td:last-child { display: block; padding-top: 0; } }
`;
