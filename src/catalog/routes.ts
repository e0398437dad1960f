// Lists the integrations and their tools for the portal. reference: Integration descriptor
import { type Context, Hono } from 'hono';
import type { Identify } from '../auth/caller.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { formFields } from '../connections/api-key.ts';
import { findInstance } from '../connections/instance.ts';
import { describeWays, type WaysNeeds } from '../connections/offered-ways.ts';
import { requireFound } from '../connections/require-integration.ts';
import type { Registries } from '../kit/registries.ts';
import { HttpError } from '../http/errors.ts';
import type { Integration } from '../kit/integration.ts';
import { LOGO_MAX_AGE_SECONDS } from '../config/limits.ts';
import type { CatalogEntry, CatalogTool, DescribedIntegration, Descriptor } from './operations.ts';

type Needs = WaysNeeds & { registries: Registries; identify: Identify };

export function createCatalogRoutes(deps: Needs): Hono<PortalEnv> {
  const { registeredClients, registries, store, identify } = deps;
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();

  app.get('/api/integrations', signedIn, async (c) => {
    const registry = await registries.of(c.var.userId);
    const withClient = await registeredClients.names();
    const integrations = registry.integrations.map((integration): CatalogEntry => ({
      ...descriptor(integration, undefined),
      toolCount: registry.toolsOf(integration).length,
      configured: isConfigured(integration, withClient),
    }));
    return c.json({ integrations });
  });

  app.get('/api/integrations/:integration', signedIn, async (c) => {
    const registry = await registries.of(c.var.userId);
    const integration = requireFound(registry.integration(c.req.param('integration')));
    const knownInstance = await findInstance(store, c.var.userId, integration);
    const ways = await describeWays(deps, integration, knownInstance);
    const tools = registry.toolsOf(integration).map(({ name, description }) => ({ name, description }));
    const described: DescribedIntegration = { ...descriptor(integration, knownInstance), ways, tools };
    return c.json(described);
  });

  // Logos are public: pages show them in an <img>, which sends no credential.
  app.get('/api/integrations/:integration/logo', (c) =>
    sendLogo(c, registries.builtIn.integration(basename(c.req.param('integration')))),
  );

  app.get('/api/tools', signedIn, async (c) => {
    const registry = await registries.of(c.var.userId);
    const query = (c.req.query('q') ?? '').toLowerCase();
    const tools = registry.tools
      .map(({ tool, integration }): CatalogTool => ({
        name: tool.name,
        description: tool.description,
        access: tool.access,
        integration: integration.name,
      }))
      .filter(({ name, description }) => name.includes(query) || description.toLowerCase().includes(query));
    return c.json({ tools });
  });

  return app;
}

/** The gateway finds the provider of an import when a person connects. */
function isConfigured({ auth, imported, name }: Integration, withClient: ReadonlySet<string>): boolean {
  return auth.type !== 'oauth2' || imported !== undefined || withClient.has(name);
}

function descriptor(integration: Integration, knownInstance: string | undefined): Descriptor {
  const { name, version, displayName, description, categories, auth, imported, instance } = integration;
  return {
    name,
    version,
    displayName,
    description,
    categories,
    logo: imported === undefined ? `/api/integrations/${name}/logo` : `/api/imports/logos/${name}`,
    authType: auth.type,
    ...(instance === undefined ? {} : { instance }),
    ...(auth.type === 'apikey' ? { apikeyFields: formFields(integration, auth, knownInstance) } : {}),
  };
}

function sendLogo(c: Context, integration: Integration | null): Response {
  const logo = integration?.logo ?? null;
  if (logo === null) throw new HttpError(404, { error: 'No logo' });
  return c.body(logo, 200, {
    'Content-Type': 'image/svg+xml',
    'Cache-Control': `public, max-age=${LOGO_MAX_AGE_SECONDS}`,
    // A browser that opens the SVG itself treats it as a page. The policy forbids scripts in it.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
  });
}

function basename(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? '';
}
