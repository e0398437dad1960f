// Turns an identity assertion of the idp into an access token, without a refresh token. reference: Identity assertions; decision: 017
import type { AccessTokens } from '../auth/access-token.ts';
import { highestScope, isWithin } from '../auth/scopes.ts';
import { setAt } from '../kit/set-address.ts';
import type { Ports } from '../ports/ports.ts';
import type { Login, OpenAssertion } from '../login/login.ts';
import { acceptsAssertions } from '../login/providers.ts';
import { isOurResource } from './authorize.ts';
import type { Clients } from './clients.ts';
import type { Grants } from './grants.ts';
import type { AssertionOutcomeReason } from './assertion-outcome.ts';
import type { TokenOutcome } from './token-outcome.ts';

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export type AssertionNeeds = Pick<Ports, 'config'> & {
  accessTokens: AccessTokens;
  clients: Clients;
  grants: Grants;
  login: Pick<Login, 'openAssertion' | 'confirm'>;
};

export type RedeemAssertion = (form: URLSearchParams) => Promise<TokenOutcome>;

export function createRedeemAssertion(deps: AssertionNeeds): RedeemAssertion {
  const { accessTokens, clients, config, grants, login } = deps;

  /** Returns the scope of the token, and leaves the assertion unused when something does not fit. */
  function checkGrant(
    { clientId, resources, scope }: OpenAssertion,
    form: URLSearchParams,
  ): { scope: string; set: string | undefined } | { why: AssertionOutcomeReason } {
    if (clientId !== form.get('client_id')) return { why: 'other-client' };
    const isOurs = (resource: string) => resource !== '' && isOurResource(resource, config.SERVER_PUBLIC_URL);
    if (!resources.every(isOurs)) return { why: 'other-resource' };
    const allowed = highestScope(scope ?? 'mcp');
    const asked = highestScope(form.get('scope') || (allowed ?? ''));
    if (allowed === null) return { why: 'no-scope' };
    if (asked === null || !isWithin(asked, allowed)) return { why: 'wider-scope' };
    const set = setOf(form.get('resource'), resources);
    return set === null ? { why: 'other-resource' } : { scope: asked, set };
  }

  /** The set that the token is for; undefined for everything, and null when the idp allows other sets only. */
  function setOf(asked: string | null, resources: readonly string[]): string | null | undefined {
    const nameOf = (resource: string | null) => setAt(resource, config.SERVER_PUBLIC_URL);
    const given = new Set(resources.map(nameOf));
    const wanted = nameOf(asked);
    if (given.size === 0 || given.has(null)) return wanted ?? undefined;
    const [only = null, ...others] = given;
    if (wanted === null) return others.length === 0 ? only : null;
    return given.has(wanted) ? wanted : null;
  }

  return async function redeemAssertion(form) {
    const assertion = form.get('assertion');
    const clientId = form.get('client_id');
    if (!acceptsAssertions(config)) return { reason: 'unsupported-grant' };
    if (!assertion) return refuse('nothing-presented');
    if (!clientId) return { reason: 'no-client' };
    const opened = await login.openAssertion(assertion);
    if ('reason' in opened) return refuse(opened.reason);
    const checked = checkGrant(opened, form);
    if ('why' in checked) return refuse(checked.why);
    const client = await clients.resolve(clientId);
    if (client === null) return refuse('unknown-client');
    const signedIn = await opened.signIn();
    if ('reason' in signedIn) return refuse(signedIn.reason);
    await clients.remember(client);
    const { id: userId } = signedIn.user;
    const seconds = await grants.secondsLeft(userId, clientId);
    if (seconds <= 0) return { reason: 'grant-over' };
    const { scope, set } = checked;
    const clientName = client.client_name ?? undefined;
    const access_token = accessTokens.issue({ userId, clientId, clientName, scope, set }, seconds);
    const shut = await login.confirm(userId);
    if (shut !== null) return refuse(shut.reason);
    return { tokens: { access_token, token_type: 'Bearer', expires_in: seconds, scope } };
  };
}

const refuse = (why: AssertionOutcomeReason): TokenOutcome => ({ reason: 'assertion', why });
