// A gateway with service keys of two products, their actors, and browsers that open connect links.
import type { GatewayPorts } from '../../src/deps.ts';
import { type Browser, createBrowser, type Visited } from './browser.ts';
import { type Answer, type ConnectStand, openConnectStand } from './connect-stand.ts';
import { administratorOf } from './machines.ts';
import { call } from './mcp.ts';
import type { TestUser } from './test-app.ts';

export const GATE = 'https://gate.example';
const SECRET = '0123456789abcdef'.repeat(4);
export const PUBLIC = {
  SERVER_PUBLIC_URL: GATE,
  SESSION_SECRET: SECRET,
  ENCRYPTION_KEY: SECRET,
  EGRESS_ALLOW: '127.0.0.1/32',
};
export const RETURN_TO = 'https://acme.example/connected';

export interface Tenant {
  id: string;
  key: string;
  header: { 'x-service-api-key': string };
  /** The headers of a call for an actor. */
  for(externalId: string): Record<string, string>;
  /** Calls the actors' API. */
  api(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Makes an actor, unless it is there. */
  actor(externalId: string, name?: string): Promise<void>;
  link(externalId: string, form?: object): Promise<{ id: string; url: string; expiresAt: number }>;
}

export interface ActorStand extends ConnectStand {
  boss: TestUser;
  /** Calls the portal's API as the administrator. */
  admin(method: string, path: string, body?: unknown): Promise<Answer>;
  tenant(form?: object): Promise<Tenant>;
  browse(): Browser;
  /** Presses the button of the page of a link, and returns the provider's address. */
  goOn(browser: Browser, url: string): Promise<URL>;
  /** Consents at the provider, which sends the browser back. */
  consent(browser: Browser, url: URL, integration?: string): Promise<Visited>;
  /** Connects an account for an actor in a browser of its own. */
  connect(tenant: Tenant, externalId: string): Promise<Visited>;
  row(tenant: Tenant, externalId: string, integration?: string): Promise<unknown>;
}

let codes = 0;

export async function openActorStand(
  env: Record<string, string> = {},
  ports: Partial<GatewayPorts> = {},
): Promise<ActorStand> {
  const connects = await openConnectStand();
  await connects.reopen({ ...PUBLIC, ...env }, ports);
  const boss = await administratorOf(connects.app);

  const stand: ActorStand = Object.assign(connects, {
    boss,
    admin: (method: string, path: string, body?: unknown) =>
      connects.api(method, path, body, boss.sessionHeader),

    async tenant(form: object = {}) {
      const made = await stand.admin('POST', '/api/service-keys', {
        name: 'Acme',
        returnTo: [RETURN_TO],
        ...form,
      });
      if (made.status !== 201) throw new Error(`${made.status} ${JSON.stringify(made.body)}`);
      const { id, key } = made.body;
      const header = { 'x-service-api-key': key };
      const tenant: Tenant = {
        id,
        key,
        header,
        for: (externalId) => ({ ...header, 'x-service-actor': externalId }),
        api: (method, path, body) => stand.api(method, path, body, header),
        async actor(externalId, name) {
          const answer = await tenant.api('POST', '/api/actors', {
            externalId,
            ...(name === undefined ? {} : { name }),
          });
          if (answer.status > 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
        },
        async link(externalId, wanted = {}) {
          const path = `/api/actors/${externalId}/connect-links`;
          const answer = await tenant.api('POST', path, {
            integration: 'vaulted',
            returnTo: RETURN_TO,
            ...wanted,
          });
          if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
          return answer.body;
        },
      };
      return tenant;
    },

    browse: () =>
      createBrowser({
        now: () => stand.app.clock.now() * 1000,
        servers: { [GATE]: (request) => stand.app.fetch(request) },
        isApplication: ({ origin }) => origin !== GATE,
      }),

    async goOn(browser: Browser, url: string) {
      const page = await browser.submit(await browser.open(url));
      const address = /id="on" href="([^"]+)"/.exec(page.text)?.[1];
      if (address === undefined) throw new Error(`${page.status} ${page.text}`);
      return new URL(address.replaceAll('&amp;', '&'));
    },

    consent(browser: Browser, url: URL, integration = 'vaulted') {
      const code = `actor-code-${codes++}`;
      stand.provider.expect(code, url.searchParams.get('code_challenge') ?? '');
      const query = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' });
      return browser.open(`${GATE}/api/auth/plugin/${integration}/callback?${query}`);
    },

    async connect(tenant: Tenant, externalId: string) {
      const browser = stand.browse();
      const { url } = await tenant.link(externalId);
      return browser.submit(await stand.consent(browser, await stand.goOn(browser, url)));
    },

    async row(tenant: Tenant, externalId: string, integration = 'vaulted') {
      const found = await stand.app.deps.store.serviceActors.get(tenant.id, externalId);
      return found === null ? null : stand.app.deps.store.connections.get(found.id, integration, '');
    },
  });
  return stand;
}

/** Runs one tool for the caller. */
export const runTool = async (
  stand: ActorStand,
  headers: Record<string, string>,
  tool: string,
  args: object = {},
) => (await call(stand.app, headers, 'execute_tools', { executions: [{ tool, args }] })).results[0];
