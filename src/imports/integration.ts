// Makes an integration out of a stored import: its pinned tools, its credential and its address.
import type { Config } from '../config/config.ts';
import { integrationPage } from '../connections/ways.ts';
import { isObject } from '../json/json.ts';
import type { Integration, Tool, ToolContext } from '../kit/integration.ts';
import type { ApiKeyField } from '../kit/manifest.ts';
import type { JsonSchema } from '../kit/validation.ts';
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord, ImportToolRecord } from '../ports/records.ts';
import { EVERYONE } from '../ports/store.ts';
import { blocksOf } from './auth-blocks.ts';
import { originOf } from './checks.ts';
import { InsufficientScope, type McpClients, McpFailure } from './mcp/client.ts';
import { rememberScopes } from './oauth/step-up.ts';
import { isGraphql } from './openapi/graphql-recipe.ts';
import { readRecipe } from './openapi/operation.ts';
import type { BuildImport } from './overlay.ts';
import { loadValidator } from './pinned/arguments.ts';
import { isBlocking } from './pinned/compare.ts';
import {
  type Definition,
  definitionText,
  listDescription,
  type NamedDefinition,
  readDefinition,
  schemaDescription,
} from './pinned/definition.ts';
import { ORIGIN, type Reach } from './reach.ts';
import { chosenAccess, isIncluded } from './selection.ts';
import type { ImportSettings, Settings } from './settings.ts';

type Needs = Pick<Ports, 'store'> & {
  config: Pick<Config, 'PORTAL_URL'>;
  mcp: McpClients;
  reach: Reach;
  settings: ImportSettings;
};

const CATEGORY = 'Added';
const UNSEEN = 'A new tool that nobody has accepted yet.';

export function createBuildImport({ config, mcp, reach, settings: sealed, store }: Needs): BuildImport {
  /** Says why a tool does not run, and where a person can accept it. */
  function reasonNotToRun({ name, state }: ImportToolRecord, { name: importName }: ImportRecord): string {
    const page = integrationPage(importName, config);
    switch (state) {
      case 'gone':
        return `The server of ${importName} has no tool ${name} any more. Look for another one with search_tools`;
      case 'new':
        return `${name} is new and nobody has accepted it yet. The person can look at it at ${page}`;
      case 'changed':
      case 'granted':
        return `${name} has changed since it was accepted, so it does not run until the person has looked at the change at ${page}`;
    }
  }

  return async function buildImport(record, rows) {
    const opened = await sealed.open(record);
    const createArguments = await loadValidator();
    const tools: Tool[] = [];
    const hidden: Tool[] = [];
    const integration: Integration = {
      name: record.name,
      version: '1.0.0',
      displayName: record.display_name,
      description: record.description,
      categories: [CATEGORY],
      logo: null,
      ...blocksFor(record, opened, rows),
      tools,
      imported: { id: record.id, kind: record.kind, for: record.owner === EVERYONE ? 'everyone' : 'me' },
    };

    async function run(definition: Definition, args: unknown, context: ToolContext): Promise<unknown> {
      const { inputSchema, outputSchema, source, operation } = definition;
      const given = isObject(args) ? args : {};
      if (operation !== undefined) {
        const base = opened?.base ?? '';
        const { callOperation } = await import('./openapi/call-operation.ts');
        const { send } = reach.inCall({ integration, address: base }, context);
        return callOperation(readRecipe(operation), given, { base, send, files: context.files });
      }
      const reached = reach.inCall({ integration, address: record.address ?? '' }, context);
      try {
        const tool = { name: source, inputSchema, outputSchema };
        return await mcp.call(reached, tool, given, context.files);
      } catch (error) {
        if (!(error instanceof InsufficientScope)) throw reached.redact(error);
        const sentence = await rememberScopes({ store }, context, integration, error.scopes);
        throw new McpFailure(sentence, { cause: error });
      }
    }

    function toolOf({ digest }: ImportToolRecord, definition: NamedDefinition, settings: Settings): Tool {
      const parse = createArguments(definition.inputSchema);
      return {
        name: definition.name,
        description: listDescription(definition),
        access: chosenAccess(definition, settings) ?? definition.access,
        schema: describeWhole(definition),
        ...(digest === null ? {} : { digest }),
        ...requestOf(definition),
        parse,
        run: (args, context) => run(definition, args, context),
      };
    }

    let characters = 0;
    for (const row of rows) {
      const definition = readDefinition(row);
      if (opened === null || definition === null) continue;
      if (!isIncluded(definition, opened)) continue;
      characters += definitionText(row).length;
      const tool = toolOf(row, definition, opened);
      if (isBlocking(row))
        hidden.push({
          ...tool,
          // Agents do not see the description and the arguments of a tool that nobody has accepted.
          ...(row.definition === null
            ? { description: UNSEEN, schema: { type: 'object', properties: {} } }
            : {}),
          parse: (value) => ({ ok: true, value }),
          run: () => Promise.reject(new Error(reasonNotToRun(row, record))),
        });
      else tools.push(tool);
    }
    return { integration, hidden, characters };
  };
}

/** An import whose settings cannot be opened has no tools and connects nothing. */
function blocksFor(
  record: ImportRecord,
  settings: Settings | null,
  rows: readonly ImportToolRecord[],
): Pick<Integration, 'auth' | 'api'> {
  if (settings === null) return { auth: { type: 'none' } };
  const { auth } = settings;
  if (auth.type === 'values') return { auth: { type: 'apikey', fields: auth.fields.map(describeField) } };
  const address = originOf(record, settings);
  const isOperators = record.created_by === '';
  const blocks = blocksOf(auth, { address, isOperators });
  if (!blocks.ok || !URL.canParse(address)) return { auth: { type: 'none' } };
  const { origin } = new URL(address);
  const headers = { ...settings.headers, ...blocks.api.headers };
  const meaning = takesOnlyPosts(record, rows) ? { methodsMeanNothing: true as const } : {};
  const api = { base: address, others: { [ORIGIN]: origin }, ...blocks.api, ...meaning, headers };
  return { auth: blocks.auth, api };
}

/** An MCP server and a GraphQL endpoint take every call as a POST to one address. All tools of an import are of one kind. */
function takesOnlyPosts({ kind }: ImportRecord, [first]: readonly ImportToolRecord[]): boolean {
  const operation = first === undefined ? undefined : readDefinition(first)?.operation;
  return kind === 'mcp' || (operation !== undefined && isGraphql(readRecipe(operation)));
}

/** Names the request of an OpenAPI operation: a rule for the tool also holds for raw requests of its method. */
function requestOf({ operation }: Definition): Pick<Tool, 'request'> {
  if (operation === undefined) return {};
  const recipe = readRecipe(operation);
  return isGraphql(recipe) ? {} : { request: { method: recipe.method, path: recipe.path } };
}

/** Puts the description into the schema when lists cut it. */
function describeWhole(definition: Definition): JsonSchema {
  const { inputSchema } = definition;
  const whole = schemaDescription(definition);
  return whole === listDescription(definition) ? inputSchema : { ...inputSchema, description: whole };
}

const describeField = (key: string): ApiKeyField => ({
  key,
  label: key.replaceAll('_', ' '),
  secret: true,
  required: true,
});
