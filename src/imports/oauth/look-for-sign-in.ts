// Looks at how people would sign in at a server, for a preview.
import type { Config } from '../../config/config.ts';
import type { Egress } from '../../egress/door.ts';
import type { LookForSignIn } from '../find-source.ts';
import { findAuthorizationServer } from './authorization.ts';
import { chooseIntroduction } from './choose-client.ts';

type Needs = { config: Pick<Config, 'SERVER_PUBLIC_URL' | 'loopback'>; egress: Egress };

export function createLookForSignIn({ config, egress }: Needs): LookForSignIn {
  return async function lookForSignIn(address, displayName) {
    const found = await findAuthorizationServer(egress, address, displayName, null);
    return found.ok ? { ok: true, client: chooseIntroduction(found.value, config) } : found;
  };
}
