// Binds the rules of an issuer to named keys of the administrator who writes them. reference: Trusted issuers; decision: 054
import type * as z from 'zod';
import { HttpError } from '../../http/errors.ts';
import { canonicalJson } from '../../json/canonical.ts';
import type { NewRule } from '../../ports/machines.ts';
import type { Ports } from '../../ports/ports.ts';
import type { BoundKeys } from './bound-keys.ts';
import type { TrustedIssuerForm } from './operations.ts';
import { refusalOf } from './rules.ts';

type RuleForm = z.output<typeof TrustedIssuerForm>['rules'][number];

/**
 * Returns the rules as they are stored. A rule of `before` that comes again unchanged stays what it was, so that its tokens
 * go on and the key of another administrator may be named. Throws 400 for any other rule with a key that is not the person's.
 */
export type BindRules = (
  userId: string,
  issuer: string,
  rules: readonly RuleForm[],
  before: readonly NewRule[],
) => Promise<NewRule[]>;

export function createBindRules({
  boundKeys,
  clock,
  random,
}: Pick<Ports, 'clock' | 'random'> & { boundKeys: BoundKeys }): BindRules {
  return async function bindRules(userId, issuer, rules, before) {
    const left = [...before];
    const bound: NewRule[] = [];
    for (const [at, { sub, claims = {}, key: wanted }] of rules.entries()) {
      const refusal = refusalOf(issuer, { sub, claims });
      if (refusal !== null) throw new HttpError(400, { error: `rules.${at}.sub: ${sub} ${refusal}` });
      const text = canonicalJson(claims);
      const take = (keyId: string): NewRule | undefined => {
        const same = left.findIndex(
          (rule) => rule.sub === sub && rule.claims === text && rule.key_id === keyId,
        );
        return same === -1 ? undefined : left.splice(same, 1)[0];
      };
      const kept = take(wanted);
      if (kept !== undefined) {
        bound.push(kept);
        continue;
      }
      const key = await boundKeys.require(userId, wanted, `rules.${at}.key`);
      const made = {
        id: random.uuid(),
        user_id: userId,
        key_id: key.id,
        sub,
        claims: text,
        created_at: clock.now(),
        last_used_at: null,
      };
      bound.push(take(key.id) ?? made);
    }
    return bound;
  };
}
