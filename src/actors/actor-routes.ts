// Serves actors to the back end of their product, by its service key. reference: Actors of a key; decision: 074
import { Hono, type MiddlewareHandler } from 'hono';
import { type ServiceKeyAuth, unknownActor } from '../auth/service-keys.ts';
import type { Disconnects } from '../connections/model/disconnects.ts';
import type { KeyForms } from '../connections/model/key-forms.ts';
import { meantAccounts } from '../connections/model/meant-accounts.ts';
import { requireWanted } from '../connections/model/wanted-account.ts';
import { ErrorText } from '../http/error-codes.ts';
import { HttpError } from '../http/errors.ts';
import type { Success } from '../http/operation.ts';
import { presentedKey } from '../http/presented-key.ts';
import type { RequestTrace } from '../http/request-trace.ts';
import type { Identity } from '../kit/actor.ts';
import { type ConnectionChanged, disconnection } from '../kit/connection-change.ts';
import type { Integration } from '../kit/integration.ts';
import { readForm } from '../kit/read-form.ts';
import type { Registries } from '../kit/registries.ts';
import { validQuery } from '../kit/valid-query.ts';
import type { ServiceKey } from '../ports/actors.ts';
import type { Ports } from '../ports/ports.ts';
import { type AnswerNeeds, createActorAnswers, showActor } from './answers.ts';
import { type ActorLinkMaker, howNotMade } from './links.ts';
import {
  ActorForm,
  ActorsQuery,
  DisconnectQuery,
  LinkForm,
  type NewActorLink,
  type ShownActor,
  UsageQuery,
} from './operations.ts';
import { parseReturnTo } from './return-addresses.ts';

type KeyEnv = { Variables: { serviceKey: ServiceKey; trace?: RequestTrace } };

/** Says whether an integration can be connected now. */
interface ChecksSignIn {
  check(
    userId: string,
    integration: Integration,
    block: Extract<Integration['auth'], { type: 'oauth2' }>,
    wish: { account?: string | undefined },
  ): Promise<{ ok: true } | { ok: false; status: 400 | 503; message: string }>;
}

type Needs = AnswerNeeds &
  Pick<Ports, 'random' | 'store'> & {
    actorLinks: ActorLinkMaker;
    connectionChanged: ConnectionChanged;
    disconnects: Disconnects;
    keyForms: KeyForms;
    oauthFlows: ChecksSignIn;
    registries: Registries;
    serviceKeyAuth: ServiceKeyAuth;
    visibility: { refusal(caller: Identity, name: string): Promise<{ message: string } | null> };
  };

const OWN = '/api/actors';

export function createActorRoutes(deps: Needs): Hono<KeyEnv> {
  const { actorLinks, connectionChanged, disconnects, keyForms, oauthFlows } = deps;
  const { clock, random, registries, serviceKeyAuth, store, visibility } = deps;
  const answers = createActorAnswers(deps);

  const byKey: MiddlewareHandler<KeyEnv> = async (c, next) => {
    const presented = presentedKey(c.req.raw.headers);
    const isOne = presented !== null && serviceKeyAuth.isOne(presented);
    const key = isOne ? await serviceKeyAuth.verify(presented) : null;
    if (key === null) throw new HttpError(401, { error: ErrorText.UNAUTHORIZED });
    c.get('trace')?.admit();
    c.set('serviceKey', key);
    c.header('Cache-Control', 'no-store');
    await next();
  };
  const app = new Hono<KeyEnv>();

  app.get(OWN, byKey, validQuery(ActorsQuery), (c) =>
    answers.list(c, c.var.serviceKey, c.req.valid('query')),
  );

  app.post(OWN, byKey, async (c) => {
    const { serviceKey: key } = c.var;
    const { externalId, name = null } = await readForm(c, ActorForm);
    const made = {
      id: random.uuid(),
      service_key_id: key.id,
      external_id: externalId,
      external_name: name,
      created_at: clock.now(),
    };
    const added = await store.serviceActors.add(made);
    if (added === 'full')
      throw new HttpError(409, {
        error: `This service key has ${key.max_actors} actors, as many as it may. Erase some, or ask an administrator of the gateway for more`,
      });
    if (added === 'gone') throw new HttpError(401, { error: ErrorText.UNAUTHORIZED });
    if (added === 'added') return c.json(showActor({ ...made, connections: 0 }) satisfies ShownActor, 201);
    const known = await store.serviceActors.get(key.id, externalId);
    if (known === null) throw unknownActor();
    if (name !== null && name !== known.external_name) await store.serviceActors.rename(known.id, name);
    return c.json(showActor({ ...known, external_name: name ?? known.external_name }) satisfies ShownActor);
  });

  app.get(`${OWN}/:externalId`, byKey, async (c) =>
    c.json(showActor(await answers.requireActor(c, c.var.serviceKey)) satisfies ShownActor),
  );
  app.delete(`${OWN}/:externalId`, byKey, (c) => answers.erase(c, c.var.serviceKey));
  app.get(`${OWN}/:externalId/connections`, byKey, (c) => answers.connections(c, c.var.serviceKey));
  app.get(`${OWN}/:externalId/usage`, byKey, validQuery(UsageQuery), (c) =>
    answers.usage(c, c.var.serviceKey, c.req.valid('query').days),
  );

  app.delete(`${OWN}/:externalId/connections/:integration`, byKey, validQuery(DisconnectQuery), async (c) => {
    const { id: userId } = await answers.requireActor(c, c.var.serviceKey);
    const integration = await requireIntegration(userId, c.req.param('integration'));
    const rows = await store.connections.of(userId, integration.name);
    const { account: label } = c.req.valid('query');
    const only = label === undefined ? undefined : meantAccounts(integration, rows, label)[0]?.account;
    await disconnects.revoke(userId, integration, only);
    await connectionChanged(disconnection(userId, integration, only));
    return c.json({ success: true } satisfies Success);
  });

  async function requireIntegration(userId: string, name: string): Promise<Integration> {
    const integration = await registries.integration(userId, name);
    if (integration !== null) return integration;
    throw new HttpError(404, { error: ErrorText.INTEGRATION_NOT_FOUND });
  }

  app.post(`${OWN}/:externalId/connect-links`, byKey, async (c) => {
    const { serviceKey: key } = c.var;
    const actor = await answers.requireActor(c, c.var.serviceKey);
    const form = await readForm(c, LinkForm);
    if (!parseReturnTo(key.return_to).includes(form.returnTo))
      throw new HttpError(400, {
        error: 'returnTo: is not one of the addresses of this service key. An administrator can add it there',
      });
    const integration = await requireIntegration(actor.id, form.integration);
    const caller = await serviceKeyAuth.acting(key.id, actor.id);
    if (caller === null) throw unknownActor();
    const blocked = await visibility.refusal(caller, integration.name);
    if (blocked !== null) throw new HttpError(403, { error: blocked.message });
    const account = requireWanted(integration, form.account);
    await requireConnectable(actor.id, integration, account);
    const made = await actorLinks.make(key, actor, { integration, returnTo: form.returnTo, account });
    if (!made.ok) throw new HttpError(made.why === 'full' ? 409 : 404, { error: howNotMade(made.why) });
    const { id, url, expiresAt } = made;
    return c.json({ id, url, expiresAt } satisfies NewActorLink, 201);
  });

  /** The browser of an actor has no session, so nothing of it can be shown here. */
  async function requireConnectable(userId: string, integration: Integration, account: string | undefined) {
    const { auth, displayName } = integration;
    if (auth.type === 'none')
      throw new HttpError(400, { error: `${displayName} needs no connection. Its tools work right away` });
    if (auth.type === 'cookie' || (auth.type === 'apikey' && keyForms.fields(integration) === null))
      throw new HttpError(400, { error: `${displayName} cannot be connected with a link` });
    if (auth.type !== 'oauth2') return;
    const checked = await oauthFlows.check(userId, integration, auth, { account });
    if (!checked.ok && checked.status === 503) throw new HttpError(503, { error: checked.message });
  }

  return app;
}
