// Holds the style of the server's own pages, in the portal's colours and without animation.
const TYPEFACE = `
@font-face {
  font-family: 'Inter Variable';
  font-weight: 400 700;
  font-display: swap;
  src: url('/assets/inter.woff2') format('woff2');
}`;

/** For a page in a sandbox, which may not load the typeface. */
export const SANDBOXED_STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#faf9f5, #131211);
  --panel: light-dark(#ffffff, #1c1a18);
  --line: light-dark(#e3e0d6, #34302c);
  --line-strong: light-dark(#8f8b7e, #716b62);
  --ink: light-dark(#1b1a17, #eeece5);
  --ink-soft: light-dark(#5b584f, #a9a69b);
  --accent: light-dark(#a3420d, #ff9d63);
  --accent-hover: light-dark(#8a370a, #ffb386);
  --hover: light-dark(#efede6, #282522);
  --on-accent: light-dark(#ffffff, #26120a);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  display: grid;
  place-items: center;
  padding: 24px 16px;
  background: radial-gradient(circle, transparent 4px, var(--line) 4.5px 5.5px, transparent 6px) center / 44px 44px
    var(--paper);
  color: var(--ink);
  overflow-wrap: anywhere;
  -webkit-font-smoothing: antialiased;
  font: 15px/1.5 'Inter Variable', -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
}
main {
  width: 100%;
  max-width: 30rem;
  padding: 32px;
  background: var(--panel);
  border: 1px solid var(--line);
  border-radius: 18px;
}
.mark { display: block; width: 44px; height: 44px; margin-bottom: 20px; object-fit: contain; }
.mark rect, .mark .jack { fill: var(--accent); }
.mark .plug { fill: var(--on-accent); }
.mark .jack, .mark path { stroke: var(--on-accent); stroke-width: 2.4; stroke-linecap: round; }
.mark path { fill: none; }
h1 { margin: 0 0 10px; font-size: 1.5rem; line-height: 1.2; letter-spacing: -0.025em; }
p { margin: 0 0 12px; }
p:last-child { margin-bottom: 0; }
.soft { color: var(--ink-soft); }
dl { margin: 16px 0; border-top: 1px solid var(--line); }
dl > div { padding: 10px 0; border-bottom: 1px solid var(--line); }
dt { color: var(--ink-soft); font-size: 13px; }
dd { margin: 0; }
dl > .line { display: flex; flex-wrap: wrap; gap: 0 16px; align-items: center; justify-content: space-between; }
.line select { width: auto; }
.line > dd { margin-left: auto; text-align: right; }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
small { display: block; color: var(--ink-soft); font-size: 13px; }
.pick { display: flex; gap: 10px; padding: 6px 0; cursor: pointer; }
.pick input { flex: none; width: 18px; height: 18px; margin: 2px 0 0; accent-color: var(--accent); }
.columns { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: 0 12px; }
summary { padding: 6px 0; cursor: pointer; }
.some, details:has(:checked) .all { display: none; }
details:has(:checked) .some { display: inline; }
select {
  width: 100%;
  min-height: 44px;
  margin: 4px 0;
  padding: 8px 10px;
  border: 1px solid var(--line-strong);
  border-radius: 8px;
  background: var(--paper);
  color: var(--ink);
  font: inherit;
}
ul { margin: 0 0 12px; padding-left: 20px; }
/* The answer stays in sight, however long the question is. */
.choice {
  position: sticky;
  bottom: 0;
  display: flex;
  flex-wrap: wrap;
  gap: 12px;
  margin: 4px 0 -16px;
  padding: 16px 0;
  background: var(--panel);
}
button, .button {
  display: inline-grid;
  place-items: center;
  min-height: 44px;
  padding: 8px 16px;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--panel);
  color: var(--ink);
  font: inherit;
  font-weight: 600;
  font-size: 14px;
  text-decoration: none;
  cursor: pointer;
}
.button:hover { background: var(--hover); }
button { border-color: transparent; background: var(--accent); color: var(--on-accent); }
button:hover { background: var(--accent-hover); }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 479px) {
  body { padding: 12px; }
  main { padding: 20px 18px; }
  .mark { width: 36px; height: 36px; margin-bottom: 14px; }
  .choice > * { flex: 1 auto; }
}
input:not([type='hidden'], [type='radio'], [type='checkbox'], [readonly]) {
  width: 100%;
  min-height: 44px;
  margin: 4px 0 12px;
  padding: 8px 12px;
  border: 1px solid var(--line-strong);
  border-radius: 8px;
  background: var(--paper);
  color: var(--ink);
  font: inherit;
}
input[readonly] {
  width: 100%;
  min-height: 44px;
  padding: 8px 12px;
  border: 1px solid var(--line-strong);
  border-radius: 8px;
  background: var(--paper);
  color: var(--ink);
  font: 13px ui-monospace, Menlo, Consolas, monospace;
}
`;

export const PAGE_STYLE = TYPEFACE + SANDBOXED_STYLE;
