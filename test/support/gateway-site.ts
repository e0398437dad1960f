// Runs the application behind a real socket, with a real OpenID provider to sign in with.
import { getRequestListener } from '@hono/node-server';
import { type Browser, createBrowser, type Visited } from './browser.ts';
import { startHttpServer } from './http-server.ts';
import { type Oidc, type OidcOptions, startOidc } from './oidc.ts';
import { createTestApp, type Options, type TestApp } from './test-app.ts';

export interface GatewaySite {
  base: string;
  app: TestApp;
  hosted: Oidc;
  idp: Oidc;
  /** Opens a new browser that stops at the addresses of applications. */
  browser(options?: { stopsAt?: string }): Browser;
  close(): Promise<void>;
}

interface SiteOptions extends Options, Pick<OidcOptions, 'claims' | 'hasChooser' | 'hasDefaults'> {
  /** Whether one provider and one client of it are both the hosted provider and the idp. */
  hasOneProvider?: boolean;
}

export async function openGatewaySite({
  claims,
  hasChooser = false,
  hasDefaults = false,
  hasOneProvider = false,
  ...options
}: SiteOptions = {}): Promise<GatewaySite> {
  const server = await startHttpServer();
  const base = `http://localhost:${server.port}`;
  const shared = { hasChooser, hasDefaults, ...(claims === undefined ? {} : { claims }) };
  const callbacks = { hosted: `${base}/api/auth/hosted/callback`, idp: `${base}/api/auth/idp/callback` };
  const hosted = await startOidc({
    redirectUris: hasOneProvider ? [callbacks.hosted, callbacks.idp] : [callbacks.hosted],
    ...shared,
  });
  const idp = hasOneProvider
    ? hosted
    : await startOidc({ path: '/realms/staff', redirectUris: [callbacks.idp], ...shared });
  const app = await createTestApp({
    // The providers use the real time.
    now: Math.floor(Date.now() / 1000),
    ...options,
    env: {
      SERVER_PUBLIC_URL: base,
      HOSTED_ISSUER_URL: hosted.issuer,
      HOSTED_CLIENT_ID: hosted.clientId,
      HOSTED_CLIENT_SECRET: hosted.clientSecret,
      IDP_ISSUER_URL: idp.issuer,
      IDP_CLIENT_ID: idp.clientId,
      IDP_CLIENT_SECRET: idp.clientSecret,
      ...options.env,
    },
  });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.answer((request, response) => void listener(request, response));
  return {
    base,
    app,
    hosted,
    idp,
    browser: ({ stopsAt } = {}) =>
      createBrowser({
        isApplication: ({ pathname }) =>
          pathname === stopsAt || /\/(app|application)\/callback$/.test(pathname),
      }),
    async close() {
      await Promise.all([server.close(), hosted.close(), ...(idp === hosted ? [] : [idp.close()])]);
      await app.close();
    },
  };
}

/** Signs in on the provider's pages and returns the page that they lead to. */
export async function signInAt(browser: Browser, page: Visited, login: string): Promise<Visited> {
  const consent = await browser.submit(page, { login, password: 'any' });
  return browser.submit(consent);
}
