// The paths that a person's browser serves. A gateway without it forwards them to one that has it. decision: 001, 010
import type { Integration } from '../kit/integration.ts';

/** `needed`: only a process with the browser can answer. `better`: others answer too, as a gateway without a browser. */
export type BrowserUse = 'needed' | 'better' | 'none';

const NEEDED = [
  /^\/api\/auth\/cookie\/[^/]+\/(cdp\/[^/]+|capture)$/,
  /^\/api\/browser-session\//,
  /^\/api\/connect\/capture$/,
];
const BETTER = [
  /^\/api\/auth\/cookie\/[^/]+\/cancel$/,
  /^\/api\/connect\/redeem$/,
  /^\/api\/integrations\/[^/]+\/session\/import$/,
];

export function createBrowserUse(
  integrations: readonly Pick<Integration, 'auth' | 'name'>[],
): (pathname: string) => BrowserUse {
  const cookies = new Set(integrations.filter(({ auth }) => auth.type === 'cookie').map(({ name }) => name));

  return function useOf(pathname) {
    if (NEEDED.some((pattern) => pattern.test(pathname))) return 'needed';
    // A request for this path warms the browser up.
    const asked = /^\/api\/auth\/([^/]+)$/.exec(pathname)?.[1];
    const wantsBrowser = asked !== undefined && cookies.has(asked);
    return wantsBrowser || BETTER.some((pattern) => pattern.test(pathname)) ? 'better' : 'none';
  };
}
