// Describes one integration: each of its tools is an operation, so that an import of the description gives the tools.
import { type Integration, titleOf, type Tool } from '../../kit/integration.ts';
import { approvalOf, type VisibleTools } from '../../policy/model/visibility.ts';
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
  const failures = Object.entries(callFailures({ isConnected: integration.auth.type === 'none' }));
  const responses = {
    200: { description: 'The result', content: { 'application/json': { schema: refer('schemas', RESULT) } } },
    ...Object.fromEntries(failures.map(([failure, { status }]) => [status, refer('responses', failure)])),
  };
  const schemas = tools.map(({ name: tool, schema }) => [
    tool,
    moveSchema(schema, `#/components/schemas/${tool}`),
  ]);
  return openApiDocument(config, {
    title,
    version,
    description,
    tags: { [name]: title },
    paths: Object.fromEntries(
      tools.map((tool) => [
        `/rest/${name}/${tool.name}`,
        {
          post: {
            ...describeTool(name, tool, responses),
            ...describeApproval(approvalOf(permissions, { tool, integration })),
          },
        },
      ]),
    ),
    schemas: { [RESULT]: toSchema(callAnswer(), 'output'), ...Object.fromEntries(schemas) },
    responses: Object.fromEntries(failures.map(([failure, { reply }]) => [failure, responseOf(reply)])),
  });
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
