// Describes one integration or one set: each tool is an operation, so that an import of the description gives the tools.
import { type Integration, titleOf, type Tool } from '../../kit/integration.ts';
import type { RegisteredTool } from '../../kit/registry.ts';
import type { Permissions } from '../../policy/model/permissions.ts';
import { approvalOf, type VisibleTools } from '../../policy/model/visibility.ts';
import type { SetRecord } from '../../ports/sets.ts';
import { VERSION } from '../../ports/version.ts';
import { callAnswer, callFailures } from '../operations.ts';
import { accessOf, type Json, openApiDocument, type Place, refer, responseOf } from './document.ts';
import { moveSchema, toSchema } from './schema.ts';

const RESULT = 'ToolResult';

export function describeIntegration(
  config: Place,
  integration: Integration,
  { tools, permissions }: VisibleTools,
): Json {
  const { name, version, description } = integration;
  const title = titleOf(integration);
  return openApiDocument(config, {
    title,
    version,
    description,
    tags: { [name]: title },
    ...describeTools(
      tools.map((tool) => ({ tool, integration })),
      permissions,
      ({ tool }) => `/rest/${name}/${tool.name}`,
    ),
  });
}

/** Describes a set: the calls go to addresses of the set, so that nothing else is called with them. */
export function describeSet(
  config: Place,
  { name, title, description }: SetRecord,
  tools: readonly RegisteredTool[],
  permissions: Permissions,
): Json {
  const integrations = new Map(tools.map(({ integration }) => [integration.name, titleOf(integration)]));
  return openApiDocument(config, {
    title,
    version: VERSION,
    description: description === '' ? `The tools of the set ${name}` : description,
    tags: Object.fromEntries(integrations),
    ...describeTools(tools, permissions, ({ tool }) => `${setToolsPath(name)}/${tool.name}`),
  });
}

const setToolsPath = (name: string): string => `/sets/${name}/tools`;

function describeTools(
  tools: readonly RegisteredTool[],
  permissions: Permissions,
  pathOf: (registered: RegisteredTool) => string,
): { paths: Json; schemas: Json; responses: Json } {
  const isConnected = tools.every(({ integration }) => integration.auth.type === 'none');
  const failures = Object.entries(callFailures({ isConnected }));
  const responses = {
    200: { description: 'The result', content: { 'application/json': { schema: refer('schemas', RESULT) } } },
    ...Object.fromEntries(failures.map(([failure, { status }]) => [status, refer('responses', failure)])),
  };
  const schemas = tools.map(({ tool: { name, schema } }) => [
    name,
    moveSchema(schema, `#/components/schemas/${name}`),
  ]);
  return {
    paths: Object.fromEntries(
      tools.map((registered) => [
        pathOf(registered),
        {
          post: {
            ...describeTool(registered.integration.name, registered.tool, responses),
            ...describeApproval(approvalOf(permissions, registered)),
          },
        },
      ]),
    ),
    schemas: { [RESULT]: toSchema(callAnswer(), 'output'), ...Object.fromEntries(schemas) },
    responses: Object.fromEntries(failures.map(([failure, { reply }]) => [failure, responseOf(reply)])),
  };
}

function describeTool(integration: string, tool: Tool, responses: Readonly<Record<string, Json>>): Json {
  const { name, description, access, schema } = tool;
  const isRequired = Array.isArray(schema['required']) && schema['required'].length > 0;
  return {
    operationId: name,
    tags: [integration],
    summary: firstSentence(description),
    description,
    requestBody: {
      required: isRequired,
      content: { 'application/json': { schema: refer('schemas', name) } },
    },
    ...accessOf('machine', access, responses),
  };
}

const describeApproval = ({ approval }: ReturnType<typeof approvalOf>): Json =>
  approval === undefined ? {} : { 'x-approval': approval };

/** The text up to its first full stop before a space. */
function firstSentence(text: string): string {
  return /^.*?\.(?=\s)/s.exec(text)?.[0] ?? text;
}
