// Issues the access token of a machine, with the limits of its named key. decision: 054
import type { AccessTokens } from '../../auth/access-token.ts';
import { highestScope } from '../../auth/scopes.ts';
import { shownText } from '../../kit/shown-text.ts';
import type { Ports } from '../../ports/ports.ts';
import { MACHINE_TOKEN_SECONDS } from './limits.ts';

interface Acting {
  keyId: string;
  /** The client or the rule. */
  via: string;
  /** The client, or the issuer of the rule. */
  clientId: string;
  /** The machine, as people read it in the audit log. */
  who: string;
  scope: string;
  /** When what was presented ends. */
  until?: number;
}

export interface MachineTokens {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
}

export type IssueToMachine = (acting: Acting) => Promise<MachineTokens | null>;

/** Null for a scope that means nothing here. */
export const scopeIn = (form: URLSearchParams): string | null => highestScope(form.get('scope') || 'mcp');

/** Returns null when the key, the client or the rule has ended. */
export function createIssueToMachine({
  accessTokens,
  clock,
  config,
  store,
}: Pick<Ports, 'clock' | 'config' | 'store'> & { accessTokens: AccessTokens }): IssueToMachine {
  return async function issueToMachine({ keyId, via, clientId, who, scope, until }) {
    const key = await store.machines.key(keyId, via);
    const now = clock.now();
    const most = Math.min(MACHINE_TOKEN_SECONDS, config.OAUTH_ACCESS_TOKEN_TTL_SECONDS);
    const ends = [key?.expires_at ?? Infinity, until ?? Infinity, now + most];
    const expires_in = Math.floor(Math.min(...ends)) - now;
    if (key === null || expires_in <= 0) return null;
    await store.machines.noteUse(via, now);
    // What an issuer signs may have characters that no log and no database takes.
    const clientName = shownText(`${key.name} by ${who}`) ?? undefined;
    const grant = { userId: key.user_id, clientId, clientName, scope };
    const access_token = accessTokens.issue({ ...grant, machine: { keyId, via } }, expires_in);
    return { access_token, token_type: 'Bearer', expires_in, scope };
  };
}
