// Serves the descriptions for programs: /openapi.json, /rest/:integration/openapi.json and /llms.txt. reference: OpenAPI; decision: 095
import { Hono } from 'hono';
import type { Identify } from '../auth/caller.ts';
import type { Integration } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import type { Ports } from '../ports/ports.ts';
import { createRequire } from '../rest/require.ts';
import type { ToolboxOf } from '../tools/toolbox.ts';
import { describeGateway } from './gateway-document.ts';
import { describeIntegration } from './integration-document.ts';
import { llmsText } from './llms-text.ts';

type Needs = Pick<Ports, 'config'> & {
  registries: Registries;
  identify: Identify;
  toolboxOf: ToolboxOf;
};

const JSON_HEADERS = { 'Content-Type': 'application/json' };
// A new version of the gateway may describe itself anew.
const PUBLIC = { 'Cache-Control': 'public, max-age=300' };
const NO_STORE = { 'Cache-Control': 'no-store' };

export function createOpenApiRoutes({ config, registries, identify, toolboxOf }: Needs): Hono {
  const { requireCaller, requireIntegration } = createRequire({ config, registries, identify, toolboxOf });
  // The descriptions are built at the first request for them: hundreds of schemas would slow every start.
  let gateway: string | undefined;
  const integrations = new WeakMap<Integration, string>();

  async function ofIntegration(userId: string, integration: Integration): Promise<string> {
    const known = integrations.get(integration);
    if (known !== undefined) return known;
    const tools = (await registries.of(userId)).toolsOf(integration);
    const text = JSON.stringify(describeIntegration(config, integration, tools));
    integrations.set(integration, text);
    return text;
  }

  const app = new Hono();

  // It is public, so it names no import.
  app.get('/openapi.json', (c) => {
    gateway ??= JSON.stringify(describeGateway(config, registries.builtIn));
    return c.body(gateway, 200, { ...JSON_HEADERS, ...PUBLIC });
  });

  // The tools of an integration are asked for with a credential, as at GET /rest/:integration.
  app.get('/rest/:integration/openapi.json', async (c) => {
    const userId = await requireCaller(c);
    const integration = await requireIntegration(userId, c.req.param('integration'));
    return c.body(await ofIntegration(userId, integration), 200, { ...JSON_HEADERS, ...NO_STORE });
  });

  app.get('/llms.txt', (c) => c.text(llmsText(config), 200, PUBLIC));

  return app;
}
