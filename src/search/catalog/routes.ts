// Lists the integrations and their tools for the portal. reference: Integration descriptor
import { Hono } from 'hono';
import { type PortalEnv, requirePortalUser } from '../../auth/portal-user.ts';
import { formFields } from '../../connections/keys/api-key.ts';
import type { Connected } from '../../connections/model/connected.ts';
import { findInstance } from '../../connections/model/instance.ts';
import { describeWays, type WaysNeeds } from '../../connections/offered-ways.ts';
import { requireIntegration } from '../../connections/model/require-integration.ts';
import { guideOf } from '../../kit/guide-of.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Registries } from '../../kit/registries.ts';
import type { RegisteredTool } from '../../kit/registry.ts';
import { errorBody, HttpError } from '../../http/errors.ts';
import { sendLogo } from '../../http/logo.ts';
import { type Identify, type Identity, SESSION } from '../../kit/actor.ts';
import { type Integration, titleOf, type Tool } from '../../kit/integration.ts';
import { describeIssues } from '../../kit/validation.ts';
import type { Gate } from '../../policy/model/gate.ts';
import type { Permissions } from '../../policy/model/permissions.ts';
import { stricter } from '../../policy/model/rules.ts';
import {
  type Visibility,
  type Visible,
  visibleIn,
  type VisibleTools,
} from '../../policy/model/visibility.ts';
import type { ToolboxOf } from '../toolbox.ts';
import {
  type CatalogEntry,
  type CatalogTool,
  type DescribedIntegration,
  type Descriptor,
  ToolQuery,
} from './operations.ts';

type Needs = WaysNeeds &
  Pick<Ports, 'guides' | 'texts'> & {
    connected: Pick<Connected, 'all'>;
    gate: Pick<Gate, 'permissionsOf'>;
    registries: Registries;
    identify: Identify;
    toolboxOf: ToolboxOf;
    visibility: Visibility;
  };

export function createCatalogRoutes(deps: Needs): Hono<PortalEnv> {
  const { connected, gate, guides, registeredClients, registries, store, identify } = deps;
  const { texts, toolboxOf, visibility } = deps;
  const admitted = requirePortalUser(identify, { only: 'anyone' });
  const app = new Hono<PortalEnv>();

  /** A person in the portal sees everything, with what decides about it. A key sees what it may use. */
  async function look({ userId, actor }: Identity): Promise<{ registry: Visible; permissions: Permissions }> {
    const [registry, permissions] = await Promise.all([
      registries.of(userId),
      gate.permissionsOf({ userId, actor }),
    ]);
    return { registry: isPortal(actor) ? registry : visibleIn(registry, permissions), permissions };
  }

  async function lookAt(caller: Identity, integration: Integration): Promise<VisibleTools> {
    if (isPortal(caller.actor)) {
      const tools = await registries.toolsOf(caller.userId, integration);
      return { tools, permissions: await gate.permissionsOf(caller) };
    }
    const visible = await visibility.toolsOf(caller, integration);
    if ('error' in visible) throw new HttpError(403, errorBody(visible.error, visible.message));
    return visible;
  }

  app.get('/api/integrations', admitted, async (c) => {
    const { registry } = await look(c.var);
    const [withClient, known] = await Promise.all([registeredClients.names(), guides()]);
    const integrations = registry.integrations.map((integration): CatalogEntry => ({
      ...descriptor(integration, undefined),
      toolCount: registry.toolsOf(integration).length,
      configured: isConfigured(integration, withClient),
      ...(guideOf(known, integration) === undefined ? {} : { hasGuide: true }),
      ...(integration.token === undefined ? {} : { takesToken: true }),
    }));
    return c.json({ integrations });
  });

  app.get('/api/integrations/:integration', admitted, async (c) => {
    const { userId } = c.var;
    const integration = await requireIntegration(registries, userId, c.req.param('integration'));
    const { tools: visible, permissions } = await lookAt(c.var, integration);
    await texts.of(integration.name);
    const knownInstance = await findInstance(store, userId, integration);
    const ways = await describeWays(deps, integration, knownInstance);
    const tools = visible.map((tool) => ({
      name: tool.name,
      description: tool.description,
      ...judge(permissions, integration, tool),
    }));
    const guide = guideOf(await guides(), integration);
    const described: DescribedIntegration = {
      ...descriptor(integration, knownInstance),
      ways,
      tools,
      ...(guide === undefined ? {} : { guide }),
    };
    return c.json(described);
  });

  // Logos are public: pages show them in an <img>, which sends no credential.
  app.get('/api/integrations/:integration/logo', async (c) => {
    const integration = registries.builtIn.integration(basename(c.req.param('integration')));
    if (integration !== null) await texts.of(integration.name);
    const logo = integration?.logo ?? null;
    if (logo === null) throw new HttpError(404, { error: 'No logo' });
    return sendLogo(c, logo);
  });

  app.get('/api/tools', admitted, async (c) => {
    const query = ToolQuery.safeParse(c.req.query());
    if (!query.success) throw new HttpError(400, { error: describeIssues(query.error) });
    const { q, limit } = query.data;
    const tools =
      limit === undefined ? await listTools(c.var, q ?? '') : await rankTools(c.var, q ?? '', limit);
    return c.json({ tools });
  });

  async function listTools(caller: Identity, text: string): Promise<CatalogTool[]> {
    const { registry, permissions } = await look(caller);
    await texts.all();
    const query = text.toLowerCase();
    return registry.tools
      .map((registered) => describeTool(permissions, registered))
      .filter(({ name, description }) => name.includes(query) || description.toLowerCase().includes(query));
  }

  async function rankTools(caller: Identity, query: string, limit: number): Promise<CatalogTool[]> {
    const { permissions, registry, search } = await toolboxOf(caller, {
      whole: isPortal(caller.actor),
      words: true,
    });
    const live = await connected.all(caller.userId, registry.integrations);
    return search.ranked(query, { limit, connected: live }).flatMap(({ name }) => {
      const registered = registry.tool(name);
      return registered === null ? [] : [describeTool(permissions, registered)];
    });
  }

  return app;
}

function describeTool(permissions: Permissions, { tool, integration }: RegisteredTool): CatalogTool {
  return {
    name: tool.name,
    description: tool.description,
    access: tool.access,
    integration: integration.name,
    ...judge(permissions, integration, tool),
  };
}

const isPortal = ({ id }: Identity['actor']): boolean => id === SESSION.id;

/** Says what would happen to calls of the tool. Says nothing where they are allowed, and results stay as they are. */
function judge(
  permissions: Permissions,
  integration: Integration,
  tool: Tool,
): Pick<CatalogTool, 'decision' | 'decidedBy' | 'afterOutside' | 'redact'> {
  const { decision, by } = permissions.ofTool(integration, tool);
  const after = permissions.afterOutside?.ofTool(integration, tool).decision ?? 'allow';
  const redactions = permissions.redactionsOf(integration, tool);
  return {
    ...(decision === 'allow' || by === null ? {} : { decision, decidedBy: by === 'service' ? 'caller' : by }),
    ...(after === 'allow' || stricter(decision, after) === decision ? {} : { afterOutside: after }),
    ...(redactions === null ? {} : { redact: [...redactions] }),
  };
}

/** The gateway finds the provider of an import when a person connects. */
function isConfigured({ auth, imported, name }: Integration, withClient: ReadonlySet<string>): boolean {
  return auth.type !== 'oauth2' || imported !== undefined || withClient.has(name);
}

function descriptor(integration: Integration, knownInstance: string | undefined): Descriptor {
  const { name, version, description, categories, auth, imported, instance } = integration;
  return {
    name,
    version,
    displayName: titleOf(integration),
    description,
    categories,
    logo: imported === undefined ? `/api/integrations/${name}/logo` : `/api/imports/logos/${name}`,
    authType: auth.type,
    ...(instance === undefined ? {} : { instance }),
    ...(auth.type === 'apikey' ? { apikeyFields: formFields(integration, auth, knownInstance) } : {}),
  };
}

function basename(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? '';
}
