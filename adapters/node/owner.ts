// Creates a person who can use the gateway before a sign-in provider is set up. decision: 013
import type { Config } from '../../src/config/config.ts';
import type { Deps } from '../../src/deps.ts';
import { enabledProviders } from '../../src/login/providers.ts';

const OWNER_EMAIL = 'owner@localhost';

export interface Seeded {
  userId: string;
  email: string;
  apiKey: string;
  session: string;
}

type Needs = Pick<Deps, 'apiKeys' | 'clock' | 'random' | 'sessions' | 'store'>;

/**
 * Returns the user with this e-mail, with a working key and a new session. Creates the user if there is none.
 */
export async function seedUser(deps: Needs, email: string): Promise<Seeded> {
  const { apiKeys, store } = deps;
  const { user, session, firstKey } = await userOf(deps, email);
  // Keeps a key that can still be shown, because a program may use it.
  const revealed = await apiKeys.reveal((await store.users.byId(user.id)) ?? user);
  const apiKey = firstKey ?? (revealed.outcome === 'key' ? revealed.apiKey : await apiKeys.mint(user.id));
  return { userId: user.id, email, apiKey, session };
}

/** `firstKey` creates a key in one process only, and only when the user has none. */
async function userOf({ apiKeys, clock, random, sessions, store }: Needs, email: string) {
  const next = { id: random.uuid(), email, created_at: clock.now() };
  const found = await store.users.create(next);
  // The operator means the person, not whoever signed in with this address before. decision: 081
  const user = found.unverified_since === null ? found : (await store.users.takeOver(found.id, next)).user;
  const firstKey = user.api_key_hash === null ? await apiKeys.mintFirst(user.id) : null;
  return { user, firstKey, session: await sessions.issue(user) };
}

/** The owner of a gateway on loopback without sign-in providers; null everywhere else. */
export async function localOwner(
  deps: Needs & Pick<Deps, 'config'>,
): Promise<{ session: string; firstKey: string | null } | null> {
  return deps.config.loopback && enabledProviders(deps.config).length === 0
    ? userOf(deps, OWNER_EMAIL)
    : null;
}

export function portalLink(config: Pick<Config, 'PORTAL_URL'>, session: string): string {
  return `${config.PORTAL_URL}/#token=${session}`;
}
