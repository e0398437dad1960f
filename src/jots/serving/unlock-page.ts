// Renders the page that asks for a password. It has no script, because the content security policy of jots applies to it.
const SENTENCES = {
  ask: 'Enter the password you were given with the link.',
  wrong: 'Wrong password.',
  'too-many': 'Too many wrong passwords. Wait a minute, then try again.',
};

export function unlockPage(name: string, state: keyof typeof SENTENCES): string {
  const alert = state === 'ask' ? '' : ' role="alert"';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${name} is locked</title>
<style>
:root { color-scheme: light dark; --paper: light-dark(#faf9f5, #131211); --panel: light-dark(#fff, #1c1a18);
  --ink: light-dark(#1b1a17, #eeece5); --faint: light-dark(#5b584f, #a9a69b); --line: light-dark(#e3e0d6, #34302c);
  --edge: light-dark(#8f8b7e, #716b62); --copper: light-dark(#a3420d, #ff9d63); --on-copper: light-dark(#fff, #26120a); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100svh; display: grid; place-items: center; padding: 24px 16px; background: var(--paper);
  color: var(--ink); font: 16px/1.5 ui-sans-serif, system-ui, sans-serif; }
main { width: 100%; max-width: 380px; padding: 28px 24px; background: var(--panel); border: 1px solid var(--line);
  border-radius: 12px; }
h1 { margin: 0 0 4px; font-size: 20px; line-height: 1.3; overflow-wrap: anywhere; }
p { margin: 0 0 20px; color: var(--faint); }
p[role=alert] { color: var(--copper); }
label { display: block; margin-bottom: 6px; font-size: 14px; }
input, button { width: 100%; min-height: 44px; border-radius: 8px; font: inherit; }
input { padding: 0 12px; color: inherit; background: var(--panel); border: 1px solid var(--edge); }
button { margin-top: 14px; border: 0; background: var(--copper); color: var(--on-copper); font-weight: 600; cursor: pointer; }
:focus-visible { outline: 2px solid var(--copper); outline-offset: 2px; }
</style>
</head>
<body>
<main>
<h1>${name} is locked</h1>
<p${alert}>${SENTENCES[state]}</p>
<form method="post" action="/j/${name}/__auth">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
<button>Open</button>
</form>
</main>
</body>
</html>
`;
}
