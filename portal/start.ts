// Runs before all other code: removes secrets from the address, applies the theme, asks for what the first page needs,
// and starts the portal. It is small, because everything waits for it. decision: 078
import { askAhead } from './api/ahead.ts';
import { firstRequests } from './first-requests.ts';
import { takeLinkFromAddress } from './session/connect-link.ts';
import { takeConnectedFromAddress, takeTookOverFromAddress } from './session/news.ts';
import { takeTokenFromAddress } from './session/sign-in-link.ts';
import { applyTheme, readTheme } from './shell/theme.ts';

takeTookOverFromAddress();
takeTokenFromAddress();
takeLinkFromAddress();
takeConnectedFromAddress();
applyTheme(readTheme());

for (const path of firstRequests(location.pathname, location.search)) askAhead(path);

void import('./main.tsx');
