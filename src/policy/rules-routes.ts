// Serves the rules of the signed-in person, and those of everyone to administrators. reference: Rules; decision: 038
import { Hono } from 'hono';
import { type AdministratorNeeds, requireAdministrator } from '../auth/administrators.ts';
import { loadUser, type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { canonicalJson } from '../json/canonical.ts';
import type { Identify, Rule } from '../kit/actor.ts';
import { parseRules } from '../kit/limits.ts';
import type { Registries } from '../kit/registries.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import type { PolicyRows } from '../ports/policy.ts';
import type { Ports } from '../ports/ports.ts';
import { EVERYONE } from '../ports/store.ts';
import { readForm, requireMatchable, requirePersonal } from '../kit/read-form.ts';
import {
  type OwnRulesAnswer,
  type RulesAnswer,
  type RulesForEveryoneAnswer,
  RulesForm,
} from './rules-operations.ts';

type Needs = Pick<Ports, 'clock' | 'log' | 'random' | 'store'> &
  AdministratorNeeds & { identify: Identify; registries: Registries };

const OWN = '/api/policy';
const FOR_EVERYONE = '/api/admin/policy';
/** As many as a person looks through. */
const MAX_KNOWN_GROUPS = 500;

export function createRulesRoutes(deps: Needs): Hono<PortalEnv> {
  const { clock, identify, log, random, registries, store } = deps;
  const person = requirePortalUser(identify);
  const signedIn = requirePortalUser(identify, { only: 'sessions' });
  const administrator = requireAdministrator(deps);

  /** Returns false when the list is stored already: a new revision would end approvals for nothing. */
  async function change(owner: string, stored: PolicyRows['own'], rules: readonly Rule[]): Promise<boolean> {
    if (canonicalJson(rulesIn(stored)) === canonicalJson(rules)) return false;
    await store.policies.putRules({
      owner,
      rules: JSON.stringify(rules),
      revision: random.uuid(),
      updated_at: clock.now(),
    });
    return true;
  }

  const app = new Hono<PortalEnv>();

  app.get(OWN, person, async (c) => {
    const read = await store.policies.read(c.var.userId, null);
    const everyone = rulesIn(read.everyone);
    const isGrouped = everyone.some(({ groups }) => groups !== undefined);
    const shown = {
      rules: rulesIn(read.own),
      ...(everyone.length === 0 ? {} : { everyone }),
      ...(isGrouped ? { groups: await store.groups.of(c.var.userId) } : {}),
    };
    return c.json(shown satisfies OwnRulesAnswer);
  });

  app.put(OWN, signedIn, async (c) => {
    const { id } = await loadUser(c, deps);
    const { rules } = await readForm(c, RulesForm);
    requirePersonal(rules);
    requireMatchable(rules, await registries.of(id));
    await change(id, (await store.policies.read(id, null)).own, rules);
    return c.json({ rules } satisfies RulesAnswer);
  });

  app.get(FOR_EVERYONE, person, administrator, async (c) => {
    const [{ everyone }, groups] = await Promise.all([
      store.policies.read(c.var.userId, null),
      store.groups.known(MAX_KNOWN_GROUPS),
    ]);
    const shown = { rules: rulesIn(everyone), ...(groups.length === 0 ? {} : { groups }) };
    return c.json(shown satisfies RulesForEveryoneAnswer);
  });

  app.put(FOR_EVERYONE, signedIn, administrator, async (c) => {
    const { userId } = c.var;
    const { rules } = await readForm(c, RulesForm);
    requireMatchable(rules, await registries.of(userId), isForEveryone);
    const { everyone } = await store.policies.read(userId, null);
    if (await change(EVERYONE, everyone, rules))
      log.write('info', 'the rules for everyone were changed', { user: userId, rules: rules.length });
    return c.json({ rules } satisfies RulesAnswer);
  });

  return app;
}

const rulesIn = (stored: PolicyRows['own']): readonly Rule[] =>
  stored === null ? [] : parseRules(stored.rules);

/** The tools of an administrator's own import have other owners for other people. */
const isForEveryone = ({ integration }: RegisteredTool): boolean => integration.imported?.for !== 'me';
