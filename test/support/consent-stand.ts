// A gateway on https that asks for consent before it signs in, its provider, and a host of client metadata
// documents.
import { type Browser, createBrowser, type Visited } from './browser.ts';
import { type HttpServer, startHttpServer } from './http-server.ts';
import { authorizeQuery } from './oauth-client.ts';
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';
import { createTestApp, type Options, type TestApp } from './test-app.ts';

export const BASE = 'https://gate.example';
const SECRET = '0123456789abcdef'.repeat(4);

export interface ConsentStand {
  app: TestApp;
  provider: ScriptedProvider;
  /** The server behind https://client.example. */
  documents: HttpServer;
  /** The nonce of the provider's next token. */
  nonce: string;
  /** Opens another gateway like `app`. */
  open(env?: Record<string, string>): Promise<TestApp>;
  /**
   * Opens a browser that reaches `app` over https in this process and stops at the provider and at
   * applications.
   */
  browse(): Browser;
  close(): Promise<void>;
}

export async function openConsentStand(options: Pick<Options, 'ports'> = {}): Promise<ConsentStand> {
  const documents = await startHttpServer();
  const provider = await startScriptedProvider({
    now: () => stand.app.clock.now(),
    nonce: () => stand.nonce,
  });

  async function open(env: Record<string, string> = {}): Promise<TestApp> {
    return createTestApp({
      ...options,
      env: {
        SERVER_PUBLIC_URL: BASE,
        SESSION_SECRET: SECRET,
        ENCRYPTION_KEY: SECRET,
        HOSTED_ISSUER_URL: provider.issuer,
        HOSTED_CLIENT_ID: 'gateway',
        HOSTED_CLIENT_SECRET: 'secret',
        EGRESS_ALLOW: '127.0.0.1/32',
        UPSTREAM_MAP: `https://client.example=http://127.0.0.1:${documents.port}`,
        ...env,
      },
    });
  }

  const stand: ConsentStand = {
    app: await open(),
    provider,
    documents,
    nonce: '',
    open,
    browse: () =>
      createBrowser({
        now: () => stand.app.clock.now() * 1000,
        servers: { [BASE]: (request) => stand.app.fetch(request) },
        isApplication: ({ origin, pathname }) =>
          origin === new URL(provider.issuer).origin || pathname === '/app/callback',
      }),
    async close() {
      await Promise.all([provider.close(), documents.close()]);
      await stand.app.close();
    },
  };
  return stand;
}

export async function ask(
  browser: Browser,
  client: string,
  changes: Record<string, string> = {},
): Promise<Visited> {
  return browser.open(`${BASE}${authorizeQuery(client, changes)}`);
}

/** Signs in at the provider, and returns the application's address that this leads to. */
export async function comeBack(stand: ConsentStand, browser: Browser, there: Visited): Promise<URL> {
  stand.nonce = there.url.searchParams.get('nonce') ?? '';
  const state = there.url.searchParams.get('state') ?? '';
  return (await browser.open(`${BASE}/api/auth/hosted/callback?code=x&state=${state}`)).url;
}
