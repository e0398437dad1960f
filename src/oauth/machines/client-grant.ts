// The grant client_credentials: a machine client gets a token with the limits of its named key. RFC 6749 §4.4; reference: Client credentials
import type { AccessTokens } from '../../auth/access-token.ts';
import type { Ports } from '../../ports/ports.ts';
import { createProveClient, readBasic } from './client-proof.ts';
import { createIssueToMachine, type MachineTokens, scopeIn } from './issue.ts';
import { type ClientReason, sayReason } from './refusals.ts';

export type ClientRefusal = {
  reason: 'machine-client';
  why: ClientReason;
  sentence: string;
  /** Whether the client used the header, which the answer then names. RFC 6749 §5.2 */
  basic: boolean;
};
type Answer = { tokens: MachineTokens } | ClientRefusal | { reason: 'unsupported-grant' };

export type RedeemClient = (form: URLSearchParams, authorization: string | null) => Promise<Answer>;

export function createRedeemClient(
  deps: Pick<Ports, 'clock' | 'config' | 'digest' | 'store'> & { accessTokens: AccessTokens },
): RedeemClient {
  const proveClient = createProveClient(deps);
  const issue = createIssueToMachine(deps);

  return async function redeemClient(form, authorization) {
    const basic = readBasic(authorization) !== undefined;
    const refuse = (why: ClientReason): ClientRefusal => ({
      reason: 'machine-client',
      why,
      sentence: sayReason(why),
      basic,
    });
    if (!(await deps.store.machines.any()).clients) return { reason: 'unsupported-grant' };
    const scope = scopeIn(form);
    if (scope === null) return refuse('scope');
    const proved = await proveClient(form, authorization);
    if ('why' in proved) return refuse(proved.why);
    const { client_id: clientId, key_id: keyId, name: who } = proved.client;
    const tokens = await issue({ keyId, via: clientId, clientId, who, scope });
    return tokens === null ? refuse('key-over') : { tokens };
  };
}
