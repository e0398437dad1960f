// Says to an administrator what a token would do, or which check fails. It uses nothing up. reference: Trusted issuers
import type { Limits } from '../../kit/actor.ts';
import { titleOf } from '../../kit/integration.ts';
import { parseLimits } from '../../kit/limits.ts';
import type { Registries } from '../../kit/registries.ts';
import type { Ports } from '../../ports/ports.ts';
import type { TestedToken } from './operations.ts';
import { sayReason } from './refusals.ts';
import { issIn, type TrustedTokens } from './trusted-token.ts';

type Needs = Pick<Ports, 'clock' | 'store'> & { registries: Registries; trustedTokens: TrustedTokens };

const MAY = { read: 'may read', write: 'may read and change', destroy: 'may do anything with' } as const;
const MAX_NAMES = 5;

export function createTestToken({
  clock,
  registries,
  store,
  trustedTokens,
}: Needs): (text: string) => Promise<TestedToken> {
  async function sayMay(userId: string, { integrations, access = 'destroy', rules = [] }: Limits) {
    const registry = await registries.of(userId);
    const names = (integrations ?? []).map((name) => {
      const integration = registry.integration(name);
      return integration === null ? name : titleOf(integration);
    });
    const more = names.length - MAX_NAMES;
    const listed = more > 0 ? [...names.slice(0, MAX_NAMES), `${more} more`] : names;
    const what = integrations === undefined ? 'everything that is connected' : listed.join(', ');
    return `${MAY[access]} ${what}${rules.length === 0 ? '' : ', within the rules of the key'}`;
  }

  return async function testToken(text) {
    const found = await trustedTokens.issuerOf(text);
    if (found === null)
      return { accepted: false, says: sayReason(issIn(text) === null ? 'malformed' : 'unknown-issuer') };
    const checked = await trustedTokens.check(text, found);
    const issuer = found.issuer.name;
    if ('why' in checked) {
      const { why, sub } = checked;
      return { accepted: false, says: sayReason(why), issuer, ...(sub === undefined ? {} : { sub }) };
    }
    const { rule, sub } = checked;
    const key = await store.machines.key(rule.key_id, rule.id);
    const about = { issuer, sub, rule: rule.sub };
    if (key === null || (key.expires_at !== null && key.expires_at <= clock.now()))
      return { accepted: false, says: sayReason('key-over'), ...about };
    const may = await sayMay(key.user_id, parseLimits(key.limits));
    return {
      accepted: true,
      says: `This token would act as ${key.name}, and ${may}.`,
      ...about,
      key: key.name,
    };
  };
}
