// The token endpoint: turns a code or a refresh token into an access token and a new refresh token. reference: Token endpoint
import { base64url } from 'jose';
import { timingSafeEqual } from 'hono/utils/buffer';
import { fromHex, toHex } from '../crypto/encoding.ts';
import type { AccessTokens } from '../auth/access-token.ts';
import { setAt } from '../kit/set-address.ts';
import type { Ports } from '../ports/ports.ts';
import { CODE_SECONDS, REFRESH_TOKEN_SECONDS, REUSE_GRACE_SECONDS } from './limits.ts';
import type { AuthorizationCode, RefreshToken } from '../ports/records.ts';
import { createRedeemAssertion, JWT_BEARER, type AssertionNeeds } from './assertion-grant.ts';
import { createRedeemClient } from './machines/client-grant.ts';
import { createRedeemTrusted } from './machines/trusted-grant.ts';
import type { TrustedTokens } from './machines/trusted-token.ts';
import { isOurResource } from './authorize.ts';
import type { Clients } from './clients.ts';
import type { Grants } from './grants.ts';
import type { TokenOutcome, TokenReason } from './token-outcome.ts';

type Needs = AssertionNeeds &
  Pick<Ports, 'clock' | 'digest' | 'random' | 'store'> & {
    accessTokens: AccessTokens;
    clients: Clients;
    grants: Grants;
    trustedTokens: TrustedTokens;
  };

const CLIENT_CREDENTIALS = 'client_credentials';
const REFRESH_TOKEN = /^[0-9a-f]{64}$/;
const FAMILY_CHARACTERS = 32;

/** `authorization` is the header, which machine clients alone may use. */
export type RedeemToken = (form: URLSearchParams, authorization: string | null) => Promise<TokenOutcome>;

interface TokenGrant {
  user_id: string;
  client_id: string;
  scope: string;
  resource: string | null;
}

interface NamedGrant extends TokenGrant {
  clientName: string | undefined;
}

export function createRedeemToken(deps: Needs): RedeemToken {
  const { accessTokens, clock, config, digest, random, store, clients, grants } = deps;
  const redeemAssertion = createRedeemAssertion(deps);
  const redeemClient = createRedeemClient(deps);
  const redeemTrusted = createRedeemTrusted(deps);
  const base = config.SERVER_PUBLIC_URL;

  async function redeemCode(form: URLSearchParams): Promise<TokenOutcome> {
    const presented = form.get('code');
    if (!presented) return { reason: 'nothing-presented' };
    // The code determines the family, so a code that comes again finds what it gave. decision: 022
    const family = digest.sha256(presented).slice(0, FAMILY_CHARACTERS);
    const outcome = await exchangeCode(presented, family, form);
    // RFC 6749 §4.1.2: when a code is used more than once, its tokens should be revoked
    if ('reason' in outcome) await store.refreshTokens.revokeFamily(family);
    return outcome;
  }

  async function exchangeCode(
    presented: string,
    family: string,
    form: URLSearchParams,
  ): Promise<TokenOutcome> {
    const now = clock.now();
    // Takes the code before checking it: a failed attempt uses it up too.
    const begun = { family, created_at: now, expires_at: now + CODE_SECONDS };
    const code = await store.codes.take(presented, begun);
    if (code === null) return unknown(form);
    const reason = await checkCode(code, form);
    if (reason !== null) return { reason };
    const [seconds, named] = await Promise.all([
      grants.secondsLeft(code.user_id, code.client_id),
      nameClient(code),
    ]);
    const refreshToken = drawToken(family);
    const issued = issue(named, refreshToken, seconds, form);
    // A grant may outlive a person who was deleted. A person who is disabled after this look loses the access token.
    const user = await store.users.byId(code.user_id);
    if (user === null || user.disabled_at !== null) return { reason: 'no-user' };
    if (seconds <= 0) return { reason: 'grant-over' };
    // The refresh token does not live if the code has come again meanwhile.
    await store.refreshTokens.start({
      family,
      token_hash: digest.sha256(refreshToken),
      expires_at: now + REFRESH_TOKEN_SECONDS,
    });
    return issued;
  }

  // Checks client_id, the exact redirect_uri, and the S256 challenge in constant time. reference: Token endpoint
  async function checkCode(code: AuthorizationCode, form: URLSearchParams): Promise<TokenReason | null> {
    if (code.expires_at <= clock.now()) return 'expired';
    if (form.get('client_id') !== code.client_id) return otherClient(form);
    if (form.get('redirect_uri') !== code.redirect_uri) return 'other-redirect-uri';
    const verifier = form.get('code_verifier');
    // Everybody can produce the verifier of the empty text's hash.
    if (!verifier) return 'wrong-verifier';
    const challenge = base64url.encode(fromHex(digest.sha256(verifier)));
    return (await timingSafeEqual(challenge, code.code_challenge)) ? null : 'wrong-verifier';
  }

  async function redeemRefreshToken(form: URLSearchParams): Promise<TokenOutcome> {
    const presented = form.get('refresh_token');
    if (!presented) return { reason: 'nothing-presented' };
    if (!REFRESH_TOKEN.test(presented)) return unknown(form);
    const family = presented.slice(0, FAMILY_CHARACTERS);
    const next = drawToken(family);
    const now = clock.now();
    const rotated = await store.refreshTokens.rotate({
      presented: digest.sha256(presented),
      next: digest.sha256(next),
      family,
      client_id: form.get('client_id') ?? '',
      now,
      expires_at: now + REFRESH_TOKEN_SECONDS,
    });
    switch (rotated.outcome) {
      case 'rotated':
        return issueAgain(rotated.token, rotated.hasUser, next, form);
      case 'burned':
        return { reason: otherClient(form) };
      case 'reused':
        // A client whose response was lost retries at once; a stolen token is used later. decision: 022
        if (now - rotated.rotated_at > REUSE_GRACE_SECONDS)
          await store.refreshTokens.revokeFamily(rotated.family);
        return { reason: 'reused' };
      case 'unknown':
        return unknown(form);
    }
  }

  async function issueAgain(
    grant: RefreshToken,
    hasUser: boolean,
    next: string,
    form: URLSearchParams,
  ): Promise<TokenOutcome> {
    const seconds = hasUser ? await grants.secondsLeft(grant.user_id, grant.client_id) : 0;
    if (seconds > 0) return issue(await nameClient(grant), next, seconds, form);
    await store.refreshTokens.revokeFamily(grant.family);
    return { reason: hasUser ? 'grant-over' : 'no-user' };
  }

  /** Half of a token's 32 bytes name its family, so that a used token still finds it. The other half is drawn. */
  function drawToken(family: string): string {
    return `${family}${toHex(random.bytes(16))}`;
  }

  async function unknown(form: URLSearchParams): Promise<TokenOutcome> {
    return { reason: (await clients.isKnown(form.get('client_id') ?? '')) ? 'unknown' : 'unknown-client' };
  }

  async function nameClient({ user_id, client_id, scope, resource }: TokenGrant): Promise<NamedGrant> {
    const client = await store.clients.get(client_id);
    return { user_id, client_id, scope, resource, clientName: client?.client_name ?? undefined };
  }

  function issue(
    { user_id, client_id, scope, resource, clientName }: NamedGrant,
    refreshToken: string,
    seconds: number,
    form: URLSearchParams,
  ): TokenOutcome {
    // A client may ask for less than what it was granted. RFC 8707 §2.2
    const set = setAt(resource, base) ?? setAt(form.get('resource'), base) ?? undefined;
    const grant = { userId: user_id, clientId: client_id, clientName, scope, set };
    return {
      tokens: {
        access_token: accessTokens.issue(grant, seconds),
        token_type: 'Bearer',
        expires_in: seconds,
        refresh_token: refreshToken,
        scope,
      },
    };
  }

  return async function redeemToken(form, authorization) {
    // RFC 6749 §3.2: a parameter must not occur more than once
    if (new Set(form.keys()).size !== form.size) return { reason: 'malformed' };
    if (!isOurResource(form.get('resource'), base)) return { reason: 'other-resource' };
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return redeemCode(form);
      case 'refresh_token':
        return redeemRefreshToken(form);
      case JWT_BEARER:
        return (await redeemTrusted(form)) ?? redeemAssertion(form);
      case CLIENT_CREDENTIALS:
        return redeemClient(form, authorization);
      default:
        return { reason: 'unsupported-grant' };
    }
  };
}

// Clients do not authenticate: client_id comes from the body. reference: Token endpoint
function otherClient(form: URLSearchParams): TokenReason {
  return form.has('client_id') ? 'other-client' : 'no-client';
}
