// The synthetic tools as each peer wants to be told of them: MCP tools with their requests, and an OpenAPI document.
import type { Tool } from '../../../src/kit/integration.ts';
import { synthetic } from '../synthetic.ts';

/** What the tools of the bundle are declared to call; the gateway is told where that really is. */
export const DECLARED_ORIGIN = 'https://synthetic.example';
/** What every tool's request carries, and what the upstream insists on. */
export const TOKEN = 'bench-token';

const tools: readonly Tool[] = synthetic.flatMap((integration) => integration.tools);
export const TOOL_COUNT = tools.length;
export const INTEGRATIONS = synthetic.map(({ name }) => name);

/** The one that is called, and the query that finds it. */
export const CALLED = { tool: 'synthetic7_update_item_7', query: 'change item 7 of an owner' };
export const ARGUMENTS = { owner: 'ada', item: '42', title: 'A title', labels: ['one', 'two'] };
/** What only the upstream's answer to that call says. */
export const PROOF = 'ada/items7/42';

/** For the servers that have no format of their own: a tool as MCP lists it, and the request it makes. */
export function mcpCatalog(): { tool: object; method: string; path: string }[] {
  return tools.map((tool) => ({
    tool: { name: tool.name, description: tool.description, inputSchema: tool.schema },
    ...requestOf(tool),
  }));
}

export function openApi(server: string): object {
  const paths = tools.map((tool) => {
    const { method, path } = requestOf(tool);
    const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
    const { properties = {} }: { properties?: Record<string, object> } = tool.schema;
    const inBody = Object.entries(properties).filter(([name]) => !inPath.has(name));
    const operation = {
      operationId: tool.name,
      summary: tool.description,
      parameters: [...inPath].map((name) => ({ name, in: 'path', required: true, schema: properties[name] })),
      requestBody: {
        content: {
          'application/json': { schema: { type: 'object', properties: Object.fromEntries(inBody) } },
        },
      },
      responses: { 200: { description: 'The item' } },
    };
    // Paths are shared between integrations of one origin; a prefix tells them apart.
    return [`/${tool.name.split('_')[0]}${path}`, { [method.toLowerCase()]: operation }] as const;
  });
  return {
    openapi: '3.0.3',
    info: { title: 'Synthetic', version: '1.0.0' },
    servers: [{ url: server }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: Object.fromEntries(paths),
  };
}

function requestOf({ name, request }: Tool): { method: string; path: string } {
  if (request === undefined) throw new TypeError(`${name} is not one request`);
  return request;
}
