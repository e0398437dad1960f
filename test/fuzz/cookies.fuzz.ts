// Mutates imported sessions: each is imported as a whole or refused, and no cookie header contains another
// header.
import { beforeAll, describe, expect, it } from 'vitest';
import { cookieHeader } from '../../src/connections/cookies/cookie-jar.ts';
import { parseSession } from '../../src/connections/cookies/cookies.ts';
import { fuzz } from './chance.ts';
import { mutateJson, mutateText } from './mutate.ts';
import { expectSound, useStand } from './stand.ts';

const stand = useStand();
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
  it('are imported or refused', async () => {
    const { app, ana } = stand;
    const url = new URL('https://wiki.corp.example/w/api');
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
      const connection = await app.deps.store.connections.get(ana.id, 'jar');
      if (connection === null) throw new Error('imported, and not there');
      const { bundle } = parseSession((await app.deps.vault.open(connection, 'cookies')) ?? '');
      if (bundle === null) throw new Error('imported, and cannot be read');
      const header = cookieHeader(bundle, url, app.clock.now());
      // The network accepts the header: no line break, no NUL, no character beyond one byte.
      expect(() => new Headers({ cookie: header, 'user-agent': bundle.userAgent ?? '' })).not.toThrow();
    });
  });
});
