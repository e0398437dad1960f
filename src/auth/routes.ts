// Serves the signed-in user: who am I, log out, and the API key. reference: Portal sign-in; API keys
import { Hono } from 'hono';
import type { ApiKeys } from './api-keys.ts';
import type { Ports } from '../ports/ports.ts';
import { HttpError } from '../http/errors.ts';
import type { Success } from '../http/operation.ts';
import type { Identify } from '../kit/actor.ts';
import type { ApiKey, KeyState, Person } from './operations.ts';
import { loadUser, type PortalEnv, requirePortalUser } from './portal-user.ts';

type Needs = Pick<Ports, 'store'> & { apiKeys: ApiKeys; identify: Identify };

export function createAuthRoutes(deps: Needs): Hono<PortalEnv> {
  const { apiKeys, identify } = deps;
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();

  app.get('/api/auth/me', signedIn, async (c) => {
    const { id, email } = await loadUser(c, deps);
    return c.json({ id, email } satisfies Person);
  });

  // Sessions are stateless: the portal forgets its token, and nothing changes on the server.
  app.post('/api/auth/logout', (c) => c.json({ success: true } satisfies Success));

  app.post('/api/keys', signedIn, async (c) => {
    const { id } = await loadUser(c, deps);
    return c.json({ apiKey: await apiKeys.mint(id) } satisfies ApiKey);
  });

  app.get('/api/keys', signedIn, async (c) => {
    const user = await loadUser(c, deps);
    return c.json({ hasKey: user.api_key_hash !== null } satisfies KeyState);
  });

  app.get('/api/keys/reveal', signedIn, async (c) => {
    const revealed = await apiKeys.reveal(await loadUser(c, deps));
    switch (revealed.outcome) {
      case 'key':
        return c.json({ apiKey: revealed.apiKey } satisfies ApiKey);
      case 'none':
        throw new HttpError(404, { error: 'No key set.' });
      case 'sealed-away':
        throw new HttpError(409, {
          error: 'This key still works, but it can no longer be shown. Create a new one to see it.',
        });
    }
  });

  app.delete('/api/keys', signedIn, async (c) => {
    await apiKeys.remove(c.var.userId);
    return c.json({ success: true } satisfies Success);
  });

  return app;
}
