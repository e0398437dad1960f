// Routes in which an administrator sets the OAuth client of an integration. reference: OAuth clients of integrations; decision: 027
import { Hono } from 'hono';
import { type AdministratorNeeds, requireAdministrator } from '../auth/administrators.ts';
import type { Identify } from '../kit/actor.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { IntegrationClient, RegisteredClient } from '../config/config-fields.ts';
import { HttpError } from '../http/errors.ts';
import type { Success } from '../http/operation.ts';
import { readJsonBody } from '../http/request-body.ts';
import type { Integration } from '../kit/integration.ts';
import type { Family, OAuth2Block } from '../kit/manifest.ts';
import type { Registry } from '../kit/registry.ts';
import { describeIssues } from '../kit/validation.ts';
import type { Ports } from '../ports/ports.ts';
import { ClientForm, type ClientInList, type ClientList, type ShownClient } from './client-operations.ts';
import { isPerInstance } from './oauth/provider.ts';
import {
  familyOf,
  type FoundClient,
  keyOfFamily,
  type RegisteredClients,
} from './oauth/registered-clients.ts';
import { requireAuth } from './model/require-integration.ts';

type Needs = Pick<Ports, 'log' | 'store'> &
  AdministratorNeeds & { registeredClients: RegisteredClients; registry: Registry; identify: Identify };

const ALL = '/api/admin/clients';
const PATH = '/api/admin/clients/:integration';

export function createClientRoutes(deps: Needs): Hono<PortalEnv> {
  const { log, registeredClients, registry, identify } = deps;
  const app = new Hono<PortalEnv>();
  const person = requirePortalUser(identify);
  const administrator = requireAdministrator(deps);
  app.use(PATH, person, administrator);

  app.get(ALL, person, administrator, async (c) => {
    const found = await registeredClients.readAll();
    const names = [...(await registeredClients.names())].toSorted(byCodeUnit);
    const shown: ClientInList[] = [];
    for (const integration of names) {
      const each = await found.find(integration);
      if (each !== null)
        shown.push({
          integration,
          clientId: each.client?.clientId ?? null,
          source: each.source,
          ...named(each.family),
        });
    }
    return c.json({ clients: shown } satisfies ClientList);
  });

  app.get(PATH, async (c) => {
    const { integration } = requireAuth(registry.integration(c.req.param('integration')), 'oauth2');
    const found = await registeredClients.find(integration.name);
    if (found === null)
      throw new HttpError(404, { error: `${integration.displayName} has no OAuth client on this gateway` });
    if (found.client === null)
      throw new HttpError(409, {
        error: `The OAuth client of ${integration.displayName} can no longer be opened. Enter it again.`,
      });
    return c.json(show(integration.name, found, found.client) satisfies ShownClient);
  });

  app.put(PATH, async (c) => {
    const { integration, auth } = requireAuth(registry.integration(c.req.param('integration')), 'oauth2');
    const { name } = integration;
    refuseEnvironment(name);
    const form = ClientForm.safeParse(await readJsonBody(c));
    if (!form.success) throw badRequest(describeIssues(form.error));
    const { for: whom, ...given } = form.data;
    const family = whom === undefined ? undefined : requireFamily(integration);
    const found = await (family === undefined
      ? registeredClients.find(name)
      : registeredClients.findOfFamily(family));
    const client = readClient(integration, auth, given, found?.client ?? null);
    await registeredClients.save(family === undefined ? name : keyOfFamily(family), client);
    log.write('info', 'OAuth client set in the portal', {
      integration: name,
      user: c.var.userId,
      ...named(family),
    });
    const shown = { source: 'portal', ...(family === undefined ? {} : { family }) } as const;
    return c.json(show(name, shown, client) satisfies ShownClient);
  });

  // A stored client of an integration that no longer exists can be deleted too.
  app.delete(PATH, async (c) => {
    const name = c.req.param('integration');
    refuseEnvironment(name);
    const family = c.req.query('for') === 'family' ? requireFamily(registry.integration(name)) : undefined;
    if (!(await registeredClients.remove(family === undefined ? name : keyOfFamily(family))))
      throw new HttpError(404, { error: 'No OAuth client is stored for this integration' });
    log.write('info', 'OAuth client deleted in the portal', {
      integration: name,
      user: c.var.userId,
      ...named(family),
    });
    return c.json({ success: true } satisfies Success);
  });

  function refuseEnvironment(name: string): void {
    if (!registeredClients.isInEnvironment(name)) return;
    const variable = `${name.toUpperCase()}_CLIENT_ID`;
    throw new HttpError(409, {
      error: `The environment of the gateway sets this client with ${variable}. Remove that variable, or change it there.`,
    });
  }

  return app;
}

const named = (family: Family | undefined) => (family === undefined ? {} : { family: family.name });

function requireFamily(integration: Integration | null): Family {
  const family = familyOf(integration);
  if (family === undefined)
    throw badRequest('for: each integration of this provider needs an OAuth client of its own');
  return family;
}

function show(
  integration: string,
  { source, family }: Pick<FoundClient, 'source' | 'family'>,
  { clientId, instances }: RegisteredClient,
): ShownClient {
  const shown = Object.entries(instances).map(([origin, client]) => ({ origin, clientId: client.clientId }));
  return {
    integration,
    clientId,
    source,
    ...named(family),
    ...(shown.length === 0 ? {} : { instances: shown }),
  };
}

function readClient(
  { displayName, instance }: Integration,
  block: OAuth2Block,
  { instances = {}, ...main }: Omit<ClientForm, 'for'>,
  stored: RegisteredClient | null,
): RegisteredClient {
  const needsSecret = block.clientAuth !== 'none';

  /** The secret is never shown, so a form without one keeps the stored secret of the same client. */
  function complete(
    { clientId, clientSecret }: IntegrationClient,
    former: IntegrationClient | undefined,
    place: string,
  ): IntegrationClient {
    const secret = clientSecret ?? (former?.clientId === clientId ? former.clientSecret : undefined);
    if (secret === undefined && needsSecret) throw badRequest(`${place}clientSecret: is missing`);
    return secret === undefined ? { clientId } : { clientId, clientSecret: secret };
  }

  const others = Object.entries(instances);
  if (others.length > 0 && instance === undefined)
    throw badRequest(`${displayName} has no self-hosted instances`);
  if (others.length > 0 && !isPerInstance(block))
    throw badRequest(`One OAuth client of ${displayName} is enough for all instances`);
  return {
    ...complete(main, stored ?? undefined, ''),
    instances: Object.fromEntries(
      others.map(([origin, client]) => [
        origin,
        complete(client, stored?.instances[origin], `instances.${origin}.`),
      ]),
    ),
  };
}

const byCodeUnit = (one: string, other: string): number => (one < other ? -1 : 1);

function badRequest(error: string): HttpError {
  return new HttpError(400, { error });
}
