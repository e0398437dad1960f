// Turns a token of a trusted issuer into a short access token with the limits of a named key. RFC 7523 §2.1; reference: Trusted issuers
import type { AccessTokens } from '../../auth/access-token.ts';
import { withoutSlash } from '../../login/discovery.ts';
import { acceptsAssertions } from '../../login/providers.ts';
import type { Ports } from '../../ports/ports.ts';
import { createIssueToMachine, type MachineTokens, scopeIn } from './issue.ts';
import { sayReason, type TrustedReason } from './refusals.ts';
import { createUseOnce } from './single-use.ts';
import { issIn, type RefusedToken, type TrustedTokens } from './trusted-token.ts';

export type TrustedRefusal = {
  reason: 'trusted-issuer';
  why: TrustedReason;
  sentence: string;
  issuer?: string;
  /** As the issuer has signed it. */
  subject?: string;
};

/** Returns null for what may be an identity assertion: the issuer tells the two apart. */
export type RedeemTrusted = (
  form: URLSearchParams,
) => Promise<{ tokens: MachineTokens } | TrustedRefusal | null>;

type Needs = Pick<Ports, 'clock' | 'config' | 'digest' | 'store'> & {
  accessTokens: AccessTokens;
  trustedTokens: TrustedTokens;
};

const MAX_LOGGED_CHARACTERS = 200;

export function createRedeemTrusted(deps: Needs): RedeemTrusted {
  const { config, store, trustedTokens } = deps;
  const issue = createIssueToMachine(deps);
  const useOnce = createUseOnce(deps);

  /** The sign-in provider stays the issuer of identity assertions. */
  const isOfProvider = (iss: string): boolean =>
    acceptsAssertions(config) && withoutSlash(iss) === withoutSlash(config.IDP_ISSUER_URL ?? '');

  return async function redeemTrusted(form) {
    const text = form.get('assertion') ?? '';
    const iss = issIn(text);
    if (iss !== null && isOfProvider(iss)) return null;
    const found = await trustedTokens.issuerOf(text);
    if (found === null) {
      if (acceptsAssertions(config) || !(await store.machines.any()).issuers) return null;
      return refuse({ why: iss === null ? 'malformed' : 'unknown-issuer' });
    }
    const scope = scopeIn(form);
    if (scope === null) return refuse({ why: 'scope', issuer: found.issuer });
    const checked = await trustedTokens.check(text, found);
    if ('why' in checked) return refuse(checked);
    const { issuer, rule, sub, exp, jti } = checked;
    if (jti !== null && !(await useOnce({ from: issuer.issuer, jti, exp })))
      return refuse({ why: 'used-before', issuer, sub });
    const who = `${sub} (${issuer.name})`;
    const acting = { keyId: rule.key_id, via: rule.id, clientId: issuer.id, who, scope, until: exp };
    const tokens = await issue(acting);
    return tokens === null ? refuse({ why: 'key-over', issuer, sub }) : { tokens };
  };
}

const refuse = ({ why, issuer, sub }: RefusedToken): TrustedRefusal => ({
  reason: 'trusted-issuer',
  why,
  sentence: sayReason(why),
  ...(issuer === undefined ? {} : { issuer: issuer.name }),
  ...(sub === undefined ? {} : { subject: sub.slice(0, MAX_LOGGED_CHARACTERS) }),
});
