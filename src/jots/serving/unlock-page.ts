// Renders the page that asks for a password. It has no script, because the content security policy of jots applies to it.
import { MARK } from '../../http/page.ts';
import { SANDBOXED_STYLE } from '../../http/page-style.ts';

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
<style>${SANDBOXED_STYLE}
main { max-width: 26rem; }
form { margin-top: 20px; }
form button { width: 100%; }
[role=alert] { color: var(--accent); }
</style>
</head>
<body>
<main>
${MARK}
<h1>${name} is locked</h1>
<p class="soft"${alert}>${SENTENCES[state]}</p>
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
