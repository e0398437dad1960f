// Remembers the scopes that a call or a listing lacked, so that the next sign-in asks for them too. MCP 2026-07-28, Step-Up Authorization Flow; decision: 045
import { belongsTo, readConfigOf } from '../../connections/model/config.ts';
import { keyOfAccount } from '../../connections/model/team.ts';
import type { Integration, ToolContext } from '../../kit/integration.ts';
import type { Ports } from '../../ports/ports.ts';
import { type ConnectionKey, FIRST_ACCOUNT } from '../../ports/records.ts';
import { readScopes } from './challenge.ts';
import { readSignIn, rememberedScopes, withWantedScopes } from './sign-in.ts';

const MAX_SHOWN = 10;
const MAX_ATTEMPTS = 3;

/** `scopes` are those of a challenge with `insufficient_scope`. Returns a sentence for the error of the tool. */
export async function rememberScopes(
  deps: Pick<Ports, 'store'>,
  { userId, account = FIRST_ACCOUNT }: Pick<ToolContext, 'userId' | 'account'>,
  integration: Integration,
  scopes: readonly string[],
): Promise<string> {
  const { displayName, name } = integration;
  const { named, refusal } = await remember(deps, keyOfAccount(userId, name, account), integration, scopes);
  return (
    refusal ??
    `${displayName} needs more permission for this${named}. Call connect with integration "${name}" and show the person the url: the sign-in asks for it.`
  );
}

/** Does the same for a listing of the tools. The sentence is for the person. */
export async function rememberScopesOfListing(
  deps: Pick<Ports, 'store'>,
  key: ConnectionKey,
  integration: Integration,
  scopes: readonly string[],
): Promise<string> {
  const { named, refusal } = await remember(deps, key, integration, scopes);
  return (
    refusal ??
    `${integration.displayName} asks for more permission than the connection has${named}. Connect it again and grant the permission`
  );
}

interface Remembered {
  /** The scopes in parentheses, or an empty text. */
  named: string;
  /** Says that another sign-in does not help; null when it may help. */
  refusal: string | null;
}

async function remember(
  { store }: Pick<Ports, 'store'>,
  { user_id, account }: ConnectionKey,
  integration: Integration,
  scopes: readonly string[],
): Promise<Remembered> {
  const { displayName, name } = integration;
  const needed = readScopes(scopes);
  const named = needed.length === 0 ? '' : ` (${needed.slice(0, MAX_SHOWN).join(' ')})`;
  for (let left = MAX_ATTEMPTS; left > 0; left--) {
    const row = await store.connections.get(user_id, name, account);
    const config = row === null ? {} : readConfigOf(row);
    const signIn = readSignIn(config);
    if (row === null || !belongsTo(row, integration) || signIn === null || needed.length === 0) break;
    if (needed.every((scope) => signIn.scopes.includes(scope)))
      return {
        named,
        refusal: `${displayName} did not allow this: the sign-in asked for the permission${named}, and the account does not have it. Somebody who administers the account at ${displayName} may grant it.`,
      };
    const before = rememberedScopes(config, signIn.issuer);
    if (needed.every((scope) => before.includes(scope))) break;
    // What the person has granted before is asked for again, or it would be lost.
    const wanted = withWantedScopes(config, [...needed, ...before, ...signIn.scopes]);
    // A refresh may have stored new tokens meanwhile.
    if (await store.connections.swap(row, { ...row, config: JSON.stringify(wanted) })) break;
  }
  return { named, refusal: null };
}
