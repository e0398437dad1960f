// Tells somebody who looks at a server before they import it how people will sign in there. decision: 045
import type { Config } from '../../config/config.ts';
import type { Egress } from '../../egress/door.ts';
import { findAuthorizationServer } from './authorization.ts';
import { type WayIn, wayAt } from './choose-client.ts';

/** How people sign in at a server; the reason when it offers no sign-in. */
export type LookForSignIn = (
  address: string,
  displayName: string,
) => Promise<{ ok: true; client: WayIn['kind'] } | { ok: false; message: string }>;

type Needs = { config: Pick<Config, 'SERVER_PUBLIC_URL' | 'loopback'>; egress: Pick<Egress, 'fetch'> };

export function createLookForSignIn({ config, egress }: Needs): LookForSignIn {
  /** Nothing is registered by this. `missing`: the importer has to give a client. */
  return async function lookForSignIn(address, displayName) {
    const found = await findAuthorizationServer(egress, address, displayName, null);
    if (!found.ok) return found;
    // Most servers that refuse strangers and say no more take a token.
    if (found.value.isGuess)
      return {
        ok: false,
        message: `${displayName} does not say how people sign in, so each person enters a token of their own.`,
      };
    return { ok: true, client: wayAt(found.value, config).kind };
  };
}
