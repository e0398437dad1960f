// Checks that a mutated token gives no access. reference: Authentication
import { PERSONAL_KEY } from '../../src/kit/actor.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { fuzz } from './chance.ts';
import { mutateText } from './mutate.ts';
import { expectSound, useStand } from './stand.ts';

const stand = useStand();
let tokens: Record<string, string>;
beforeAll(async () => {
  const { deps } = stand.app;
  const { id, apiKey, session } = stand.ana;
  tokens = {
    apiKey,
    session,
    access: deps.accessTokens.issue({ userId: id, clientId: 'c', scope: 'mcp' }),
    curl: await deps.curlTokens.issue({ userId: id, actor: PERSONAL_KEY, integrations: ['github'] }, 900),
  };
});

// Two spellings of the same bytes are one token: the last character of Base64 has unused bits.
const bytesOf = (token: string) =>
  token.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));

describe('mutated tokens', () => {
  it.each([
    ['session', '/api/auth/me'],
    ['session', '/rest'],
    ['access', '/rest'],
    ['access', '/api/auth/me'],
    ['apiKey', '/rest'],
    ['apiKey', '/api/auth/me'],
    ['curl', '/rest'],
  ])('%s at %s', async (kind, path) => {
    const token = tokens[kind] ?? '';
    await fuzz(400, async (chance) => {
      const mutated = mutateText(token, chance).replaceAll(/[^\u0021-\u00ff]/g, '');
      const same = kind === 'apiKey' ? mutated === token : bytesOf(mutated).join() === bytesOf(token).join();
      const headers: HeadersInit =
        kind === 'apiKey' ? { 'x-service-api-key': mutated } : { authorization: `Bearer ${mutated}` };
      const response = await stand.app.request(path, { headers });
      expectSound(response, mutated);
      if (!same) expect([response.status, mutated]).toEqual([401, mutated]);
    });
  });

  it('at the proxy', async () => {
    await fuzz(1_000, async (chance) => {
      const mutated = mutateText(tokens['curl'] ?? '', chance);
      const grant = await stand.app.deps.curlTokens.verify(mutated);
      if (bytesOf(mutated).join() !== bytesOf(tokens['curl'] ?? '').join()) expect(grant).toBeNull();
    });
  });
});
