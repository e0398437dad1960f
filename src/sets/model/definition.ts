// Describes one tool of a set as MCP lists it. reference: Sets
import type { Config } from '../../config/config.ts';
import { isObject } from '../../json/json.ts';
import { titleOf } from '../../kit/integration.ts';
import type { RegisteredTool } from '../../kit/registry.ts';
import type { JsonSchema } from '../../kit/validation.ts';

export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint: boolean;
  };
  icons?: { src: string; mimeType: string; sizes: string[] }[];
}

type Place = Pick<Config, 'SERVER_PUBLIC_URL'>;

/** `labels` are those of the accounts to choose from. */
export function defineTool(
  { tool, integration }: RegisteredTool,
  { SERVER_PUBLIC_URL: base }: Place,
  labels: readonly string[] = [],
): ToolDefinition {
  const { name, description, access, schema, output, listed } = tool;
  // The calls that such a tool makes may change something.
  const isRead = access === 'read' && tool.runAs === undefined;
  const idempotent = listed?.idempotent;
  return {
    name,
    title: listed?.title ?? `${titleOf(integration)}: ${wordsOf(name, integration.name)}`,
    description,
    inputSchema: labels.length === 0 ? objectSchema(schema) : withAccount(objectSchema(schema), labels),
    ...(output === undefined ? {} : { outputSchema: output.schema }),
    annotations: {
      readOnlyHint: isRead,
      // MCP gives these a meaning only for tools that change something.
      ...(isRead ? {} : { destructiveHint: access !== 'write' }),
      ...(isRead || idempotent === undefined ? {} : { idempotentHint: idempotent }),
      openWorldHint: listed?.openWorld ?? integration.isClosed !== true,
    },
    ...iconsOf({ tool, integration }, base),
  };
}

function iconsOf({ integration }: RegisteredTool, base: string): Pick<ToolDefinition, 'icons'> {
  const { name, imported, logo } = integration;
  if (imported === undefined && logo === null) return {};
  const path = imported === undefined ? `/api/integrations/${name}/logo` : `/api/imports/logos/${name}`;
  return { icons: [{ src: `${base}${path}`, mimeType: 'image/svg+xml', sizes: ['any'] }] };
}

function wordsOf(name: string, integration: string): string {
  const own = name.startsWith(`${integration}_`) ? name.slice(integration.length + 1) : name;
  return own.replaceAll('_', ' ');
}

/** Clients refuse arguments that are not an object. */
const objectSchema = (schema: JsonSchema): JsonSchema =>
  schema['type'] === 'object' ? schema : { type: 'object', ...schema };

const ACCOUNT = 'account';

/** The argument that chooses an account. It never has the name of an argument of the tool. */
export function accountArgument(schema: JsonSchema): string {
  const own = propertiesOf(schema);
  let name = ACCOUNT;
  while (Object.hasOwn(own, name)) name = `gateway_${name}`;
  return name;
}

function withAccount(schema: JsonSchema, labels: readonly string[]): JsonSchema {
  const account = {
    type: 'string',
    enum: [...labels],
    description: 'Which account of the person to use',
  };
  return { ...schema, properties: { ...propertiesOf(schema), [accountArgument(schema)]: account } };
}

const propertiesOf = ({ properties }: JsonSchema): JsonSchema => (isObject(properties) ? properties : {});
