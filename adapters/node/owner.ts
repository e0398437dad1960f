// A person who can use the gateway before any sign-in provider is set up. design: O10
import type { Config } from '../../src/config.ts';
import type { Deps } from '../../src/deps.ts';
import { enabledProviders } from '../../src/login/providers.ts';
import type { User } from '../../src/ports/records.ts';

export const OWNER_EMAIL = 'owner@localhost';

export interface Seeded {
  userId: string;
  email: string;
  apiKey: string;
  session: string;
}

type Needs = Pick<Deps, 'apiKeys' | 'clock' | 'random' | 'sessions' | 'store'>;

/** The user with this e-mail, made when there is none, with a key that works and a fresh session. */
export async function seedUser(deps: Needs, email: string): Promise<Seeded> {
  const user = await deps.store.users.create({ id: deps.random.uuid(), email, created_at: deps.clock.now() });
  return {
    userId: user.id,
    email,
    apiKey: await keyOf(deps, user),
    session: await deps.sessions.issue(user),
  };
}

// A key that can still be shown is kept: something may be using it.
async function keyOf({ apiKeys }: Needs, user: User): Promise<string> {
  const revealed = await apiKeys.reveal(user);
  return revealed.outcome === 'key' ? revealed.apiKey : apiKeys.mint(user.id);
}

/** The owner of a gateway on loopback without providers; null anywhere else. */
export async function localOwner(
  deps: Needs & Pick<Deps, 'config'>,
): Promise<(Seeded & { isNew: boolean }) | null> {
  if (!deps.config.loopback || enabledProviders(deps.config).length > 0) return null;
  const isNew = (await deps.store.users.byEmail(OWNER_EMAIL)) === null;
  return { ...(await seedUser(deps, OWNER_EMAIL)), isNew };
}

export function portalLink(config: Pick<Config, 'PORTAL_URL'>, session: string): string {
  return `${config.PORTAL_URL}/#token=${session}`;
}
