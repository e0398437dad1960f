// Serves the trusted issuers to administrators, who change them in a portal session. reference: Trusted issuers; decision: 054
import { Hono } from 'hono';
import { type AdministratorNeeds, requireAdministrator } from '../../auth/administrators.ts';
import { loadUser, type PortalEnv, requirePortalUser } from '../../auth/portal-user.ts';
import { EgressFailure } from '../../egress/failure.ts';
import { HttpError } from '../../http/errors.ts';
import { isId } from '../../http/id.ts';
import type { Success } from '../../http/operation.ts';
import type { Identify } from '../../kit/actor.ts';
import { readForm } from '../../kit/read-form.ts';
import type { Registries } from '../../kit/registries.ts';
import { withoutSlash } from '../../login/discovery.ts';
import type { IssuerWithRules } from '../../ports/machines.ts';
import type { Ports } from '../../ports/ports.ts';
import { createBoundKeys } from './bound-keys.ts';
import { createBindRules } from './bind-rules.ts';
import { PATTERN_CHARACTERS, TRUSTED_ISSUERS } from './limits.ts';
import {
  type ShownTrustedIssuer,
  TestForm,
  TrustedChangeForm,
  TrustedIssuerForm,
  type TrustedIssuerList,
} from './operations.ts';
import { parseClaims, warningsOf } from './rules.ts';
import { createTestToken } from './test-token.ts';
import type { TrustedTokens } from './trusted-token.ts';

type Needs = Pick<Ports, 'clock' | 'config' | 'random' | 'store'> &
  AdministratorNeeds & { identify: Identify; registries: Registries; trustedTokens: TrustedTokens };

const NO_SUCH_ISSUER = 'There is no such issuer';

export function createTrustedIssuerRoutes(deps: Needs): Hono<PortalEnv> {
  const { clock, config, identify, random, store, trustedTokens } = deps;
  const signedIn = requirePortalUser(identify, { only: 'sessions' });
  const administrator = requireAdministrator(deps);
  const boundKeys = createBoundKeys(deps);
  const bindRules = createBindRules({ ...deps, boundKeys });
  const testToken = createTestToken(deps);
  const app = new Hono<PortalEnv>();

  async function showAll(userId: string, all: readonly IssuerWithRules[]): Promise<ShownTrustedIssuer[]> {
    const keyOf = await boundKeys.shower(
      userId,
      all.flatMap(({ rules }) => rules),
    );
    return all.map(({ issuer: { id, name, issuer, audience, created_at }, rules }) => ({
      id,
      name,
      issuer,
      audience,
      rules: rules.map((rule) => {
        const claims = parseClaims(rule.claims);
        const { id: ruleId, sub, last_used_at } = rule;
        const warnings = warningsOf(issuer, { sub, claims });
        return { id: ruleId, sub, claims, key: keyOf(rule), warnings, lastUsedAt: last_used_at };
      }),
      createdAt: created_at,
    }));
  }

  async function showOne(userId: string, id: string): Promise<ShownTrustedIssuer> {
    const found = isId(id) ? await store.machines.issuer({ id }) : null;
    const [shown] = found === null ? [] : await showAll(userId, [found]);
    if (shown === undefined) throw new HttpError(404, { error: NO_SUCH_ISSUER });
    return shown;
  }

  function requireAddress(text: string): string {
    const url = URL.parse(text);
    const isSafe = url?.protocol === 'https:' || (config.loopback && url?.protocol === 'http:');
    const isPlain =
      url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
    // The text is compared with tokens, so it has to be the one spelling of the address.
    const address = withoutSlash(text);
    if (!isSafe || !isPlain || withoutSlash(url.href) !== address)
      throw new HttpError(400, {
        error: `issuer: must be the iss of the tokens: an https address of at most ${PATTERN_CHARACTERS} characters without query`,
      });
    if (config.IDP_ISSUER_URL !== undefined && withoutSlash(config.IDP_ISSUER_URL) === address)
      throw new HttpError(409, {
        error: 'This is the provider that people sign in with. Its tokens are identity assertions already',
      });
    return address;
  }

  async function requireReadable(issuer: string): Promise<void> {
    try {
      await trustedTokens.read(issuer);
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error;
      const cure = error.reason === 'forbidden' ? '. The operator can allow it with EGRESS_ALLOW' : '';
      throw new HttpError(400, { error: `issuer: ${error.message}${cure}` });
    }
  }

  app.get('/api/trusted-issuers', signedIn, administrator, async (c) => {
    const issuers = await showAll(c.var.userId, await store.machines.issuers());
    return c.json({ issuers } satisfies TrustedIssuerList);
  });

  app.post('/api/trusted-issuers', signedIn, administrator, async (c) => {
    const { id: userId } = await loadUser(c, deps);
    const form = await readForm(c, TrustedIssuerForm);
    const address = requireAddress(form.issuer);
    const rules = await bindRules(userId, address, form.rules, []);
    if ((await store.machines.issuer({ issuer: address })) !== null) throw new HttpError(409, TRUSTED);
    await requireReadable(address);
    const issuer = {
      id: random.uuid(),
      name: form.name,
      issuer: address,
      audience: form.audience ?? config.SERVER_PUBLIC_URL,
      created_by: userId,
      revision: random.uuid(),
      created_at: clock.now(),
    };
    if (!(await store.machines.addIssuer(issuer, rules, TRUSTED_ISSUERS))) throw new HttpError(409, TRUSTED);
    return c.json((await showOne(userId, issuer.id)) satisfies ShownTrustedIssuer, 201);
  });

  app.post('/api/trusted-issuers/test', signedIn, administrator, async (c) => {
    const { token } = await readForm(c, TestForm);
    return c.json(await testToken(token.trim()));
  });

  app.patch('/api/trusted-issuers/:id', signedIn, administrator, async (c) => {
    const id = c.req.param('id');
    const form = await readForm(c, TrustedChangeForm);
    const found = isId(id) ? await store.machines.issuer({ id }) : null;
    if (found === null) throw new HttpError(404, { error: NO_SUCH_ISSUER });
    const { issuer, rules: before } = found;
    const { userId } = c.var;
    const rules =
      form.rules === undefined ? before : await bindRules(userId, issuer.issuer, form.rules, before);
    const change = { name: form.name ?? issuer.name, revision: random.uuid(), rules };
    if (!(await store.machines.changeIssuer(issuer, change)))
      throw new HttpError(409, { error: 'Somebody else has changed this issuer. Look at it again' });
    return c.json((await showOne(userId, id)) satisfies ShownTrustedIssuer);
  });

  app.delete('/api/trusted-issuers/:id', signedIn, administrator, async (c) => {
    const id = c.req.param('id');
    if (!isId(id) || !(await store.machines.deleteIssuer(id)))
      throw new HttpError(404, { error: NO_SUCH_ISSUER });
    return c.json({ success: true } satisfies Success);
  });

  return app;
}

const TRUSTED = {
  error: `This issuer is trusted already: add a rule to it. There may be ${TRUSTED_ISSUERS} at most`,
};
