// Finds and creates people who use the gateway without a sign-in provider. decision: 015
import * as z from 'zod';
import { OWNER_EMAIL, type User } from '../../src/ports/records.ts';
import type { Config } from '../../src/config/config.ts';
import type { Deps } from '../../src/deps.ts';
import { enabledProviders } from '../../src/login/providers.ts';

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
  requireEnabled(user);
  // Keeps a key that can still be shown, because a program may use it.
  const revealed = await apiKeys.reveal((await store.users.byId(user.id)) ?? user);
  const apiKey = firstKey ?? (revealed.outcome === 'key' ? revealed.apiKey : await apiKeys.mint(user.id));
  return { userId: user.id, email, apiKey, session };
}

/** `firstKey` creates a key in one process only, and only when the user has none. */
async function userOf({ apiKeys, clock, random, sessions, store }: Needs, email: string) {
  const next = { id: random.uuid(), email, created_at: clock.now() };
  const found = await store.users.create(next);
  // The operator means the person, not whoever signed in with this address before. decision: 016
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

/**
 * A fresh session of the person with this e-mail; of the owner without one. It makes nobody but the owner of a gateway
 * without a sign-in provider, who is an administrator there. decision: 015
 */
export async function sessionOf(
  deps: Needs & Pick<Deps, 'config'>,
  email: string | undefined,
): Promise<string> {
  const { config, sessions, store } = deps;
  const hasProvider = enabledProviders(config).length > 0;
  const address = email ?? OWNER_EMAIL;
  if (address === OWNER_EMAIL && !hasProvider) return (await userOf(deps, address)).session;
  const user = await store.users.byEmail(address);
  if (user !== null) requireEnabled(user);
  if (user !== null && user.unverified_since === null) return sessions.issue(user);
  if (user !== null)
    throw new Error(
      `Nobody has verified the address ${address}, so somebody else may have made that account. ` +
        `"npm run seed -- --email ${address}${hasProvider ? ' --force' : ''}" ends it and makes a new one.`,
    );
  throw new Error(
    hasProvider && email === undefined
      ? 'People sign in with a provider here, and no owner was made before it was set up. Name the person whose link you want: npm run link -- --email you@example.com'
      : `Nobody here has the address ${address}. "npm run seed -- --email ${address}${hasProvider ? ' --force' : ''}" makes a user.`,
  );
}

/** A session from the command line would let a person in who is to stay out. */
function requireEnabled({ email, disabled_at }: User): void {
  if (disabled_at !== null)
    throw new Error(
      `${email} is disabled here. "npm run users -- enable --email ${email}" lets the person in again.`,
    );
}

export function portalLink(config: Pick<Config, 'PORTAL_URL'>, session: string): string {
  return `${config.PORTAL_URL}/#token=${session}`;
}

/** Reads `--email`, in the spelling in which addresses are stored. `usage` explains the command. */
export function readEmail(given: string, usage: string): string {
  // Accepts what browsers accept: the first owner's host has no dot.
  const email = z.email({ pattern: z.regexes.html5Email }).safeParse(given.trim().toLowerCase());
  if (!email.success) throw new Error(`--email must be an e-mail address\n${usage}`);
  return email.data;
}
