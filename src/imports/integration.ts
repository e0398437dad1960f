// Makes an integration out of a stored import: its pinned tools, its credential and its address.
import type { Config } from '../config/config.ts';
import { integrationPage } from '../connections/model/ways.ts';
import type { Seal } from '../crypto/seal.ts';
import { isObject } from '../json/json.ts';
import type { Integration, RawTool, Tool } from '../kit/integration.ts';
import type { ApiKeyField } from '../kit/manifest.ts';
import { promptsName, resourcesName } from '../kit/set-servers.ts';
import { isForModel } from '../kit/tool-app.ts';
import type { JsonSchema } from '../kit/validation.ts';
import { mapInTurns } from '../memory/map-in-turns.ts';
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord, ImportToolRecord } from '../ports/records.ts';
import { EVERYONE } from '../ports/store.ts';
import { blocksOf, dropOverrides } from './model/auth-blocks.ts';
import { chosenAccess, isIncluded } from './model/selection.ts';
import { createImportSettings, type Settings } from './model/settings.ts';
import type { Source } from './model/source.ts';
import type { BuildImport } from './overlay.ts';
import { loadValidator } from './pinned/arguments.ts';
import { isBlocking } from './pinned/compare.ts';
import {
  type Definition,
  definitionText,
  listDescription,
  type NamedDefinition,
  readDefinition,
  readFirst,
  schemaDescription,
} from './pinned/definition.ts';
import { mayHoldTuples, showSchema } from './pinned/schema-shown.ts';
import { ORIGIN } from './reach.ts';
import type { Sources } from './sources.ts';

type Needs = Pick<Ports, 'clock'> & {
  config: Pick<Config, 'PORTAL_URL'>;
  seal: Seal;
  sources: Sources;
};

const CATEGORY = 'Added';
const UNSEEN = 'A new tool that nobody has accepted yet.';

export function createBuildImport({ clock, config, seal, sources }: Needs): BuildImport {
  const sealed = createImportSettings({ seal });

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
    const source = sources.of(record, readFirst(rows));
    const address = opened === null ? '' : source.addressOf(record, opened);
    const timeoutMs = opened?.timeoutSec === undefined ? undefined : opened.timeoutSec * 1_000;
    const createArguments = await loadValidator();
    const tools: Tool[] = [];
    const hidden: Tool[] = [];
    const unlisted: RawTool[] = [];
    const forApps: Tool[] = [];
    const integration: Integration = {
      name: record.name,
      version: '1.0.0',
      displayName: record.name,
      title: record.display_name,
      description: record.description,
      categories: [CATEGORY],
      logo: null,
      ...blocksFor(record, opened, source, address),
      tools,
      imported: {
        id: record.id,
        kind: record.kind,
        for: record.owner === EVERYONE ? 'everyone' : 'me',
        unlisted,
        forApps,
        ...(source.relay === undefined || opened === null ? {} : { relays: relaysOf(source.relay) }),
      },
    };

    function relaysOf(relay: NonNullable<Source['relay']>) {
      const relayTool = (name: string, what: string): Tool => ({
        name,
        description: `Reads the ${what} of ${record.display_name}`,
        access: 'read',
        schema: { type: 'object', properties: {} },
        parse: (value) => ({ ok: true, value }),
        run: (value, context) => {
          const { method, params } = isObject(value) ? value : {};
          const asked = { method: String(method), params: isObject(params) ? params : {} };
          return relay({ integration, address, timeoutMs }, asked, context);
        },
      });
      return {
        prompts: relayTool(promptsName(record.name), 'prompts'),
        resources: relayTool(resourcesName(record.name), 'resources'),
      };
    }

    function rawToolOf(definition: NamedDefinition, settings: Settings): RawTool {
      // The service may have changed its language since this tool was pinned.
      const request = sources.of(record, definition).requestOf(definition);
      return {
        name: definition.name,
        access: chosenAccess(definition, settings) ?? definition.access,
        ...(request === undefined ? {} : { request }),
      };
    }

    function toolOf(row: ImportToolRecord, definition: NamedDefinition, raw: RawTool): Tool {
      const own = sources.of(record, definition);
      return {
        ...raw,
        description: listDescription(definition),
        schema: describeWhole(definition, mayHoldTuples(definitionText(row))),
        source: definition.source,
        ...(row.digest === null ? {} : { digest: row.digest }),
        ...(definition.app === undefined ? {} : { app: definition.app }),
        ...(definition.visibility === undefined ? {} : { visibility: definition.visibility }),
        ...describeForLists(definition),
        ...(record.kind === 'mcp' ? outputOf(definition) : {}),
        otherMethodsOf: (args) => (isObject(args) ? own.otherMethodsOf(definition, args) : []),
        parse: createArguments(definition.inputSchema),
        run: (args, context) =>
          own.call({ integration, address, timeoutMs }, definition, isObject(args) ? args : {}, context),
      };
    }

    function outputOf({ outputSchema: schema }: Definition): Pick<Tool, 'output'> {
      if (schema === undefined) return {};
      const check = createArguments(schema);
      const fits = (value: unknown): boolean => {
        const checked = check(value);
        // Arguments that would have to be mended do not fit.
        return checked.ok && checked.value === value;
      };
      return { output: { schema, fits } };
    }

    let characters = 0;
    function addTool(row: ImportToolRecord, settings: Settings): void {
      const definition = readDefinition(row);
      if (definition === null) return;
      const raw = rawToolOf(definition, settings);
      const isWanted = isIncluded(definition, settings);
      const isAccepted = isWanted && !isBlocking(row);
      const isListed = isAccepted && isForModel(definition);
      if (!isListed) unlisted.push(raw);
      if (!isWanted) return;
      characters += definitionText(row).length;
      const tool = toolOf(row, definition, raw);
      if (isAccepted && !isListed) {
        forApps.push(tool);
        hidden.push({ ...tool, parse: () => ({ ok: false, message: onlyForApps(row, record) }) });
      } else if (!isListed)
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

    if (opened !== null) await mapInTurns(clock, rows, (row) => addTool(row, opened));
    return { integration, hidden, characters };
  };
}

const onlyForApps = ({ name }: ImportToolRecord, { name: importName }: ImportRecord): string =>
  `${name} belongs to the app of ${importName}. Only the app calls it`;

/** An import whose settings cannot be opened has no tools and connects nothing. */
function blocksFor(
  record: ImportRecord,
  settings: Settings | null,
  { takesOnlyPosts }: Source,
  address: string,
): Pick<Integration, 'auth' | 'api'> {
  if (settings === null) return { auth: { type: 'none' } };
  const { auth } = settings;
  if (auth.type === 'values') return { auth: { type: 'apikey', fields: auth.fields.map(describeField) } };
  const isOperators = record.created_by === '';
  // The operator's file says what it sends. People's headers must not change what a request is.
  const keep = isOperators ? (given: Readonly<Record<string, string>>) => given : dropOverrides;
  const carried = auth.type === 'headers' ? { ...auth, headers: keep(auth.headers) } : auth;
  const blocks = blocksOf(carried, { address, isOperators });
  if (!blocks.ok || !URL.canParse(address)) return { auth: { type: 'none' } };
  const { origin } = new URL(address);
  const headers = { ...keep(settings.headers ?? {}), ...blocks.api.headers };
  const meaning = takesOnlyPosts ? { methodsMeanNothing: true as const } : {};
  const api = { base: address, others: { [ORIGIN]: origin }, ...blocks.api, ...meaning, headers };
  return { auth: blocks.auth, api };
}

/** Puts the description into the schema when lists cut it. */
function describeWhole(definition: Definition, hasTuples: boolean): JsonSchema {
  const inputSchema = hasTuples ? showSchema(definition.inputSchema) : definition.inputSchema;
  const whole = schemaDescription(definition);
  return whole === listDescription(definition) ? inputSchema : { ...inputSchema, description: whole };
}

function describeForLists({ title = '', annotations = {} }: Definition): Pick<Tool, 'listed'> {
  const { title: hinted = '', idempotentHint: idempotent, openWorldHint: openWorld } = annotations;
  const shown = title === '' ? hinted : title;
  const listed = {
    ...(shown === '' ? {} : { title: shown }),
    ...(idempotent === undefined ? {} : { idempotent }),
    ...(openWorld === undefined ? {} : { openWorld }),
  };
  return Object.keys(listed).length === 0 ? {} : { listed };
}

const describeField = (key: string): ApiKeyField => ({
  key,
  label: key.replaceAll('_', ' '),
  secret: true,
  required: true,
});
