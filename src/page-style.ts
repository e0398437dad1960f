// How the server's own pages look: the portal's colours, and nothing that moves.
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#faf8f4, #131311);
  --panel: light-dark(#ffffff, #1b1b18);
  --line: light-dark(#e3e0d6, #302f2a);
  --ink: light-dark(#1b1a17, #eeece5);
  --ink-soft: light-dark(#5b584f, #a9a69b);
  --accent: light-dark(#a3420d, #ff9d63);
  --on-accent: light-dark(#ffffff, #26120a);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  display: grid;
  place-items: center;
  padding: 24px 16px;
  background: var(--paper);
  color: var(--ink);
  font: 15px/1.5 -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
}
main {
  width: 100%;
  max-width: 30rem;
  padding: 28px;
  background: var(--panel);
  border: 1px solid var(--line);
  border-radius: 12px;
}
h1 { margin: 0 0 12px; font-size: 1.25rem; line-height: 1.3; overflow-wrap: anywhere; }
p { margin: 0 0 12px; }
p:last-child { margin-bottom: 0; }
.soft { color: var(--ink-soft); }
dl { margin: 16px 0; border-top: 1px solid var(--line); }
dl div { padding: 10px 0; border-bottom: 1px solid var(--line); }
dt { color: var(--ink-soft); font-size: 13px; }
dd { margin: 0; overflow-wrap: anywhere; }
ul { margin: 0 0 12px; padding-left: 20px; }
.choice { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 20px; }
button, .button {
  min-height: 40px;
  padding: 8px 16px;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: none;
  color: var(--ink);
  font: inherit;
  text-decoration: none;
  cursor: pointer;
}
button { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
input[readonly] {
  width: 100%;
  min-height: 40px;
  padding: 8px 12px;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--paper);
  color: var(--ink);
  font: 13px ui-monospace, Menlo, Consolas, monospace;
}
`;
