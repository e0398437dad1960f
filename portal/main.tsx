// Boot: take a session out of the address before anything else can see it, then show the portal.
import { render } from 'preact';
import { App } from './app.tsx';
import { takeTokenFromAddress } from './session/token.ts';
import { applyTheme, readTheme } from './shell/theme.ts';

takeTokenFromAddress();
applyTheme(readTheme());

const root = document.getElementById('portal');
if (root === null) throw new TypeError('index.html has no #portal');
render(<App />, root);
