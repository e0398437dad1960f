// Serves the descriptions for programs: /openapi.json, those of integrations and sets, and /llms.txt. reference: OpenAPI; decision: 037
import { Hono } from 'hono';
import type { RequestEnv } from '../../http/observe.ts';
import type { Identify, Identity } from '../../kit/actor.ts';
import type { Feature } from '../../kit/feature.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Registries } from '../../kit/registries.ts';
import type { Ports } from '../../ports/ports.ts';
import { createRequire } from '../require.ts';
import type { Gate } from '../../policy/model/gate.ts';
import type { Visibility } from '../../policy/model/visibility.ts';
import type { ToolSets } from '../../sets/model/tool-sets.ts';
import type { ToolboxOf } from '../../search/toolbox.ts';
import { describeGateway, describeOperations } from './gateway-document.ts';
import { describeIntegration, describeSet } from './integration-document.ts';
import { llmsText } from './llms-text.ts';

type Needs = Pick<Ports, 'config' | 'texts'> & {
  gate: Pick<Gate, 'permissionsOf'>;
  features: readonly Pick<Feature, 'name' | 'operations' | 'schemas'>[];
  registries: Registries;
  identify: Identify;
  toolboxOf: ToolboxOf;
  toolSets: ToolSets;
  visibility: Visibility;
};

const JSON_HEADERS = { 'Content-Type': 'application/json' };
// A new version of the gateway may describe itself anew.
const PUBLIC = { 'Cache-Control': 'public, max-age=300' };
const NO_STORE = { 'Cache-Control': 'no-store' };

export function createOpenApiRoutes(needs: Needs): Hono<RequestEnv> {
  const { config, features, gate, registries, texts, toolSets } = needs;
  const { requireCaller, requireIntegration, requireSet, requireTools } = createRequire(needs);
  // The descriptions are built at the first request for them: hundreds of schemas would slow every start.
  let gateway: string | undefined;
  const integrations = new WeakMap<Integration, string>();

  async function ofIntegration(caller: Identity, integration: Integration): Promise<string> {
    const visible = await requireTools(caller, integration);
    const { isOpen } = visible.permissions;
    const known = isOpen ? integrations.get(integration) : undefined;
    if (known !== undefined) return known;
    await texts.of(integration.name);
    const text = JSON.stringify(describeIntegration(config, integration, visible));
    // A description for a caller with limits is for that caller alone.
    if (isOpen) integrations.set(integration, text);
    return text;
  }

  const app = new Hono<RequestEnv>();

  // It is public, so it names no import.
  app.get('/openapi.json', async (c) => {
    if (gateway === undefined) {
      const operations = await texts.operations(() => describeOperations(features));
      gateway = JSON.stringify(describeGateway({ config, operations, registry: registries.builtIn }));
    }
    return c.body(gateway, 200, { ...JSON_HEADERS, ...PUBLIC });
  });

  // The tools of an integration are asked for with a credential, as at GET /rest/:integration.
  app.get('/rest/:integration/openapi.json', async (c) => {
    const caller = await requireCaller(c);
    const integration = await requireIntegration(caller, c.req.param('integration'));
    return c.body(await ofIntegration(caller, integration), 200, { ...JSON_HEADERS, ...NO_STORE });
  });

  app.get('/sets/:name/openapi.json', async (c) => {
    const caller = await requireCaller(c);
    const set = await requireSet(caller, c.req.param('name'));
    const [registry, permissions] = await Promise.all([
      registries.of(caller.userId),
      gate.permissionsOf(caller),
      texts.all(),
    ]);
    const tools = toolSets
      .toolsOf(set, registry)
      .filter(({ tool, integration }) => permissions.ofTool(integration, tool).decision !== 'block');
    const text = JSON.stringify(describeSet(config, set, tools, permissions));
    return c.body(text, 200, { ...JSON_HEADERS, ...NO_STORE });
  });

  app.get('/llms.txt', (c) => c.text(llmsText(config), 200, PUBLIC));

  return app;
}
