// Serves service keys to administrators, who make them in a portal session. reference: Service keys; decision: 074
import { type Context, Hono } from 'hono';
import { type AdministratorNeeds, requireAdministrator } from '../auth/administrators.ts';
import { loadUser, type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { type ServiceKeyAuth } from '../auth/service-keys.ts';
import type { Config } from '../config/config.ts';
import { HttpError } from '../http/errors.ts';
import { isId } from '../http/id.ts';
import type { Success } from '../http/operation.ts';
import type { Identify, Limits } from '../kit/actor.ts';
import { parseLimits } from '../kit/limits.ts';
import type { Outbox } from '../kit/outbox.ts';
import { readForm } from '../kit/read-form.ts';
import type { Registries } from '../kit/registries.ts';
import { validQuery } from '../kit/valid-query.ts';
import { requireEffective, requireKnown } from '../policy/model/ending-limits.ts';
import type { ServiceKey, ServiceKeyChange } from '../ports/actors.ts';
import type { Ports } from '../ports/ports.ts';
import { parseColours } from './face.ts';
import { SERVICE_KEYS } from './limits.ts';
import {
  type ChangedServiceKey,
  EraseQuery,
  type NewServiceKey,
  ServiceKeyForm,
  type ServiceKeyList,
  ServiceKeyPatch,
  type ShownServiceKey,
} from './operations.ts';
import { parseReturnTo } from './return-addresses.ts';

export type KeyRouteNeeds = Pick<Ports, 'clock' | 'log' | 'random' | 'store'> &
  AdministratorNeeds & {
    callsOfProducts: {
      ofKeys(days: number): Promise<(keyId: string) => { recent: number; all: number }>;
    };
    config: Pick<Config, 'SERVICE_KEY_MAX_ACTORS'>;
    identify: Identify;
    outbox: Outbox;
    registries: Registries;
    serviceKeyAuth: ServiceKeyAuth;
  };

const ALL = '/api/service-keys';
const ONE = '/api/service-keys/:id';
const EVENTS = 'Events of actors';
const RECENT_DAYS = 30;

/** Returns the key that the path names. Throws 404 without one. */
export async function requireKey(c: Context, { store }: Pick<Ports, 'store'>): Promise<ServiceKey> {
  const id = c.req.param('id') ?? '';
  const key = isId(id) ? await store.serviceKeys.get(id) : null;
  if (key === null) throw noKey();
  return key;
}

export function createServiceKeyRoutes(deps: KeyRouteNeeds): Hono<PortalEnv> {
  const { callsOfProducts, clock, config, identify, log, outbox, random, registries, serviceKeyAuth, store } =
    deps;
  const signedIn = requirePortalUser(identify, { only: 'sessions' });
  const administrator = requireAdministrator(deps);
  const app = new Hono<PortalEnv>();

  async function requireLimits(userId: string, limits: Limits): Promise<void> {
    const registry = await registries.of(userId);
    requireEffective(limits, null, { now: clock.now(), registry });
    requireKnown(limits, registry);
  }

  function requireMost(maxActors = config.SERVICE_KEY_MAX_ACTORS): number {
    if (maxActors <= config.SERVICE_KEY_MAX_ACTORS) return maxActors;
    throw new HttpError(400, {
      error: `maxActors: at most ${config.SERVICE_KEY_MAX_ACTORS}. The operator can raise SERVICE_KEY_MAX_ACTORS`,
    });
  }

  async function notify(keyId: string, url: string): Promise<{ id: string; secret: string }> {
    const made = await outbox.addWebhook({ userId: keyId, name: EVENTS, url });
    if (!made.ok) throw new HttpError(400, { error: `notifyTo: ${made.message}` });
    return made;
  }

  const show = ({ limits, return_to, mark, colours, ...row }: ServiceKey): ShownServiceKey => {
    const chosen = parseColours(colours);
    return {
      id: row.id,
      name: row.name,
      ...parseLimits(limits),
      returnTo: parseReturnTo(return_to),
      ...(mark === null ? {} : { mark }),
      ...(chosen === null ? {} : { colours: chosen }),
      notifies: row.notify !== null,
      revoked: row.key_sha === null,
      actors: row.actors,
      maxActors: row.max_actors,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    };
  };

  app.get(ALL, signedIn, administrator, async (c) => {
    const [keys, callsOf, erasing] = await Promise.all([
      store.serviceKeys.list(),
      callsOfProducts.ofKeys(RECENT_DAYS),
      store.serviceActors.countErasing(),
    ]);
    const serviceKeys = keys.map((key) => {
      const { recent, all } = callsOf(key.id);
      return { ...show(key), calls: { last30Days: recent, last400Days: all } };
    });
    return c.json({ serviceKeys, erasing } satisfies ServiceKeyList);
  });

  app.post(ALL, signedIn, administrator, async (c) => {
    const { id: userId } = await loadUser(c, deps);
    const form = await readForm(c, ServiceKeyForm);
    const { name, returnTo, mark = null, colours = null, maxActors, notifyTo, ...limits } = form;
    await requireLimits(userId, limits);
    const drawn = serviceKeyAuth.draw();
    const key: ServiceKey = {
      id: random.uuid(),
      name,
      key_sha: drawn.sha,
      limits: JSON.stringify(limits),
      return_to: JSON.stringify(returnTo),
      mark,
      colours: colours === null ? null : JSON.stringify(colours),
      notify: null,
      max_actors: requireMost(maxActors),
      actors: 0,
      created_by: userId,
      created_at: clock.now(),
      last_used_at: null,
    };
    if (!(await store.serviceKeys.add(key, SERVICE_KEYS)))
      throw new HttpError(409, { error: `There are ${SERVICE_KEYS} service keys. Delete one first` });
    log.write('info', 'a service key was made', { user: userId, key: key.id });
    // The destination belongs to the row that stands for the key, so it can only be made now.
    const made = notifyTo === undefined ? null : await orUndo(key.id, notify(key.id, notifyTo));
    if (made !== null) await store.serviceKeys.change(key.id, { notify: made.id });
    const secret = made === null ? {} : { notifySecret: made.secret };
    const shown = show({ ...key, notify: made?.id ?? null });
    return c.json({ ...shown, key: drawn.key, ...secret } satisfies NewServiceKey, 201);
  });

  /** A key whose address is refused was never made. */
  async function orUndo<T>(keyId: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      await store.serviceKeys.erase(keyId, clock.now());
      throw error;
    }
  }

  app.get(ONE, signedIn, administrator, async (c) =>
    c.json(show(await requireKey(c, deps)) satisfies ShownServiceKey),
  );

  app.patch(ONE, signedIn, administrator, async (c) => {
    const before = await requireKey(c, deps);
    const { name, returnTo, mark, colours, maxActors, notifyTo, limits } = await readForm(c, ServiceKeyPatch);
    if (limits !== undefined) await requireLimits(c.var.userId, limits);
    const most = maxActors === undefined ? {} : { max_actors: requireMost(maxActors) };
    const made = typeof notifyTo === 'string' ? await notify(before.id, notifyTo) : null;
    const change: ServiceKeyChange = {
      ...(name === undefined ? {} : { name }),
      ...(returnTo === undefined ? {} : { return_to: JSON.stringify(returnTo) }),
      ...(mark === undefined ? {} : { mark }),
      ...(colours === undefined ? {} : { colours: colours === null ? null : JSON.stringify(colours) }),
      ...(notifyTo === undefined ? {} : { notify: made?.id ?? null }),
      ...(limits === undefined ? {} : { limits: JSON.stringify(limits) }),
      ...most,
    };
    await store.serviceKeys.change(before.id, change);
    if (notifyTo !== undefined && before.notify !== null) await outbox.remove(before.id, before.notify);
    serviceKeyAuth.forget();
    const secret = made === null ? {} : { notifySecret: made.secret };
    return c.json({ ...show({ ...before, ...change }), ...secret } satisfies ChangedServiceKey);
  });

  app.post(`${ONE}/key`, signedIn, administrator, async (c) => {
    const { id } = await requireKey(c, deps);
    const { key, sha } = serviceKeyAuth.draw();
    if (!(await store.serviceKeys.setSha(id, sha))) throw noKey();
    serviceKeyAuth.forget();
    log.write('info', 'a service key was drawn anew', { user: c.var.userId, key: id });
    return c.json({ key });
  });

  app.delete(ONE, signedIn, administrator, validQuery(EraseQuery), async (c) => {
    const { id } = await requireKey(c, deps);
    const { erase } = c.req.valid('query');
    await store.serviceKeys.setSha(id, null);
    serviceKeyAuth.forget();
    const { actors } = await requireKey(c, deps);
    if (erase === 'true' || actors === 0) await store.serviceKeys.erase(id, clock.now());
    log.write('info', 'a service key was revoked', { user: c.var.userId, key: id, erase: erase === 'true' });
    return c.json({ success: true } satisfies Success);
  });

  return app;
}

const noKey = (): HttpError => new HttpError(404, { error: 'There is no such service key' });
