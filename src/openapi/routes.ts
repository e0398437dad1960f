// Serves the descriptions for programs: /openapi.json, /rest/:integration/openapi.json and /llms.txt. reference: OpenAPI; decision: 095
import { Hono } from 'hono';
import type { Identify } from '../auth/caller.ts';
import type { Integration } from '../kit/integration.ts';
import type { Registry } from '../kit/registry.ts';
import type { Ports } from '../ports/ports.ts';
import { createRequire } from '../rest/require.ts';
import type { Nearest } from '../tools/nearest.ts';
import { describeGateway } from './gateway-document.ts';
import { describeIntegration } from './integration-document.ts';
import { llmsText } from './llms-text.ts';

type Needs = Pick<Ports, 'config'> & {
  registry: Registry;
  identify: Identify;
  nearest: Pick<Nearest, 'integrations'>;
};

const JSON_HEADERS = { 'Content-Type': 'application/json' };
// A new version of the gateway may describe itself anew.
const PUBLIC = { 'Cache-Control': 'public, max-age=300' };
const NO_STORE = { 'Cache-Control': 'no-store' };

export function createOpenApiRoutes({ config, registry, identify, nearest }: Needs): Hono {
  const { requireCaller, requireIntegration } = createRequire({ config, registry, identify, nearest });
  // The descriptions are built at the first request for them: hundreds of schemas would slow every start.
  let gateway: string | undefined;
  const integrations = new WeakMap<Integration, string>();

  function ofIntegration(integration: Integration): string {
    const known = integrations.get(integration);
    if (known !== undefined) return known;
    const text = JSON.stringify(describeIntegration(config, integration, registry.toolsOf(integration)));
    integrations.set(integration, text);
    return text;
  }

  const app = new Hono();

  app.get('/openapi.json', (c) => {
    gateway ??= JSON.stringify(describeGateway(config, registry));
    return c.body(gateway, 200, { ...JSON_HEADERS, ...PUBLIC });
  });

  // The tools of an integration are asked for with a credential, as at GET /rest/:integration.
  app.get('/rest/:integration/openapi.json', async (c) => {
    await requireCaller(c);
    const integration = requireIntegration(c.req.param('integration'));
    return c.body(ofIntegration(integration), 200, { ...JSON_HEADERS, ...NO_STORE });
  });

  app.get('/llms.txt', (c) => c.text(llmsText(config), 200, PUBLIC));

  return app;
}
