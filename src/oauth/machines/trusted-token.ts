// Checks a token of a trusted issuer, in the documented order, and finds the rule that it fits. It uses nothing up.
// reference: Trusted issuers; decision: 054
import { decodeJwt } from 'jose';
import type { Egress } from '../../egress/door.ts';
import { EgressFailure } from '../../egress/failure.ts';
import { describe } from '../../http/errors.ts';
import { withoutSlash } from '../../login/discovery.ts';
import { SIGNED_ALGORITHMS } from '../../login/id-token.ts';
import { createSignedIssuer, type SignedIssuer } from '../../login/signed-issuer.ts';
import { createLru } from '../../memory/lru.ts';
import { HAS_NO_CONTROL } from '../../kit/shown-text.ts';
import type { IssuerWithRules, TrustedIssuer, TrustedRule } from '../../ports/machines.ts';
import type { Ports } from '../../ports/ports.ts';
import { MACHINE_JWT_CHARACTERS, PATTERN_CHARACTERS, SUBJECT_CHARACTERS, TRUSTED_ISSUERS } from './limits.ts';
import type { TrustedReason } from './refusals.ts';
import { ruleOf } from './rules.ts';
import { isOnly, verifySigned } from './signed.ts';

export interface CheckedToken {
  issuer: TrustedIssuer;
  rule: TrustedRule;
  sub: string;
  exp: number;
  /** Null for a token without an id. */
  jti: string | null;
}

/** `sub` is there once the issuer has signed for it. */
export interface RefusedToken {
  why: TrustedReason;
  issuer?: TrustedIssuer;
  sub?: string;
}

export interface TrustedTokens {
  /** Null when no trusted issuer has the `iss` of the token. */
  issuerOf(text: string): Promise<IssuerWithRules | null>;
  check(text: string, found: IssuerWithRules): Promise<CheckedToken | RefusedToken>;
  /** Rejects with an EgressFailure when the issuer cannot be read. */
  read(issuer: string): Promise<void>;
}

const MAX_JTI_CHARACTERS = 1_024;

export function createTrustedTokens(
  deps: Pick<Ports, 'clock' | 'log' | 'store'> & { egress: Egress },
): TrustedTokens {
  const { clock, log, store } = deps;
  const readers = createLru<SignedIssuer>(TRUSTED_ISSUERS);

  function readerOf(issuer: string): SignedIssuer {
    const known = readers.get(issuer);
    if (known !== undefined) return known;
    const reader = createSignedIssuer(issuer, deps);
    readers.set(issuer, reader, 1);
    return reader;
  }

  async function checkSigned(
    text: string,
    { issuer, rules }: IssuerWithRules,
  ): Promise<CheckedToken | RefusedToken> {
    const reader = readerOf(issuer.issuer);
    const signed = await verifySigned(text, {
      key: reader.key,
      algorithms: SIGNED_ALGORITHMS,
      claims: ['iss', 'sub', 'aud', 'iat'],
      clock,
    });
    if ('reason' in signed) return { why: signed.reason, issuer };
    const { payload } = signed;
    const { iss, aud, exp = 0 } = payload;
    // jose checks that these are present, not their types.
    const { sub, jti = null }: { sub?: unknown; jti?: unknown } = payload;
    if (iss !== (await reader.spelling())) return { why: 'wrong-issuer', issuer };
    if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_CHARACTERS)
      return { why: 'claims', issuer };
    if (jti !== null && (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_CHARACTERS))
      return { why: 'claims', issuer };
    if (!isOnly(aud, [issuer.audience])) return { why: 'wrong-audience', issuer, sub };
    // The access token ends with this one, so what has just expired is of no use.
    if (exp <= clock.now()) return { why: 'expired', issuer, sub };
    const rule = ruleOf(rules, sub, payload);
    return rule === null ? { why: 'no-rule', issuer, sub } : { issuer, rule, sub, exp, jti };
  }

  return {
    async issuerOf(text) {
      const iss = issIn(text);
      return iss === null ? null : store.machines.issuer({ issuer: withoutSlash(iss) });
    },

    async check(text, found) {
      try {
        return await checkSigned(text, found);
      } catch (error) {
        if (!(error instanceof EgressFailure)) throw error;
        log.write('warn', 'trusted issuer failed', { issuer: found.issuer.name, ...describe(error) });
        const why = error.reason === 'bad-answer' ? 'misbehaving' : 'unreachable';
        return { why, issuer: found.issuer };
      }
    },

    async read(issuer) {
      await createSignedIssuer(issuer, deps).spelling();
    },
  };
}

/** Read before the signature is checked, to know whose keys check it. Nothing is fetched for an issuer that nobody trusts. */
export function issIn(text: string): string | null {
  if (text.length > MACHINE_JWT_CHARACTERS) return null;
  try {
    const { iss } = decodeJwt(text);
    const isUsable = typeof iss === 'string' && iss.length <= PATTERN_CHARACTERS && HAS_NO_CONTROL.test(iss);
    return isUsable ? iss : null;
  } catch {
    return null;
  }
}
