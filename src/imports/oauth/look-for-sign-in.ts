// Tells somebody who looks at a server before they import it how people will sign in there. decision: 108
import type { Config } from '../../config/config.ts';
import type { Egress } from '../../egress/door.ts';
import { findAuthorizationServer } from './authorization.ts';
import { type WayIn, wayAt } from './choose-client.ts';

export type OfferedSignIn = { ok: true; client: WayIn['kind'] } | { ok: false; message: string };

type Needs = { config: Pick<Config, 'SERVER_PUBLIC_URL' | 'loopback'>; egress: Pick<Egress, 'fetch'> };

export function createLookForSignIn({ config, egress }: Needs) {
  /** Nothing is registered by this. `missing`: the importer has to give a client. */
  return async function lookForSignIn(address: string, displayName: string): Promise<OfferedSignIn> {
    const found = await findAuthorizationServer(egress, address, displayName, null);
    if (!found.ok) return found;
    // Most servers without metadata want a token.
    if (found.value.isGuessed)
      return {
        ok: false,
        message: `${displayName} wants a credential and does not say which. Enter a token, or choose the sign-in if its documentation names one.`,
      };
    return { ok: true, client: wayAt(found.value, config).kind };
  };
}
