// Describes the synthetic tools for each peer: as MCP tools with their requests, and as an OpenAPI document.
import type { Tool } from '../../../src/kit/integration.ts';
import { synthetic } from '../synthetic.ts';

/** The origin that the bundle's tools declare; the gateway maps it to the real upstream. */
export const DECLARED_ORIGIN = 'https://synthetic.example';
/** Every tool sends this token, and the upstream requires it. */
export const TOKEN = 'bench-token';

const tools: readonly Tool[] = synthetic.flatMap((integration) => integration.tools);
export const TOOL_COUNT = tools.length;
export const INTEGRATIONS = synthetic.map(({ name }) => name);

/** The tool to call, and the query that finds it. */
export const CALLED = { tool: 'synthetic7_update_item_7', query: 'change item 7 of an owner' };
export const ARGUMENTS = { owner: 'ada', item: '42', title: 'A title', labels: ['one', 'two'] };
/** Only the upstream's response to that call contains this text. */
export const PROOF = 'ada/items7/42';

/**
 * Returns each tool as MCP lists it with the request that it makes, for servers without a format of their
 * own.
 */
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
    // Integrations of one origin share paths, so a prefix separates them.
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
