// Holds the style of the card, in the colours of the portal. The host says whether it is light or dark.
export const CARD_STYLE = `
:root {
  color-scheme: light dark;
  --panel: light-dark(#ffffff, #1c1a18);
  --line: light-dark(#e3e0d6, #34302c);
  --ink: light-dark(#1b1a17, #eeece5);
  --ink-soft: light-dark(#5b584f, #a9a69b);
  --accent: light-dark(#a3420d, #ff9d63);
  --accent-hover: light-dark(#8a370a, #ffb386);
  --on-accent: light-dark(#ffffff, #26120a);
  --good: light-dark(#1f6b3a, #7ed39b);
  --code: light-dark(#f3f1ea, #282522);
}
* { box-sizing: border-box; }
html, body { margin: 0; }
body {
  color: var(--ink);
  background: var(--panel);
  font: 15px/1.5 var(--font-sans, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
  overflow-wrap: anywhere;
}
main { padding: 14px 16px; }
article + article { margin-top: 14px; padding-top: 14px; border-top: 1px solid var(--line); }
h1, h2 { margin: 0 0 4px; font-size: 16px; line-height: 1.35; font-weight: 600; }
p { margin: 0 0 8px; }
article > :last-child, main > :last-child { margin-bottom: 0; }
.soft { color: var(--ink-soft); font-size: 13px; }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.quiet { margin: 0; color: var(--ink-soft); font-size: 13px; font-weight: 400; }
.state { display: flex; gap: 8px; align-items: baseline; font-weight: 600; }
.state::before { content: ''; flex: none; width: 9px; height: 9px; border-radius: 50%; background: var(--accent); }
.state.over::before { background: var(--ink-soft); }
.state.good { color: var(--good); }
.state.good::before { background: var(--good); }
button {
  min-height: 44px;
  margin: 2px 0 8px;
  padding: 8px 18px;
  border: 0;
  border-radius: 10px;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
button:hover { background: var(--accent-hover); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
summary { padding: 10px 0; color: var(--ink-soft); font-size: 13px; cursor: pointer; }
pre, .link {
  margin: 0 0 8px;
  padding: 10px 12px;
  border-radius: 8px;
  background: var(--code);
  font: 13px/1.45 ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
  white-space: pre-wrap;
}
pre { max-height: 220px; overflow: auto; }
.link { user-select: all; }
`;
