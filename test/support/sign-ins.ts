// Runs two scripted sign-in providers and a gateway that uses them. Each test gets a new person.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import type { Network } from '../../src/ports/network.ts';
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';
import { createTestApp, type Options, type TestApp } from './test-app.ts';

export const PROVIDERS = ['hosted', 'idp'] as const;
export type Name = (typeof PROVIDERS)[number];

export const SECRET = 'the secret of the gateway & more';

/** The state that changes from test to test. */
interface Stand {
  app: TestApp;
  providers: Record<Name, ScriptedProvider>;
  nonce: string;
  person: string;
  /** Whether every upstream request times out at once. */
  isSlow: boolean;
}

export function useSignIns() {
  // `beforeAll` fills in the remaining fields before the first test.
  const stand = { nonce: '', person: '', isSlow: false } as Stand;
  let people = 0;

  beforeAll(async () => {
    const now = () => stand.app.clock.now();
    // A test with several sign-ins at once sends their nonces as codes.
    const nonce = (code: string) => (/^[0-9a-f]{64}$/.test(code) ? code : stand.nonce);
    stand.providers = {
      hosted: await startScriptedProvider({ now, nonce }),
      idp: await startScriptedProvider({ path: '/realms/staff', now, nonce }),
    };
    stand.app = await open();
  });
  afterAll(async () => {
    await Promise.all(PROVIDERS.map((name) => stand.providers[name].close()));
    await stand.app.close();
  });

  // Gives each test a new person, and lets the cached provider documents expire.
  beforeEach(() => {
    stand.person = `person-${++people}`;
    for (const name of PROVIDERS) {
      stand.providers[name].reset();
      stand.providers[name].script.claims = someone();
    }
    stand.isSlow = false;
    stand.app.clock.advance(3_600);
  });

  const someone = () => ({ sub: stand.person, email: `${stand.person}@example.com` });
  /** Overrides claims in the ID token of this test's person. */
  function claim(name: Name, claims: Record<string, unknown>): void {
    stand.providers[name].script.claims = { ...someone(), ...claims };
  }

  async function open(env: Record<string, string> = {}, ports: Options['ports'] = {}): Promise<TestApp> {
    const network = createUndiciNetwork();
    const impatient: Network = {
      ...network,
      send: (request) =>
        stand.isSlow ? Promise.reject(new DOMException('timed out', 'TimeoutError')) : network.send(request),
    };
    return createTestApp({
      env: {
        HOSTED_ISSUER_URL: stand.providers.hosted.issuer,
        HOSTED_CLIENT_ID: 'gateway',
        HOSTED_CLIENT_SECRET: SECRET,
        IDP_ISSUER_URL: stand.providers.idp.issuer,
        IDP_CLIENT_ID: 'gateway',
        IDP_CLIENT_SECRET: SECRET,
        ...env,
      },
      ports: { network: impatient, ...ports },
    });
  }

  async function begin(name: Name): Promise<string> {
    const { url } = await (await stand.app.request(`/api/auth/${name}`)).json();
    const query = new URL(url).searchParams;
    stand.nonce = query.get('nonce') ?? '';
    return query.get('state') ?? '';
  }

  const back = (name: Name, query: Record<string, string>) =>
    stand.app.request(`/api/auth/${name}/callback?${new URLSearchParams(query)}`);

  async function signIn(name: Name): Promise<Response> {
    return back(name, { code: 'code', state: await begin(name) });
  }

  const users = () => stand.app.deps.store.users.byEmail(`${stand.person}@example.com`);

  const bySubject = (name: Name) =>
    stand.app.deps.store.users.bySubject({
      provider: name,
      issuer: stand.providers[name].issuer,
      subject: stand.person,
    });

  return { stand, back, begin, bySubject, claim, open, signIn, users };
}

export async function refusal(response: Response): Promise<string> {
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { error } = await response.json();
  return error;
}
