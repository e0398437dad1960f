// Checks that a mutated cookie session is imported as a whole or refused, and that its cookies form valid headers.
import { beforeAll, describe, expect, it } from 'vitest';
import { cookieHeader } from '../../src/connections/cookies/cookie-jar.ts';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { parseSession } from '../../src/connections/model/cookies.ts';
import type { Network } from '../../src/ports/network.ts';
import { fuzz } from './chance.ts';
import { mutateJson, mutateText } from './mutate.ts';
import { expectSound, useStand } from './stand.ts';

// Every host has a public address, so that the gateway can import a session for it. An import sends nothing.
const network: Network = {
  ...createUndiciNetwork(),
  resolve: () => ['93.184.215.14'],
  send: () => Promise.reject(new Error('an import sends nothing')),
};
const stand = useStand({ ports: { network } });
const cookie = {
  name: 'sid',
  value: 'v',
  domain: 'wiki.corp.example',
  path: '/w',
  expires: 4_102_444_800,
  secure: true,
  httpOnly: true,
};
const BUNDLES = [
  {
    session: {
      v: 1,
      cookies: [cookie, { ...cookie, name: 'b', expires: -1 }],
      userAgent: 'UA',
      capturedAt: 1,
    },
  },
  [cookie],
  { session: { cookies: [{ ...cookie, sameSite: 'Lax' }], origins: [] } },
  [{ ...cookie, expirationDate: 4_102_444_800.5, hostOnly: false, session: false, storeId: '0' }],
].map((bundle) => JSON.stringify(bundle));

beforeAll(async () => {
  await stand.app.deps.vault.save(stand.ana.id, 'jar', {
    accessToken: 'cookie-auth',
    config: { instanceUrl: 'https://wiki.corp.example/w' },
  });
});

describe('mutated cookie bundles', () => {
  it('are imported as a whole or refused', async () => {
    const { app, ana } = stand;
    const url = new URL('https://wiki.corp.example/w/api');
    let imported = 0;
    await fuzz(1_500, async (chance) => {
      const body = chance.pick([mutateJson, mutateText])(chance.pick(BUNDLES), chance);
      const response = await app.request('/api/integrations/jar/session/import', {
        method: 'POST',
        headers: { ...ana.keyHeader, 'content-type': 'application/json' },
        body,
      });
      expectSound(response, body);
      expect([200, 400, 413]).toContain(response.status);
      if (response.status !== 200) return;
      imported++;
      const connection = await app.deps.store.connections.get(ana.id, 'jar', '');
      if (connection === null) throw new Error('the imported session is not stored');
      const { bundle } = parseSession((await app.deps.vault.open(connection, 'cookies')) ?? '');
      if (bundle === null) throw new Error('the imported session cannot be read');
      const header = cookieHeader(bundle, url, app.clock.now());
      // A valid header value has no line break, no NUL, and no character beyond one byte.
      expect(() => new Headers({ cookie: header, 'user-agent': bundle.userAgent ?? '' })).not.toThrow();
    });
    // A run in which every session is refused would prove nothing.
    expect(imported).toBeGreaterThan(0);
  });
});
