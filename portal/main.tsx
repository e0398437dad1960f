// Boot: take what is secret out of the address before anything else can see it, then show the portal.
import { render } from 'preact';
import { App } from './app.tsx';
import { takeLinkFromAddress } from './session/connect-link.ts';
import { takeTokenFromAddress } from './session/token.ts';
import { applyTheme, readTheme } from './shell/theme.ts';
import { takeConnectedFromAddress } from './shell/toast.tsx';

takeTokenFromAddress();
takeLinkFromAddress();
takeConnectedFromAddress();
applyTheme(readTheme());

const root = document.getElementById('portal');
if (root === null) throw new TypeError('index.html has no #portal');
render(<App />, root);
